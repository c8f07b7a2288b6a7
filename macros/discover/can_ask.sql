{#- Whether the warehouse may be asked while SQL is rendered: not for `dbt compile` and `dbt docs generate` of a project. -#}
{% macro can_ask() -%}
    {{ return(execute and flags.INTROSPECT and flags.WHICH not in ['compile', 'generate']) }}
{%- endmacro %}
