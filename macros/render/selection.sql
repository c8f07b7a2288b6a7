{#- Whether this run looks at some tables only: the vars select and exclude. -#}
{% macro has_selection() -%}
    {{ return(var('select', []) or var('exclude', [])) }}
{%- endmacro %}

{#- The condition that one of those patterns names the table: by its own tables, or by the tags that dbt knows of it. -#}
{% macro is_named_by(patterns, name_expressions) -%}
    {%- set globs = [] -%}
    {%- for pattern in patterns -%}
        {%- do globs.extend(linker.tables_of_pattern(pattern)) -%}
    {%- endfor -%}
    {%- set conditions = [] -%}
    {%- for name in name_expressions if globs -%}
        {%- do conditions.append(linker._matches_any('lower(' ~ name ~ ')', globs)) -%}
    {%- endfor -%}
    {{ return('(' ~ (conditions | join(' or ') or '1 = 0') ~ ')') }}
{%- endmacro %}

{#- The condition that one of those patterns asks for tables whose scan is so old, or that have none. -#}
{% macro is_older_than(patterns, scanned_at) -%}
    {%- set conditions = [] -%}
    {%- for pattern in patterns if pattern.older_hours is number -%}
        {%- do conditions.append(scanned_at ~ ' < ' ~ linker.hours_ago(pattern.older_hours)) -%}
    {%- endfor -%}
    {%- if conditions -%}
        {%- do conditions.append(scanned_at ~ ' is null') -%}
    {%- endif -%}
    {{ return('(' ~ (conditions | join(' or ') or '1 = 0') ~ ')') }}
{%- endmacro %}

{#- `schema.table` with stars. -#}
{% macro tables_of_pattern(pattern) -%}
    {%- set found = (pattern.tables or []) | list -%}
    {%- for tag in pattern.tags or [] -%}
        {%- for node in linker.project_graph().tables.values() if tag in (node.tags or []) -%}
            {%- do found.append(node.schema ~ '.' ~ linker.table_of_node(node)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#-
    Ends the run where a pattern names no table: it is more likely misspelt than meant. An exclusion with a star may find
    nothing to leave out, as one of scratch tables does on a tidy day; and that nothing is old is good news.
-#}
{% macro check_selection(inventory) -%}
    {%- if linker.can_ask() and linker.has_selection() -%}
        {%- set rows = run_query('select schema_name, table_name, coalesce(family_name, table_name) from ' ~ inventory).rows -%}
        {%- set names = [] -%}
        {%- for row in rows -%}
            {%- do names.append((row[0] ~ '.' ~ row[1]) | lower) -%}
            {%- do names.append((row[0] ~ '.' ~ row[2]) | lower) -%}
        {%- endfor -%}
        {%- for pattern in var('select', []) + var('exclude', []) -%}
            {%- set may_be_empty = pattern.older_hours is number or (pattern in var('exclude', []) and '*' in (pattern.pattern or '')) -%}
            {%- if not may_be_empty and not linker._names_any(pattern, names) -%}
                {%- set text = pattern.pattern or pattern -%}
                {%- set shown = [] -%}
                {%- for row in rows -%}
                    {%- do shown.append(row[0] ~ '.' ~ row[2]) -%}
                {%- endfor -%}
                {%- do log('linker: unmatched ' ~ tojson({'pattern': text | string, 'names': shown | unique | sort})) -%}
                {{ exceptions.raise_compiler_error('linker: no table matches ' ~ text) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{% macro _names_any(pattern, names) -%}
    {%- for glob in linker.tables_of_pattern(pattern) -%}
        {%- set compiled = modules.re.compile('(?s)' ~ linker.glob_pattern(glob)) -%}
        {%- for name in names -%}
            {%- if compiled.match(name) -%}
                {{ return(true) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}

{#-
    The moment from which a full run counts scans, or none. With a selection it keeps the journals, which hold the
    profiles of all others; `linker profile` says the moment, as a run that failed is repeated without the flag.
-#}
{% macro full_since() -%}
    {%- if var('full_since', none) is not none -%}
        {{ return("cast(" ~ linker.literal(var('full_since')) ~ " as timestamp)") }}
    {%- elif flags.FULL_REFRESH and linker.has_selection() -%}
        {{ return(linker.hours_ago(0)) }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
