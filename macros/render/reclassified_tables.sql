{#-
    The tables of which less may be seen than their newest scan kept, of which it kept back what is now said to be shown,
    or did not read what is left out no more: a list of 'schema.table' in lower case. Of what was read, that nothing is said
    any more shows nothing by itself.
-#}
{% macro reclassified_tables(scans, attempts, tables) -%}
    {%- set outdated = [] -%}
    {%- set left_out = [] -%}
    {%- if linker.can_ask() -%}
        {%- set rules = linker.privacy_rules() -%}
        {%- do rules.scanned.update(linker.found_private(scans, attempts, tables)) -%}
        {%- for row in linker.rows_by_name(
            linker._classified_query(scans, attempts, tables, rules), ['schema_name', 'table_name', 'column_path']
        ) -%}
            {%- set table = {'schema_name': row.schema_name, 'table_name': row.table_name, 'members': [row.physical_name]} -%}
            {%- set decided = linker.with_privacy(table, [row], rules)[0].privacy -%}
            {%- if (decided == 'exclude' and row.privacy not in ['exclude', 'refuse'])
                or (decided == 'hide' and row.privacy in ['show', 'mask']) or (decided in ['mask', 'inherit'] and row.privacy == 'show')
                or (decided == 'show' and row.privacy != 'show' and '.' not in row.column_path)
                or (decided != 'exclude' and row.privacy == 'exclude' and not linker._lies_in(row, left_out)) -%}
                {%- do outdated.append((row.schema_name ~ '.' ~ row.table_name) | lower) -%}
            {%- elif decided == 'exclude' -%}
                {%- do left_out.append(row) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(outdated | unique | sort) }}
{%- endmacro %}

{#- Whether a path lies in one of those columns; they come before what is inside of them. -#}
{% macro _lies_in(row, columns) -%}
    {%- for column in columns if (column.schema_name, column.table_name) == (row.schema_name, row.table_name) -%}
        {%- if row.column_path.startswith(column.column_path ~ '.') -%}
            {{ return(true) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}

{#- Columns of which something may be said, or was: a macro call a column would take minutes in a large warehouse. -#}
{% macro _classified_query(scans, attempts, tables, rules) %}
    {%- set patterns = [] -%}
    {%- for list in rules.lists -%}
        {%- do patterns.extend(list.patterns) -%}
    {%- endfor -%}
    {%- set named = (rules.tables.keys() | list) + (rules.lineage.keys() | list) %}
    select scans.schema_name, scans.table_name, tables.table_name as physical_name, scans.column_path, scans.privacy
    from ({{ linker.newest_column_scans(scans, attempts) }}) as scans
    inner join {{ tables }} as tables
        on
            scans.database_name = tables.database_name
            and scans.schema_name = tables.schema_name
            and scans.table_name = coalesce(tables.family_name, tables.table_name)
    where
        tables.is_representative
        and not scans.is_discovered
        and (
            scans.privacy = 'exclude' or
            {%- for name in ['scans.table_name', 'tables.table_name'] %}
            {%- set table = "lower(scans.schema_name || '.' || " ~ name ~ ")" %}
            {% if named %}{{ table }} in ({{ linker._literals(named) }}) or {% endif -%}
            {{ linker.regex_matches(table ~ " || '.' || lower(scans.column_path)", patterns | join('|') or '^$') }}
            {{ 'or' if not loop.last }}
            {%- endfor %}
        )
{% endmacro %}

{#- What the newest scans masked or hid, by physical table and path, in lower case. -#}
{% macro found_private(scans, attempts, tables) -%}
    {%- set found = {} -%}
    {%- for row in run_query(linker._found_private_query(scans, attempts, tables)).rows -%}
        {%- do found.setdefault(row[0], {}).update({row[1]: row[2]}) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{% macro _found_private_query(scans, attempts, tables) %}
    select
        lower(tables.schema_name || '.' || tables.table_name) as table_name,
        lower(scans.column_path) as column_path,
        scans.privacy
    from ({{ linker.newest_column_scans(scans, attempts) }}) as scans
    inner join {{ tables }} as tables
        on
            scans.database_name = tables.database_name
            and scans.schema_name = tables.schema_name
            and scans.table_name = coalesce(tables.family_name, tables.table_name)
    where scans.privacy <> 'show'
{% endmacro %}
