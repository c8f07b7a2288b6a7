{#- A select of no row, with the columns and types that a model's yml promises: the shape of a journal. -#}
{% macro no_rows(node) -%}
    {%- if execute and not linker.is_idle() and node.config.materialized != 'journal' -%}
        {{ exceptions.raise_compiler_error(
            'linker: dbt_project.yml sets `materialized` for the models of all packages, and so for journals of linker; '
            ~ 'put it under the name of your project: `models: {' ~ project_name ~ ': {+materialized: ' ~ node.config.materialized ~ '}}`'
        ) }}
    {%- endif %}
    select
        {%- for column in linker.contract_of(node) %}
        cast(null as {{ column.data_type }}) as {{ column.name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (select 1 as one) as nothing
    where 1 = 0
{%- endmacro %}
