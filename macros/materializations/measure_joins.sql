{#-
    Measures the pairs of columns that the model's select gives: how many sampled values of the pointing side the key holds.
    What is measured is added to the journal at once, a few pairs a statement. Leaves no relation of its own.
-#}
{% materialization measure_joins, default %}
    {{ run_hooks(pre_hooks) }}
    {%- set measures = ref('linker_join_measures') -%}
    {%- do linker._execute(linker.outdated_join_measures(measures, ref('linker_join_candidates'))) -%}
    {%- do adapter.commit() -%}

    {%- set in_order = 'from_database, from_schema, from_table, from_columns, to_schema, to_table, to_columns' -%}
    {%- set due = linker.rows_by_name(sql ~ '\norder by ' ~ in_order) -%}
    {%- set declared = linker._declared_columns_of(due) -%}
    {%- set pairs = linker.join_pairs(due, declared) -%}
    {%- for pairs_of_statement in pairs | batch(var('joins_per_statement', 40)) -%}
        {%- do linker._execute(linker.measure_joins_statement(measures, pairs_of_statement)) -%}
        {%- do adapter.commit() -%}
    {%- endfor -%}

    {%- call noop_statement('main', 'MEASURED ' ~ due | length) -%}{%- endcall -%}
    {{ run_hooks(post_hooks) }}
    {%- do linker._commit() -%}
    {{ return({'relations': []}) }}
{% endmaterialization %}
