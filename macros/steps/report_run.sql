{#-
    Says in a line what a run of dbt left undone of the profiles, and what comes next; nothing where it built none of our
    models. A table that ended a scan is named, and its error is kept for the next run, which leaves it out.
-#}
{% macro report_run(results) -%}
    {%- set own = [] -%}
    {%- set failed = {} -%}
    {%- set others = [] -%}
    {%- for result in results if execute and result.node.package_name == 'linker' and result.node.resource_type == 'model' -%}
        {%- do own.append(result.node.name) -%}
        {%- if result.node.config.materialized not in ['artifact', 'journal'] -%}
            {%- do others.append(result.node) -%}
        {%- endif -%}
        {%- if result.status | string == 'error' -%}
            {%- do failed.update({result.node.name: result.message}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if others and linker.is_idle() -%}
        {%- do log(linker._sets_materialized(others[0]), info=true) -%}
    {%- elif own and linker.is_idle() -%}
        {%- do log(
            'linker: profiles not updated in this run; next: dbt run --select package:linker, or linker refresh', info=true
        ) -%}
    {%- elif 'linker_runs' in failed -%}
        {%- do linker._report_failed_scan(failed['linker_runs']) -%}
    {%- elif 'linker_joins' in failed -%}
        {%- do linker._report_failed_join() -%}
    {%- elif 'linker_runs' in own and not failed -%}
        {%- do linker._report_other_databases() -%}
        {%- do log("linker: profiled; next: linker index, then linker ask \"…\"", info=true) -%}
    {%- endif -%}
{%- endmacro %}

{#- A try at a pair of columns that came to nothing in this run; without one the model itself failed. -#}
{% macro _report_failed_join() -%}
    {%- set pair = linker.join_measure_columns()[:10] | join(', ') -%}
    {%- set tried -%}
        select {{ pair }}
        from {{ linker.artifact('linker_join_measures') }}
        group by {{ pair }}
        having count(sampled_values) = 0 and max(measured_at) >= {{ linker.hours_ago(0) }}
        limit 1
    {%- endset -%}
    {%- if run_query(tried).rows -%}
        {%- do log('linker: a join could not be measured; what was measured stays, and the next run goes on behind it', info=true) -%}
        {%- do log('linker: repeatable') -%}
    {%- endif -%}
{%- endmacro %}

{#- Of several tables that shared a statement nobody knows which it was: they stay unfinished, and are scanned alone next. -#}
{% macro _report_failed_scan(message) -%}
    {%- set scans, attempts = linker.artifact('linker_scans'), linker.artifact('linker_attempts') -%}
    {%- set unfinished = run_query(linker._unfinished_attempts(attempts)).rows -%}
    {%- if unfinished | length == 1 -%}
        {%- set row = unfinished[0] -%}
        {%- set table = {
            'database_name': row[1], 'schema_name': row[2], 'table_name': row[3], 'fingerprint': row[4],
            'row_count': none, 'byte_count': none,
        } -%}
        {%- set name = row[2] ~ '.' ~ row[3] -%}
        {%- set words = linker._words_of_warehouse(message) -%}
        {%- do linker._execute(linker.attempt_events(attempts, 'failed', [{'attempt_id': row[0], 'table': table}], words)) -%}
        {%- do log(
            'linker: ' ~ name ~ ' could not be scanned: ' ~ words ~ '; what was finished stays, and the next run goes on '
            ~ 'behind it; to leave it out: vars: {linker: {exclude_tables: ["' ~ name ~ '"]}}', info=true
        ) -%}
    {%- elif unfinished -%}
        {%- set names = [] -%}
        {%- for row in unfinished -%}
            {%- do names.append(row[2] ~ '.' ~ row[3]) -%}
        {%- endfor -%}
        {%- do log(
            'linker: one of these could not be scanned, and the next run scans each alone: ' ~ names | join(', '), info=true
        ) -%}
    {%- endif -%}
    {%- do linker._forget_older_scans(scans, attempts) -%}
    {%- do linker._commit() -%}
    {%- if unfinished -%}
        {#- `linker refresh` runs again at once: what failed is known now. -#}
        {%- do log('linker: repeatable') -%}
    {%- endif -%}
{%- endmacro %}

{% macro _unfinished_attempts(attempts) %}
    select attempt_id, database_name, schema_name, table_name, fingerprint
    from {{ attempts }}
    where run_id = {{ linker.literal(invocation_id) }} and attempt_id is not null
    group by attempt_id, database_name, schema_name, table_name, fingerprint
    having max(case when event in ('finished', 'failed') then 1 else 0 end) = 0
    order by schema_name, table_name
{% endmacro %}

{#- What the warehouse said, in one line: without the words that dbt puts around it, and without values. -#}
{% macro _words_of_warehouse(message) -%}
    {%- set words = [] -%}
    {%- for line in (message | string).split('LINE ')[0].splitlines() if line | trim -%}
        {%- set is_heading = (line | trim).startswith('compiled code at') or ' Error in ' in line -%}
        {%- if not is_heading -%}
            {%- do words.append(line | trim) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(run_query('select ' ~ linker._without_values(linker.literal(words | join(' ')))).rows[0][0]) }}
{%- endmacro %}

{#- Says which models and sources of the project lie in other databases than that of the target: a target reads one. -#}
{% macro _report_other_databases() -%}
    {%- set found = {'model': [], 'source': []} -%}
    {%- for node in linker.project_graph().tables.values() if (node.database or target.database) | lower != target.database | lower -%}
        {%- do found['source' if node.resource_type == 'source' else 'model'].append(node.database) -%}
    {%- endfor -%}
    {%- set counts = [] -%}
    {%- for kind, databases in found.items() if databases -%}
        {%- do counts.append(databases | length ~ ' ' ~ kind ~ ('s' if databases | length > 1 else '')) -%}
    {%- endfor -%}
    {%- if counts -%}
        {%- do log(
            'linker: not profiled: ' ~ counts | join(' and ') ~ ' in other databases ('
            ~ (found['model'] + found['source']) | unique | sort | join(', ')
            ~ '); add a target with that database to profiles.yml and run it with --target', info=true
        ) -%}
    {%- endif -%}
{%- endmacro %}
