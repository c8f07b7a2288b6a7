{#- A column's value in the form in which the smallest and the largest are looked for. -#}
{% macro comparable(column) -%}
    {%- if linker.is_floating(column.data_type) -%}
        {{ return(linker.finite(column.value)) }}
    {%- elif linker.type_name(column.data_type) == 'enum' -%}
        {{ return(linker.place_in_order(column.value, column.data_type)) }}
    {%- elif linker.has_own_order(column.data_type) -%}
        {{ return(column.value) }}
    {%- endif -%}
    {{ return(linker.as_written(column)) }}
{%- endmacro %}

{#- A column's value, as text where its type is one only once it is cast. -#}
{% macro as_written(column) -%}
    {%- if column.value_kind == 'text' and linker.is_written_as_text(column.data_type) -%}
        {{ return(linker.as_text(column.value, 'text')) }}
    {%- endif -%}
    {{ return(column.value) }}
{%- endmacro %}
