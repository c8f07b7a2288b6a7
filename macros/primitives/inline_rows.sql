{#- Rows that stand in the statement itself, as a select. `rows` is a list of lists of SQL. -#}
{% macro inline_rows(column_names, rows) -%}
    {{ return(adapter.dispatch('inline_rows', 'linker')(column_names, rows)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/queries-values.html, https://docs.snowflake.com/en/sql-reference/constructs/values -#}
{% macro default__inline_rows(column_names, rows) %}
    select {{ column_names | join(', ') }}
    from (
        values
        {%- for row in rows %}
        ({{ row | join(', ') }}){{ ',' if not loop.last }}
        {%- endfor %}
    ) as inline_rows ({{ column_names | join(', ') }})
{% endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/arrays#constructing_arrays -#}
{% macro bigquery__inline_rows(column_names, rows) %}
    select {{ column_names | join(', ') }}
    from unnest([
        {%- for row in rows %}
        {%- set first = loop.first %}
        struct(
            {%- for value in row -%}
            {{ value }}{{ ' as ' ~ column_names[loop.index0] if first }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ){{ ',' if not loop.last }}
        {%- endfor %}
    ])
{% endmacro %}
