{#- A column that not all members of a family have, or a null of its type where `name` is none, so that both may stand in one
    column of a union. -#}
{% macro column_of_some(name, data_type) -%}
    {{ return(adapter.dispatch('column_of_some', 'linker')(name, data_type)) }}
{%- endmacro %}

{% macro default__column_of_some(name, data_type) -%}
    {{ return(name or 'cast(null as ' ~ data_type ~ ')') }}
{%- endmacro %}

{#- An enumeration and a composite type are spelled by what is in them, see `postgres__discover_columns`.
    https://www.postgresql.org/docs/current/typeconv-union-case.html -#}
{% macro postgres__column_of_some(name, data_type) -%}
    {%- if data_type.startswith('enum(') -%}
        {{ return('cast(' ~ (name or 'null') ~ ' as text' ~ ('[]' if data_type.endswith('[]') else '') ~ ')') }}
    {%- endif -%}
    {{ return(name or 'cast(null as ' ~ modules.re.sub('^struct<(.*)>$', '\\1', data_type) ~ ')') }}
{%- endmacro %}
