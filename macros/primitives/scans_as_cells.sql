{#- Whether small tables are scanned together as cells, see `cells`; elsewhere each has an aggregate row of its own. -#}
{% macro scans_as_cells() -%}
    {{ return(adapter.dispatch('scans_as_cells', 'linker')()) }}
{%- endmacro %}

{#- Not measured there: Postgres plans a statement of a hundred columns in a tenth of the time, and the warehouses bill by
    what is read. -#}
{% macro default__scans_as_cells() -%}
    {{ return(false) }}
{%- endmacro %}

{#- To plan the aggregates of a column takes DuckDB longer than to read its thousand values. -#}
{% macro duckdb__scans_as_cells() -%}
    {{ return(true) }}
{%- endmacro %}
