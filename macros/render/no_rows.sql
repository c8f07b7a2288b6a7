{#- A select of no row, with the columns and types that a model's yml promises: the shape of a journal. -#}
{% macro no_rows(node) -%}
    select
        {%- for column in linker.contract_of(node) %}
        cast(null as {{ column.data_type }}) as {{ column.name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (select 1 as one) as nothing
    where 1 = 0
{%- endmacro %}
