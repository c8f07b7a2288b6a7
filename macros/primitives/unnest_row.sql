{#-
    One wide row made long: a select of column_number and one column for each measure, from a relation of one row.
    `measured` is a list of {column_number, values: {measure: SQL over that row}}, the same measures in each.
-#}
{% macro unnest_row(relation, measured) -%}
    {{ return(adapter.dispatch('unnest_row', 'linker')(relation, measured)) }}
{%- endmacro %}

{#- `case` over the numbers reads the row once in every warehouse. -#}
{% macro default__unnest_row(relation, measured) %}
    select
        numbers.column_number
        {%- for name in measured[0]['values'] %},
        case numbers.column_number
            {%- for row in measured %}
            when {{ row.column_number }} then {{ row['values'][name] }}
            {%- endfor %}
        end as {{ name }}
        {%- endfor %}
    from {{ relation }}
    cross join (
        {%- for row in measured %}
        select {{ row.column_number }} as column_number{{ ' union all' if not loop.last }}
        {%- endfor %}
    ) as numbers
{% endmacro %}

{#- Lists side by side are planned in a tenth of the time of a `case` with a branch a column.
    https://duckdb.org/docs/stable/sql/query_syntax/unnest -#}
{% macro duckdb__unnest_row(relation, measured) %}
    select
        unnest([{{ measured | map(attribute='column_number') | join(', ') }}]) as column_number
        {%- for name in measured[0]['values'] %},
        unnest([
            {%- for row in measured %}{{ row['values'][name] }}{{ ', ' if not loop.last }}{% endfor -%}
        ]) as {{ name }}
        {%- endfor %}
    from {{ relation }}
{% endmacro %}
