{#- A value in a type and form of which the text is the one that is kept: -0.0 and 0.0, 1.50 and 1.5 are one number, and
    would be two texts. Of most types it is the value itself. -#}
{% macro plain_value(value, data_type) -%}
    {{ return(adapter.dispatch('plain_value', 'linker')(value, data_type)) }}
{%- endmacro %}

{#- NUMERIC has no zero with a sign. -#}
{% macro default__plain_value(value, data_type) -%}
    {%- set may_be_signed = linker.is_floating(data_type) and not (data_type | lower).startswith('numeric') -%}
    {{ return('case when ' ~ value ~ ' = 0 then 0 else ' ~ value ~ ' end' if may_be_signed else value) }}
{%- endmacro %}

{#- A variant's own text is not JSON. https://duckdb.org/docs/stable/sql/data_types/variant -#}
{% macro duckdb__plain_value(value, data_type) -%}
    {{ return('to_json(' ~ value ~ ')' if data_type | lower == 'variant' else linker.default__plain_value(value, data_type)) }}
{%- endmacro %}

{#- Where the type says no scale, each value keeps its own.
    https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-NUMERIC-DECIMAL
    https://www.postgresql.org/docs/current/functions-math.html
    The text of money is that of the server's country, and neither money nor an oid can be cast to a float.
    https://www.postgresql.org/docs/current/datatype-money.html, https://www.postgresql.org/docs/current/datatype-oid.html -#}
{% macro postgres__plain_value(value, data_type) -%}
    {%- set casts = {'money': 'numeric', 'money[]': 'numeric[]', 'oid': 'bigint', 'oid[]': 'bigint[]'} -%}
    {%- if data_type in casts -%}
        {{ return('cast(' ~ value ~ ' as ' ~ casts[data_type] ~ ')') }}
    {%- elif data_type == 'numeric' -%}
        {{ return('trim_scale(' ~ value ~ ')') }}
    {%- endif -%}
    {{ return(linker.default__plain_value(value, data_type)) }}
{%- endmacro %}
