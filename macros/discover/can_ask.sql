{#- Whether the warehouse may be asked while SQL is rendered. -#}
{% macro can_ask() -%}
    {{ return(execute and flags.INTROSPECT) }}
{%- endmacro %}
