{#-
    A change token of each view whose rows follow from those of tables: database_name, schema_name, table_name,
    change_token. Which tables these are, `linker refresh` reads from the definitions; without it, and where one of them has
    no token, there is none, and the view ages.
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
