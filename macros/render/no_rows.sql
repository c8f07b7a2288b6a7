{#-
    A select of no row, with the columns and types that a model's yml promises: the shape of a journal. Where a project
    makes tables of the models of all packages, it is the rows that are there.
-#}
{% macro no_rows(node) -%}
    {%- set is_others = execute and node.config.materialized not in ['artifact', 'journal'] -%}
    {%- if is_others and not linker.is_idle() -%}
        {{ exceptions.raise_compiler_error(linker._sets_materialized(node)) }}
    {%- endif %}
    {%- set is_kept = is_others and node.config.materialized == 'table' and load_cached_relation(this) is not none %}
    select
        {%- for column in linker.contract_of(node) %}
        {% if is_kept %}{{ column.name }}{% else %}cast(null as {{ column.data_type }}) as {{ column.name }}{% endif %}{{ ',' if not loop.last }}
        {%- endfor %}
    {%- if is_kept %}
    from {{ this }}
    {%- else %}
    from (select 1 as one) as nothing
    where 1 = 0
    {%- endif %}
{%- endmacro %}

{% macro _sets_materialized(node) -%}
    {{ return(
        'linker: dbt_project.yml sets `materialized` for the models of all packages, which keeps no profile; put it under the'
        ~ ' name of your project: `models: {' ~ project_name ~ ': {+materialized: ' ~ node.config.materialized ~ '}}`'
    ) }}
{%- endmacro %}
