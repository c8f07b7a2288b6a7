{#- Keys that stand in the statement itself, as a select in the form of `declared_keys`. -#}
{% macro key_rows(rows) -%}
    {%- set names = ['key_name', 'from_schema', 'from_table', 'from_column', 'to_schema', 'to_table', 'to_column', 'position'] -%}
    {%- if rows -%}
        {{ linker.inline_rows(names, rows) }}
    {%- else %}
    select
        {%- for name in names %}
        cast(null as {{ dbt.type_bigint() if name == 'position' else dbt.type_string() }}) as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (select 1 as nothing) as nothing
    where 1 = 0
    {%- endif -%}
{%- endmacro %}
