{#- How much of a table is read: all of it up to full_scan_rows, a sample of its blocks above. -#}
{% macro read_percent(row_count) -%}
    {%- set limit = var('full_scan_rows', 100000000) -%}
    {{ return(100 if row_count is none or row_count <= limit else (100.0 * limit / row_count) | round(4)) }}
{%- endmacro %}
