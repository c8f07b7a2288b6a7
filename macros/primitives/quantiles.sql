{#- 21 quantiles of a number in steps of 5 %, each a value that occurs, as the text of a JSON array. -#}
{% macro quantiles(expression) -%}
    {{ return(adapter.dispatch('quantiles', 'linker')(expression)) }}
{%- endmacro %}

{% macro _quantile_steps() -%}
    {%- set steps = [] -%}
    {%- for step in range(21) -%}
        {%- do steps.append((step * 5 / 100) | round(2)) -%}
    {%- endfor -%}
    {{ return(steps) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-aggregate.html#FUNCTIONS-ORDEREDSET-TABLE -#}
{% macro default__quantiles(expression) -%}
    {{ return(
        'cast(to_json(percentile_disc(array[' ~ linker._quantile_steps() | join(', ')
        ~ ']) within group (order by ' ~ expression ~ ')) as text)'
    ) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/aggregates#quantile_discx-pos -#}
{% macro duckdb__quantiles(expression) -%}
    {{ return(
        'cast(to_json(quantile_disc(' ~ expression ~ ', [' ~ linker._quantile_steps() | join(', ') ~ '])) as varchar)'
    ) }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/percentile_disc takes one share at a time. -#}
{% macro snowflake__quantiles(expression) -%}
    {%- set each = [] -%}
    {%- for step in linker._quantile_steps() -%}
        {%- do each.append('percentile_disc(' ~ step ~ ') within group (order by ' ~ expression ~ ')') -%}
    {%- endfor -%}
    {{ return('to_json(array_construct(' ~ each | join(', ') ~ '))') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/approximate_aggregate_functions#approx_quantiles -#}
{% macro bigquery__quantiles(expression) -%}
    {{ return('to_json_string(approx_quantiles(' ~ expression ~ ', 20))') }}
{%- endmacro %}
