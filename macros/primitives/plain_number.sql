{#- A number as one value is always written: -0.0 and 0.0, 1.50 and 1.5 are one value, and would be two texts. -#}
{% macro plain_number(value, data_type) -%}
    {{ return(adapter.dispatch('plain_number', 'linker')(value, data_type)) }}
{%- endmacro %}

{#- NUMERIC has no zero with a sign. -#}
{% macro default__plain_number(value, data_type) -%}
    {%- set may_be_signed = linker.is_floating(data_type) and not (data_type | lower).startswith('numeric') -%}
    {{ return('case when ' ~ value ~ ' = 0 then 0 else ' ~ value ~ ' end' if may_be_signed else value) }}
{%- endmacro %}

{#- Where the type says no scale, each value keeps its own.
    https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-NUMERIC-DECIMAL
    https://www.postgresql.org/docs/current/functions-math.html -#}
{% macro postgres__plain_number(value, data_type) -%}
    {{ return('trim_scale(' ~ value ~ ')' if data_type == 'numeric' else linker.default__plain_number(value, data_type)) }}
{%- endmacro %}
