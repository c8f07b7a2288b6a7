{#- The values of a group with their counts, the most frequent first, as the text of [{"value": …, "count": …}]. -#}
{% macro counted_list(value, count) -%}
    {{ return(adapter.dispatch('counted_list', 'linker')(value, count)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-json.html -#}
{% macro default__counted_list(value, count) -%}
    {{ return(
        "'[' || string_agg('{\"value\":' || to_json(" ~ value ~ ") || ',\"count\":' || " ~ count ~ " || '}', ',' order by "
        ~ count ~ ' desc, ' ~ value ~ ") || ']'"
    ) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/data/json/json_functions -#}
{% macro duckdb__counted_list(value, count) -%}
    {{ return(
        "cast(to_json(list({'value': " ~ value ~ ", 'count': cast(" ~ count ~ ' as bigint)} order by '
        ~ count ~ ' desc, ' ~ value ~ ')) as varchar)'
    ) }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/object_construct -#}
{% macro snowflake__counted_list(value, count) -%}
    {{ return(
        "to_json(array_agg(object_construct('value', " ~ value ~ ", 'count', " ~ count ~ ')) within group (order by '
        ~ count ~ ' desc, ' ~ value ~ '))'
    ) }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#to_json_string -#}
{% macro bigquery__counted_list(value, count) -%}
    {{ return(
        'to_json_string(array_agg(struct(' ~ value ~ ' as value, ' ~ count ~ ' as count) order by '
        ~ count ~ ' desc, ' ~ value ~ '))'
    ) }}
{%- endmacro %}
