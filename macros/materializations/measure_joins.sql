{#-
    Measures the pairs of columns that the model's select gives: how many sampled values of the pointing side the key holds.
    What is measured is added to the journal at once, a few pairs a statement. Leaves no relation of its own.
    A pair that cannot be measured costs that pair. Each try that failed is a row of the journal without numbers: the
    pairs of such a statement are tried one by one, and one that failed alone waits until one of its tables changes.
-#}
{% materialization measure_joins, default %}
    {{ run_hooks(pre_hooks) }}
    {%- set measured = 0 if linker.runs_beside_others() else linker.measure_joins(sql) -%}
    {%- call noop_statement('main', 'MEASURED ' ~ measured) -%}{%- endcall -%}
    {{ run_hooks(post_hooks) }}
    {%- do linker._commit() -%}
    {{ return({'relations': []}) }}
{% endmaterialization %}

{#- Measures the pairs that a select gives, and returns how many they were. -#}
{% macro measure_joins(sql) -%}
    {%- set measures = linker.artifact('linker_join_measures') -%}
    {%- set measured = [] -%}
    {%- for tries in [0, 1] -%}
        {%- set due = linker.rows_by_name(
            linker._join_pairs_after(sql, tries),
            ['from_database', 'from_schema', 'from_table', 'from_columns', 'to_schema', 'to_table', 'to_columns']
        ) -%}
        {%- set pairs = linker.join_pairs(due, linker._declared_columns_of(due)) -%}
        {%- for pairs_of_statement in (linker.join_batches(pairs) if tries == 0 else pairs | batch(1)) -%}
            {%- do linker._measure_pairs(measures, pairs_of_statement) -%}
        {%- endfor -%}
        {%- do measured.extend(due) -%}
    {%- endfor -%}
    {%- do linker._forget_outdated_measures(measures, linker.artifact('linker_join_candidates')) -%}
    {{ return(measured | length) }}
{%- endmacro %}

{#- They join no candidate, so nobody reads them: this comes once, at the end of a run. -#}
{% macro _forget_outdated_measures(measures, candidates) -%}
    {%- set outdated = linker.outdated_join_measures(measures, candidates) -%}
    {%- if run_query('select 1 ' ~ outdated ~ ' limit 1').rows | length -%}
        {%- do linker._execute('delete ' ~ outdated) -%}
    {%- endif -%}
{%- endmacro %}

{% macro _join_pairs_after(sql, tries) %}
select * from (
{{ sql }}
) as due
where tries = {{ tries }}
{% endmacro %}

{#- Where the warehouse catches no error, which ends the run, the try is noted before, and forgotten once it is measured. -#}
{% macro _measure_pairs(measures, pairs) -%}
    {%- set tries = linker.join_tries(measures, pairs) -%}
    {%- set statement = linker.measure_joins_statement(measures, pairs) -%}
    {%- if linker.catches_errors() -%}
        {%- for guarded in linker.guarded([statement], tries) -%}
            {%- do linker._execute(guarded) -%}
        {%- endfor -%}
    {%- else -%}
        {%- do linker._execute(tries) -%}
        {%- do adapter.commit() -%}
        {%- do linker._execute(statement) -%}
    {%- endif -%}
    {%- do adapter.commit() -%}
{%- endmacro %}
