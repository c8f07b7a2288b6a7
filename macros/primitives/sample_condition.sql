{#- The condition that lets about `share` of the rows into the sample: a number, or for a view an expression. -#}
{% macro sample_condition(share, table_kind) -%}
    {{ return('true' if share is number and share >= 1 else adapter.dispatch('sample_condition', 'linker')(share, table_kind)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-math.html#FUNCTIONS-MATH-RANDOM-TABLE -#}
{% macro default__sample_condition(share, table_kind) -%}
    {{ return('random() < ' ~ share) }}
{%- endmacro %}

{#- A digest of the row's number gives the same sample every time; a view has no row numbers.
    https://duckdb.org/docs/stable/sql/functions/utility#hashvalue -#}
{% macro duckdb__sample_condition(share, table_kind) -%}
    {{ return(
        'random() < ' ~ share if table_kind == 'view'
        else 'hash(rowid) % 1000000 < ' ~ (share * 1000000) | round(0, 'ceil') | int
    ) }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/uniform -#}
{% macro snowflake__sample_condition(share, table_kind) -%}
    {{ return('uniform(0::float, 1::float, random()) < ' ~ share) }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#rand -#}
{% macro bigquery__sample_condition(share, table_kind) -%}
    {{ return('rand() < ' ~ share) }}
{%- endmacro %}
