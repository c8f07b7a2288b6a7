{#- Tables in scope of a run: schemas and tables, and the vars select and exclude. -#}

{#-
    Rows by schema_name and table_name that are in scope: without profile tables of any environment and dbt's
    temporary relations. Profile tables of others are recognised by their neighbours, since developers use other
    schema names. `rows` is a relation or a query in parentheses.
-#}
{% macro in_scope(rows) -%}
    {%- set included = var('include_schemas', []) | map('lower') | list -%}
    {%- set excluded = (var('exclude_schemas', []) + ['information_schema']) | map('lower') -%}
    {#- Other projects of this database may publish there. -#}
    {%- set own_names = {'agents': linker.agents_names().values() | list} -%}
    {%- for node in graph.get('nodes', {}).values() if node.package_name == 'linker' and node.resource_type == 'model' and node.schema != 'agents' -%}
        {%- do own_names.setdefault(node.schema | lower, []).append(node.alias | lower) -%}
    {%- endfor %}
    select * from (
        select
            *,
            {%- for name in ['linker_attempts', 'linker_scans', 'linker_tables'] %}
            max(case when lower(table_name) like '%{{ name }}%' then 1 else 0 end) over (partition by schema_name){{ ' +' if not loop.last }}
            {%- endfor %} as artifact_signs
        from {{ rows }} as listed
    ) as marked
    where
        lower(schema_name) not in ({{ linker._literals(excluded) }})
        {%- if included %}
        and lower(schema_name) in ({{ linker._literals(included) }})
        {%- endif %}
        {%- for schema, names in own_names.items() %}
        and not (lower(schema_name) = {{ linker.literal(schema) }} and lower(table_name) in ({{ linker._literals(names) }}))
        {%- endfor %}
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not {{ linker.regex_matches('lower(table_name)', '__dbt_(tmp|backup)') }}
{%- endmacro %}

{#- The condition that one of several names matches one of these patterns. -#}
{% macro is_any_of(names, patterns) -%}
    {%- set conditions = [] -%}
    {%- for name in names -%}
        {%- for pattern in patterns -%}
            {%- do conditions.append(linker.regex_matches('lower(' ~ name ~ ')', linker.glob_pattern(pattern))) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return('(' ~ (conditions | join(' or ') or '1 = 0') ~ ')') }}
{%- endmacro %}

{#- `sales.*` as a regular expression over lower-case names; a star matches any text. -#}
{% macro glob_pattern(pattern) -%}
    {{ return('^' ~ modules.re.escape(pattern | lower).replace('\\*', '.*').replace('\\-', '-').replace('\\ ', ' ') ~ '$') }}
{%- endmacro %}

{#- The condition that a pattern in select or exclude matches a table whose scan is missing or older than the pattern's age. -#}
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

{#- Table patterns of the vars select and exclude, as `schema.table` with stars, and tables with the dbt tags given. -#}
{% macro tables_of_patterns(patterns) -%}
    {%- set found = [] -%}
    {%- for pattern in patterns -%}
        {%- do found.extend(pattern.tables or []) -%}
        {%- for tag in pattern.tags or [] -%}
            {%- for node in linker.project_graph().tables.values() if tag in (node.tags or []) -%}
                {%- do found.append(node.schema ~ '.' ~ linker.table_of_node(node)) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#-
    Raises if a pattern matches no table, which is probably a misspelling. An exclusion with a star may match nothing, such
    as scratch tables after a cleanup; and so may an age.
-#}
{% macro check_selection(inventory) -%}
    {%- if linker.can_ask() and (var('select', []) or var('exclude', [])) -%}
        {%- set rows = run_query('select schema_name, table_name, coalesce(family_name, table_name) from ' ~ inventory).rows -%}
        {%- set names = [] -%}
        {%- for row in rows -%}
            {%- do names.append((row[0] ~ '.' ~ row[1]) | lower) -%}
            {%- do names.append((row[0] ~ '.' ~ row[2]) | lower) -%}
        {%- endfor -%}
        {%- for pattern in var('select', []) + var('exclude', []) -%}
            {%- set may_be_empty = pattern.older_hours is number or (pattern in var('exclude', []) and '*' in (pattern.pattern or '')) -%}
            {%- set is_named = namespace(found=may_be_empty) -%}
            {%- for glob in linker.tables_of_patterns([pattern]) -%}
                {%- set compiled = modules.re.compile('(?s)' ~ linker.glob_pattern(glob)) -%}
                {%- for name in names if compiled.match(name) -%}
                    {%- set is_named.found = true -%}
                {%- endfor -%}
            {%- endfor -%}
            {%- if not is_named.found -%}
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

{#-
    The time from which a full run counts scans, or none. With a selection the journals, which hold the profiles of
    unselected tables, are kept; `linker profile` sets the time, since a failed run is repeated without the flag.
-#}
{% macro full_since() -%}
    {%- if var('full_since', none) is not none -%}
        {{ return("cast(" ~ linker.literal(var('full_since')) ~ " as timestamp)") }}
    {%- elif flags.FULL_REFRESH and (var('select', []) or var('exclude', [])) -%}
        {{ return(linker.hours_ago(0)) }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}

{#- The time this many hours before the run started, in UTC. -#}
{% macro hours_ago(hours) -%}
    {%- set moment = run_started_at.replace(tzinfo=none) - modules.datetime.timedelta(hours=hours) -%}
    {{ return("cast('" ~ moment.strftime('%Y-%m-%d %H:%M:%S') ~ "' as timestamp)") }}
{%- endmacro %}
