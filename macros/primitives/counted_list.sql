{#- The values of a group with their counts, the most frequent first, as the text of [{"value": …, "count": …}]; with
    `members`, a JSON array or null, where that is given and not null. -#}
{% macro counted_list(value, count, members=none) -%}
    {{ return(adapter.dispatch('counted_list', 'linker')(value, count, members)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-json.html -#}
{% macro default__counted_list(value, count, members) -%}
    {{ return(linker._written_list('to_json(' ~ value ~ ')', count, value, count, members)) }}
{%- endmacro %}

{% macro _written_list(written_value, written_count, value, count, members) -%}
    {%- set more = " || coalesce(',\"members\":' || " ~ members ~ ", '')" if members else '' -%}
    {{ return(
        "'[' || string_agg('{\"value\":' || " ~ written_value ~ " || ',\"count\":' || " ~ written_count ~ more
        ~ " || '}', ',' order by " ~ count ~ ' desc, ' ~ value ~ ") || ']'"
    ) }}
{%- endmacro %}

{#- Lists of records are quicker, but write what is null.
    https://duckdb.org/docs/stable/data/json/json_functions -#}
{% macro duckdb__counted_list(value, count, members) -%}
    {%- if members -%}
        {{ return(linker._written_list('to_json(' ~ value ~ ')', count, value, count, members)) }}
    {%- endif -%}
    {{ return(
        "cast(to_json(list({'value': " ~ value ~ ", 'count': cast(" ~ count ~ ' as bigint)} order by '
        ~ count ~ ' desc, ' ~ value ~ ')) as varchar)'
    ) }}
{%- endmacro %}

{#- A pair of which the value is null is left out. https://docs.snowflake.com/en/sql-reference/functions/object_construct -#}
{% macro snowflake__counted_list(value, count, members) -%}
    {{ return(
        "to_json(array_agg(object_construct('value', " ~ value ~ ", 'count', " ~ count
        ~ (", 'members', parse_json(" ~ members ~ ')' if members else '') ~ ')) within group (order by '
        ~ count ~ ' desc, ' ~ value ~ '))'
    ) }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#to_json_string -#}
{% macro bigquery__counted_list(value, count, members) -%}
    {%- if members -%}
        {{ return(linker._written_list(
            'to_json_string(' ~ value ~ ')', 'cast(' ~ count ~ ' as string)', value, count, members
        )) }}
    {%- endif -%}
    {{ return(
        'to_json_string(array_agg(struct(' ~ value ~ ' as value, ' ~ count ~ ' as count) order by '
        ~ count ~ ' desc, ' ~ value ~ '))'
    ) }}
{%- endmacro %}
