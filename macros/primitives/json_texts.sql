{#- The texts of a JSON array of strings, which is written as text in a column of a relation: all its columns, and `element`. -#}
{% macro json_texts(relation, expression) -%}
    {{ return(adapter.dispatch('json_texts', 'linker')(relation, expression)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-json.html#FUNCTIONS-JSON-PROCESSING-TABLE -#}
{% macro default__json_texts(relation, expression) %}
    select listed.*, elements.element
    from {{ relation }} as listed
    cross join lateral json_array_elements_text(cast({{ expression }} as json)) as elements (element)
{% endmacro %}

{#- https://duckdb.org/docs/stable/data/json/json_functions#transforming-json-to-nested-types -#}
{% macro duckdb__json_texts(relation, expression) %}
    select listed.*, unnest(from_json({{ expression }}, '["VARCHAR"]')) as element
    from {{ relation }} as listed
{% endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/flatten -#}
{% macro snowflake__json_texts(relation, expression) %}
    select listed.*, cast(elements.value as varchar) as element
    from {{ relation }} as listed
    cross join lateral flatten(input => parse_json({{ expression }})) as elements
{% endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_value_array -#}
{% macro bigquery__json_texts(relation, expression) %}
    select listed.*, element
    from {{ relation }} as listed
    cross join unnest(json_value_array({{ expression }})) as element
{% endmacro %}
