{#- The name of the 8-byte floating-point type. -#}
{% macro double_type() -%}
    {{ return(adapter.dispatch('double_type', 'linker')()) }}
{%- endmacro %}

{% macro default__double_type() -%}
    {{ return('double precision') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#floating_point_types -#}
{% macro bigquery__double_type() -%}
    {{ return('float64') }}
{%- endmacro %}
