{#- A value of an enumeration in a form of which there is a smallest and a largest, and the value of that form again. -#}
{% macro place_in_order(expression, data_type) -%}
    {{ return(adapter.dispatch('place_in_order', 'linker')(expression, data_type)) }}
{%- endmacro %}

{% macro value_at_place(expression, data_type) -%}
    {{ return(adapter.dispatch('value_at_place', 'linker')(expression, data_type)) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/data_types/enum#comparison-of-enums -#}
{% macro default__place_in_order(expression, data_type) -%}
    {{ return(expression) }}
{%- endmacro %}

{% macro default__value_at_place(expression, data_type) -%}
    {{ return(expression) }}
{%- endmacro %}

{#- There is no `min` over a domain of an enumeration, and in a family they may be texts: the place among the labels counts.
    https://www.postgresql.org/docs/current/functions-array.html -#}
{% macro postgres__place_in_order(expression, data_type) -%}
    {{ return('array_position(' ~ linker._array_of_labels(data_type) ~ ', cast(' ~ expression ~ ' as text))') }}
{%- endmacro %}

{% macro postgres__value_at_place(expression, data_type) -%}
    {{ return('(' ~ linker._array_of_labels(data_type) ~ ')[' ~ expression ~ ']') }}
{%- endmacro %}

{% macro _array_of_labels(data_type) -%}
    {{ return('cast(array[' ~ data_type[5:-1] ~ '] as text[])') }}
{%- endmacro %}
