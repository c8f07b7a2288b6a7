{#- A floating-point number whose zero has no sign: -0.0 and 0.0 are one value, and would be two texts. NUMERIC has none. -#}
{% macro plain_zero(value, data_type) -%}
    {%- set may_be_signed = linker.is_floating(data_type) and not (data_type | lower).startswith('numeric') -%}
    {{ return('case when ' ~ value ~ ' = 0 then 0 else ' ~ value ~ ' end' if may_be_signed else value) }}
{%- endmacro %}
