{#- Rows of plain values that stand in the statement itself, as a select: texts, whole numbers, true, false and none.
    `types` are the SQL types of the columns by name; each of `rows` is a dict with these names. -#}
{% macro plain_rows(types, rows) -%}
    {{ return(adapter.dispatch('plain_rows', 'linker')(types, rows)) }}
{%- endmacro %}

{% macro default__plain_rows(types, rows) -%}
    {%- set written = [] -%}
    {%- for row in rows -%}
        {%- set values = [] -%}
        {%- for name, data_type in types.items() -%}
            {%- set value = row[name] -%}
            {%- set plain = value is none or value is string -%}
            {%- do values.append('cast(' ~ (linker.literal(value) if plain else value | string | lower) ~ ' as ' ~ data_type ~ ')') -%}
        {%- endfor -%}
        {%- do written.append(values) -%}
    {%- endfor -%}
    {{ return(linker.inline_rows(types.keys() | list, written)) }}
{%- endmacro %}

{#- A value of a statement is planned by itself, a hundred rows in six milliseconds; one text of JSON is not.
    https://duckdb.org/docs/stable/data/json/json_functions#transforming-json-to-nested-types -#}
{% macro duckdb__plain_rows(types, rows) %}
    select unnest(from_json({{ linker.literal(tojson(rows)) }}, {{ linker.literal(tojson([types])) }}), recursive := true)
{% endmacro %}
