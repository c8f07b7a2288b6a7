{#- The columns that a model's yml promises, with their types in this warehouse: a list of {name, data_type}. -#}
{% macro contract_of(node) -%}
    {%- set columns = [] -%}
    {%- for column in node.columns.values() -%}
        {%- do columns.append({'name': column.name, 'data_type': api.Column.translate_type(column.data_type)}) -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}
