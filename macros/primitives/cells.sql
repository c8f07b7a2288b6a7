{#-
    The values of a table, one a row: a select of column_number, row_order, value, number. `columns` have a `column_number` and a
    `column_name`, and `text` and `number`, expressions over `__value__`.
-#}
{% macro cells(relation, columns) -%}
    {{ return(adapter.dispatch('cells', 'linker')(relation, columns)) }}
{%- endmacro %}

{#- Each of them scans small tables another way, see `scans_as_cells`. -#}
{% macro default__cells(relation, columns) -%}
    {{ exceptions.raise_compiler_error('linker: tables are not scanned as cells on ' ~ target.type) }}
{%- endmacro %}

{#- Names are quoted here, as `identifier` would: a call for each column of a warehouse takes longer than the rest.
    https://duckdb.org/docs/stable/sql/query_syntax/unnest: lists in one select are unnested side by side. -#}
{% macro duckdb__cells(relation, columns) %}
    {%- set texts, numbers = [], [] %}
    {%- for column in columns %}
    {%- set name = 'scanned."' ~ column['column_name'] | replace('"', '""') ~ '"' %}
    {%- do texts.append(column['text'] | replace('__value__', name)) %}
    {%- do numbers.append(column['number'] | replace('__value__', name)) %}
    {%- endfor %}
    select
        unnest([{{ columns | map(attribute='column_number') | join(', ') }}]) as column_number,
        cast(scanned.rowid as double) as row_order,
        unnest([{{ texts | join(', ') }}]) as value,
        unnest([{{ numbers | join(', ') }}]) as number
    from {{ relation }} as scanned
{% endmacro %}
