{#- Whether `create_table_as` of dbt replaces a table that is there; elsewhere it is dropped before, in one transaction. -#}
{% macro replaces_tables() -%}
    {{ return(adapter.dispatch('replaces_tables', 'linker')()) }}
{%- endmacro %}

{% macro default__replaces_tables() -%}
    {{ return(false) }}
{%- endmacro %}

{% macro snowflake__replaces_tables() -%}
    {{ return(true) }}
{%- endmacro %}

{% macro bigquery__replaces_tables() -%}
    {{ return(true) }}
{%- endmacro %}
