{#-
    Prints as one line of JSON for `linker profile`: the plan, unresolved failures, and the tables read in the given
    runs.
-#}
{% macro report_plan(run_ids=[], join_error='') -%}
    {%- set tables = [] -%}
    {%- set plan %}
    select schema_name, table_name, state, reason, is_due, row_count, byte_count, members
    from {{ linker.artifact('linker_plan') }}
    order by schema_name, table_name
    {%- endset -%}
    {%- for row in run_query(plan).rows -%}
        {%- do tables.append({
            'schema': row[0], 'table': row[1], 'state': row[2], 'reason': row[3], 'is_due': row[4] | string | lower in ['true', '1'],
            'rows': row[5] | int if row[5] is not none else none, 'bytes': row[6] | int if row[6] is not none else none,
            'members': fromjson(row[7]) | length,
        }) -%}
    {%- endfor -%}
    {%- set failures, read, again = [], {}, [] -%}
    {%- if run_ids -%}
        {%- set failed_tables %}
    select schema_name, table_name, max(message)
    from (
        select schema_name, table_name, message
        from {{ linker.artifact('linker_attempts') }}
        where event = 'failed' and run_id in ({{ linker._literals(run_ids) }})

        union all

        select schema_name, table_name, substr(reason, length('it failed before: ') + 1) as message
        from {{ linker.artifact('linker_plan') }}
        where rule = 'failed'
    ) as failed
    group by schema_name, table_name
    order by schema_name, table_name
        {%- endset -%}
        {%- for row in run_query(failed_tables).rows -%}
            {%- do failures.append({'schema': row[0], 'table': row[1], 'message': row[2]}) -%}
        {%- endfor -%}
        {#- Pairs of columns that failed alone since these runs started, and are unmeasured. -#}
        {%- set failed_joins %}
    select from_schema, from_table, from_columns, to_schema, to_table, to_columns
    from {{ linker.artifact('linker_join_measures') }}
    group by {{ linker.join_measure_columns()[:10] | join(', ') }}
    having
        count(sampled_values) = 0
        and count(*) > 1
        and max(measured_at) >= (
            select min(happened_at) from {{ linker.artifact('linker_attempts') }}
            where run_id in ({{ linker._literals(run_ids) }})
        )
    order by from_schema, from_table, from_columns, to_schema, to_table, to_columns
        {%- endset -%}
        {%- for row in run_query(failed_joins).rows -%}
            {%- set words = fromjson(row[2]) | join(', ') ~ ' could not be compared with ' ~ row[3] ~ '.' ~ row[4] ~ '.' ~ fromjson(row[5]) | join(', ') -%}
            {%- do failures.append({'schema': row[0], 'table': row[1], 'message': words ~ (': ' ~ join_error if join_error else '')}) -%}
        {%- endfor -%}
        {%- set sums %}
    select coalesce(sum(statement_count), 0), coalesce(sum(rows_read), 0), coalesce(sum(bytes_read), 0)
    from {{ linker.artifact('linker_attempts') }}
    where run_id in ({{ linker._literals(run_ids) }})
        {%- endset -%}
        {%- set row = run_query(sums).rows[0] -%}
        {%- do read.update({'statements': row[0] | int, 'rows_read': row[1] | int, 'bytes_read': row[2] | int}) -%}
        {%- do linker.watch('journal', linker.watched_journal(linker.artifact('linker_attempts'), linker.artifacts())) -%}
        {%- for row in run_query(linker.due_again()).rows -%}
            {%- do again.append({'schema': row[0], 'table': row[1], 'rule': row[2], 'at': row[3] | float}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ log('linker: report ' ~ tojson({
        'tables': tables, 'failures': failures, 'dbt_runs': run_ids, 'read': read, 'due_again': again,
    }), info=true) }}
{%- endmacro %}
