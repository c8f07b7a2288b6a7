{#-
    Materialization of a journal: created once, empty, by its contract; later runs append rows. It is recreated by a
    --full-refresh without a selection, and if its columns differ from the contract.
-#}
{% materialization journal, default %}
    {%- set journal = this.incorporate(type='table') -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- do linker.spell_types(model) -%}
    {{ run_hooks(pre_hooks) }}

    {%- set is_full_refresh = should_full_refresh() and not (var('select', []) or var('exclude', [])) -%}
    {%- if existing is not none and (linker.is_idle() or (
        not is_full_refresh and linker.has_columns_of_contract(existing)
    )) -%}
        {%- call noop_statement('main', 'KEPT') -%}{%- endcall -%}
    {%- else -%}
        {%- if existing is not none -%}
            {%- do adapter.drop_relation(existing) -%}
        {%- endif -%}
        {%- call statement('main') -%}
            {%- if linker.dialect().only_appends %}
            create table {{ journal }} {{ get_table_columns_and_constraints() }} {{ file_format_clause() }}
            {%- else %}
            {{ create_table_as(false, journal, sql) }}
            {%- endif %}
        {%- endcall -%}
        {%- do linker._commit() -%}
    {%- endif -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [journal]}) }}
{% endmaterialization %}

{#- Whether the relation is a table with the columns of the contract. -#}
{% macro has_columns_of_contract(relation) -%}
    {%- set names = adapter.get_columns_in_relation(relation) | map(attribute='name') | map('lower') | list -%}
    {{ return(relation.is_table and names == model.columns.keys() | list) }}
{%- endmacro %}
