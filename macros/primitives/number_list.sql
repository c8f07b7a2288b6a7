{#- A JSON array of numbers that is written as text, as `list_number` takes numbers out of it. -#}
{% macro number_list(expression) -%}
    {{ return(adapter.dispatch('number_list', 'linker')(expression)) }}
{%- endmacro %}

{#- The text itself, which `list_number` reads. -#}
{% macro default__number_list(expression) -%}
    {{ return(expression) }}
{%- endmacro %}

{#- A list, read once: DuckDB would read the text for each number, which takes a third of L3 and twice the memory.
    https://duckdb.org/docs/stable/data/json/json_type -#}
{% macro duckdb__number_list(expression) -%}
    {{ return('cast(cast(' ~ expression ~ ' as json) as double[])') }}
{%- endmacro %}
