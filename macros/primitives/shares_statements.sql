{#- Whether several small tables are scanned in one statement. -#}
{% macro shares_statements() -%}
    {{ return(adapter.dispatch('shares_statements', 'linker')()) }}
{%- endmacro %}

{#- Where an error is caught and recorded table by table, each table has a statement of its own, and lanes run side by side. -#}
{% macro default__shares_statements() -%}
    {{ return(false) }}
{%- endmacro %}

{% macro duckdb__shares_statements() -%}
    {{ return(true) }}
{%- endmacro %}
