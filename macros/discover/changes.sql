{#- Change detection: fingerprints of tables and views; `linker_plan` compares them with the last scans. -#}

{#-
    Table states from the catalogue, without reading tables: database_name, schema_name, table_name, row_count, byte_count
    (bytes of a scan), change_token.
    Takes a list of {database, schema, name, kind}, ignored if the catalogue covers all tables at once. The token changes
    with the data, rows and bytes included if they are informative; it is null if the warehouse has none, as for views.
-#}
{% macro discover_changes(tables) -%}
    {{ return(adapter.dispatch('discover_changes', 'linker')(tables)) }}
{%- endmacro %}

{% macro default__discover_changes(tables) -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#-
    Fills `linker_changes`, and reports the state to `linker refresh`. Hook before `linker_plan`; reads rows where
    only they show a change.
-#}
{% macro look_for_changes() -%}
    {%- if execute and not linker.is_idle() -%}
        {%- set relation = linker.artifact('linker_changes') -%}
        {%- set changes = linker.discover_changes(linker.planned_members(linker.artifact('linker_tables'))) -%}
        {%- set number = dbt.type_bigint() -%}
        {%- set insert -%}
            insert into {{ relation }} (database_name, schema_name, table_name, row_count, byte_count, change_token)
            select
                database_name, schema_name, table_name,
                cast(row_count as {{ number }}), cast(byte_count as {{ number }}), change_token
            from ({{ changes }}) as found
        {%- endset -%}
        {%- set emptied = 'truncate table ' ~ relation if linker.dialect().only_appends else 'delete from ' ~ relation ~ ' where 1 = 1' -%}
        {%- do linker._execute(emptied) -%}
        {%- do linker._execute(insert) -%}
        {%- if var('watch', false) and linker.dialect().tells_by_query and not linker.dialect().reads_for_changes -%}
            {%- set seen = run_query(linker.watched_changes('select * from ' ~ relation)).rows -%}
            {%- do linker.tell_watched('changes', [{'sql': linker.watched_changes(changes), 'rows': seen}]) -%}
        {%- endif -%}
        {%- do linker._commit() -%}
    {%- endif -%}
{%- endmacro %}

{#-
    Physical tables that the next scans may read, by the current inventory: a list of {database, schema, name,
    kind}.
-#}
{% macro planned_members(inventory) -%}
    {%- set members = [] -%}
    {%- if linker.can_ask() -%}
        {%- set inputs = var('view_inputs', none) or {} -%}
        {%- set query %}
    select database_name, schema_name, table_name, table_kind
    from ({{ linker.members_to_read(inventory) }}) as members
    {%- if inputs %}
    union
    select database_name, schema_name, table_name, table_kind
    from {{ inventory }}
    where lower(schema_name || '.' || table_name) in ({{ linker._literals(inputs.values() | sum(start=[]) | unique | list) }})
    {%- endif %}
    order by database_name, schema_name, table_name
        {%- endset -%}
        {%- for row in run_query(query).rows -%}
            {%- do members.append({'database': row[0], 'schema': row[1], 'name': row[2], 'kind': row[3]}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(members) }}
{%- endmacro %}

{#-
    Change tokens of views whose rows depend on tables only: database_name, schema_name, table_name, change_token.
    `linker refresh` reads these tables from the view definitions. Without it, or if one of the tables has no token, the
    view has none and is profiled again by age.
-#}
{% macro view_changes(table_changes, inventory) %}
    {%- set rows = [] -%}
    {%- for view, tables in (var('view_inputs', none) or {}).items() -%}
        {%- for name in tables -%}
            {%- do rows.append({'view_name': view, 'input_name': name, 'input_count': tables | length}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set text, number = dbt.type_string(), dbt.type_bigint() %}
    select
        views.database_name,
        views.schema_name,
        views.table_name,
        {{ linker.digest(linker.text_list("inputs.input_name || ' ' || changes.change_token", 'inputs.input_name')) }} as change_token
    from (
        {%- if rows %}
        {{ linker.plain_rows({'view_name': text, 'input_name': text, 'input_count': number}, rows) }}
        {%- else %}
        select cast(null as {{ text }}) as view_name, cast(null as {{ text }}) as input_name, cast(0 as {{ number }}) as input_count
        {%- endif %}
    ) as inputs
    inner join {{ inventory }} as views
        on inputs.view_name = lower(views.schema_name || '.' || views.table_name) and views.table_kind = 'view'
    inner join {{ table_changes }} as changes
        on inputs.input_name = lower(changes.schema_name || '.' || changes.table_name) and changes.change_token is not null
    group by views.database_name, views.schema_name, views.table_name
    having count(*) = max(inputs.input_count)
{% endmacro %}

{#-
    Broken views: schema_name, table_name, message, as found by `linker profile` before reading rows. Their error is
    recorded, and they are not read.
-#}
{% macro broken_views() -%}
    {%- set rows = [] -%}
    {%- for view in var('broken', []) -%}
        {%- do rows.append([linker.literal(view[0]), linker.literal(view[1]), linker.literal(view[2])]) -%}
    {%- endfor -%}
    {{ return(linker.rows_or_none(['schema_name', 'table_name', 'message'], rows)) }}
{%- endmacro %}
