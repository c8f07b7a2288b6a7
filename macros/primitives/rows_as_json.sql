{#- A select of all rows of a query, in the order of these columns, as one text: a JSON array of objects; none where rows are
    read as they are. -#}
{% macro rows_as_json(query, order_by) -%}
    {{ return(adapter.dispatch('rows_as_json', 'linker')(query, order_by)) }}
{%- endmacro %}

{% macro default__rows_as_json(query, order_by) -%}
    {{ return(none) }}
{%- endmacro %}

{#- dbt looks at each value of a result to tell the types of its columns, which takes a second for 20,000 rows.
    https://duckdb.org/docs/stable/data/json/json_functions, https://duckdb.org/docs/stable/sql/functions/aggregates#order-by-clause-in-aggregate-functions -#}
{% macro duckdb__rows_as_json(query, order_by) %}
    select cast(to_json(coalesce(list(found order by {{ order_by | join(', ') }}), [])) as varchar) as found
    from (
{{ query }}
    ) as found
{% endmacro %}
