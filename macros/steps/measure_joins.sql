{#-
    Measures unmeasured join candidates: the share of sampled values of the referencing side found in the key.
    Results are committed to the journal, a few pairs per statement. Hook before `linker_joins`. A failure costs
    only its pair: failed attempts are rows without numbers; the pairs of a failed statement are retried one by one,
    and one that fails alone waits until one of its tables changes.
-#}
{% macro measure_joins() -%}
    {%- if execute and not linker.is_idle() -%}
        {%- do log('linker: phase measures joins') -%}
        {%- set measures = linker.artifact('linker_join_measures') -%}
        {%- set limit_before = linker.set_time_limit() -%}
        {%- set most_pairs = [var('joins_per_statement', 1000), 1] -%}
        {%- for tries in [0, 1] -%}
            {%- set due = linker.rows_by_name(
                linker._unmeasured_joins(tries),
                ['from_database', 'from_schema', 'from_table', 'from_columns', 'to_schema', 'to_table', 'to_columns']
            ) -%}
            {%- for pairs in linker.join_pairs(due, linker._declared_columns_of(due), most_pairs[tries]) -%}
                {%- set failed_tries = linker.join_tries(measures, pairs) -%}
                {%- set statement = linker.measure_joins_statement(measures, pairs) -%}
                {#-
                    If the warehouse cannot catch errors, or end a statement, the run ends: the attempt is recorded before,
                    and no longer counts once the pair is measured.
                -#}
                {%- if not linker.dialect().guarded or not linker.dialect().time_limit.message -%}
                    {%- do linker._execute(failed_tries) -%}
                    {%- do adapter.commit() -%}
                {%- endif -%}
                {%- for guarded in linker.guarded([statement], failed_tries) -%}
                    {%- do linker._execute(guarded) -%}
                {%- endfor -%}
                {%- do adapter.commit() -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do linker.reset_time_limit(limit_before) -%}
        {#- Obsolete measures: no candidate any more, or a changed table. -#}
        {%- set outdated -%}
            from {{ measures }}
            where not exists (
                select 1
                from {{ linker.artifact('linker_join_candidates') }} as candidates
                where {{ linker.same_join(measures.include(database=false, schema=false), 'candidates') }}
            )
        {%- endset -%}
        {%- if not linker.dialect().only_appends and run_query('select 1 ' ~ outdated ~ ' limit 1').rows | length -%}
            {%- do linker._execute('delete ' ~ outdated) -%}
        {%- endif -%}
        {%- do linker._commit() -%}
    {%- endif -%}
{%- endmacro %}

{#-
    Candidates without a measure for the current state of their tables, with their number of attempts; without
    broken views.
-#}
{% macro _unmeasured_joins(tries) %}
    {%- set pair = linker.join_measure_columns()[:10] %}
    with known as (
        select {{ pair | join(', ') }}, count(*) as tries, count(sampled_values) as measures
        from {{ linker.artifact('linker_join_measures') }}
        group by {{ pair | join(', ') }}
    ),

    broken as (
        {{ linker.broken_views() }}
    )

    select candidates.*
    from {{ linker.artifact('linker_join_candidates') }} as candidates
    left join known on {{ linker.same_join('known', 'candidates') }}
    left join broken as broken_from
        on candidates.from_schema = broken_from.schema_name and candidates.from_table = broken_from.table_name
    left join broken as broken_to
        on candidates.to_schema = broken_to.schema_name and candidates.to_table = broken_to.table_name
    where
        coalesce(known.measures, 0) = 0
        and coalesce(known.tries, 0) = {{ tries }}
        and broken_from.table_name is null
        and broken_to.table_name is null
{% endmacro %}
