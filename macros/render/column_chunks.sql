{#- The columns of a table in the portions that one statement scans; the paths inside a column stay with it. -#}
{% macro column_chunks(columns) -%}
    {%- set chunks = [] -%}
    {%- for column in columns -%}
        {%- if column.depth == 0 and (not chunks or chunks[-1] | length >= var('columns_per_statement', 100)) -%}
            {%- do chunks.append([]) -%}
        {%- endif -%}
        {%- do chunks[-1].append(column) -%}
    {%- endfor -%}
    {{ return(chunks) }}
{%- endmacro %}

{#- How much of a table is read: all of it up to full_scan_rows, a sample of its blocks above. -#}
{% macro read_percent(row_count) -%}
    {%- set limit = var('full_scan_rows', 100000000) -%}
    {{ return(100 if row_count is none or row_count <= limit else (100.0 * limit / row_count) | round(4)) }}
{%- endmacro %}
