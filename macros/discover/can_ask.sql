{#- Whether the warehouse may be asked while SQL is rendered: not where a whole project is compiled, or described. -#}
{% macro can_ask() -%}
    {%- if not execute or not flags.INTROSPECT -%}
        {{ return(false) }}
    {%- endif -%}
    {{ return(not (flags.WHICH in ['compile', 'generate'] and linker.runs_beside_others())) }}
{%- endmacro %}
