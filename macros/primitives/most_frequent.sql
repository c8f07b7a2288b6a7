{#- The values of each column that come most often, of equal ones the smallest: a select of column_number, place, value and
    value_count, from a relation with column_number, value, value_count and `condition`: `more` of the columns for which that
    is true, `fewer` of the others. -#}
{% macro most_frequent(relation, condition, more, fewer) -%}
    {{ return(adapter.dispatch('most_frequent', 'linker')(relation, condition, more, fewer)) }}
{%- endmacro %}

{% macro default__most_frequent(relation, condition, more, fewer) %}
    select column_number, place, value, value_count
    from (
        select *, row_number() over (partition by column_number order by value_count desc, value) as place
        from {{ relation }}
    ) as numbered
    where place <= case when {{ condition }} then {{ more }} else {{ fewer }} end
{% endmacro %}

{#- Keeps as many as are asked for and orders no others, in a third of the time.
    https://duckdb.org/docs/stable/sql/functions/aggregates#minarg-n -#}
{% macro duckdb__most_frequent(relation, condition, more, fewer) %}
    {%- set one = "{'before': -value_count, 'value': value}" %}
    select column_number, place, one.value as value, -one.before as value_count
    from (
        select
            column_number,
            unnest(found) as one,
            generate_subscripts(found, 1) as place
        from (
            select
                column_number,
                coalesce(
                    min({{ one }}, {{ more }}) filter (where {{ condition }}),
                    min({{ one }}, {{ fewer }}) filter (where not {{ condition }})
                ) as found
            from {{ relation }}
            group by column_number
        ) as grouped
    ) as unnested
{% endmacro %}
