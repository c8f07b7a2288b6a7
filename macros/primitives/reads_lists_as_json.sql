{#- Whether the elements of a list come into the sample as one JSON text, for want of a way to collect lists. -#}
{% macro reads_lists_as_json() -%}
    {{ return(adapter.dispatch('reads_lists_as_json', 'linker')()) }}
{%- endmacro %}

{#- Postgres cannot aggregate arrays of unequal length, and Snowflake's arrays are of no type. -#}
{% macro default__reads_lists_as_json() -%}
    {{ return(true) }}
{%- endmacro %}

{% macro duckdb__reads_lists_as_json() -%}
    {{ return(false) }}
{%- endmacro %}

{% macro bigquery__reads_lists_as_json() -%}
    {{ return(false) }}
{%- endmacro %}
