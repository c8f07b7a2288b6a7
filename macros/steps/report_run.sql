{#-
    Reports in one line the unfinished tables of a dbt run, and the next step; nothing if it built none of our models.
    A table that aborted a scan is named, and its error is stored, so that the next run skips it.
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
    {%- elif 'linker_plan' in failed -%}
        {%- do linker._report_failed_look(failed['linker_plan']) -%}
    {%- elif 'linker_joins' in failed -%}
        {#- A failed attempt at a pair of columns in this run; without one the model itself failed. -#}
        {%- set pair = linker.join_measure_columns()[:10] | join(', ') -%}
        {%- set tried -%}
            select {{ pair }}
            from {{ linker.artifact('linker_join_measures') }}
            group by {{ pair }}
            having count(sampled_values) = 0 and max(measured_at) >= {{ linker.hours_ago(0) }}
            limit 1
        {%- endset -%}
        {%- if run_query(tried).rows -%}
            {%- do log('linker: a join could not be measured; earlier results are kept, and the next run skips it', info=true) -%}
            {%- do log('linker: repeatable') -%}
        {%- endif -%}
    {%- elif 'linker_runs' in own and not failed -%}
        {%- do linker._report_other_databases() -%}
        {%- do log("linker: profiled; next: linker index, then linker ask \"…\"", info=true) -%}
    {%- endif -%}
{%- endmacro %}

{#-
    If several tables shared the statement, the failing one is unknown: they stay unfinished, and are scanned alone
    next time.
-#}
{% macro _report_failed_scan(message, run_id=none) -%}
    {%- set scans, attempts = linker.artifact('linker_scans'), linker.artifact('linker_attempts') -%}
    {%- set unfinished_attempts %}
    select attempt_id, database_name, schema_name, table_name, fingerprint
    from {{ attempts }}
    where run_id = {{ linker.literal(run_id or invocation_id) }} and attempt_id is not null
    group by attempt_id, database_name, schema_name, table_name, fingerprint
    having max(case when event in ('finished', 'failed') then 1 else 0 end) = 0
    order by schema_name, table_name
    {%- endset -%}
    {%- set unfinished = run_query(unfinished_attempts).rows -%}
    {#- Finished scans with unanswered queries; 1 if about keys. -#}
    {%- set unanswered_attempts %}
    select
        attempt_id, database_name, schema_name, table_name, fingerprint,
        sum(case event when 'confirming' then 1 when 'confirmed' then -1 else 0 end) as is_confirming
    from {{ attempts }}
    where run_id = {{ linker.literal(run_id or invocation_id) }} and attempt_id is not null
    group by attempt_id, database_name, schema_name, table_name, fingerprint
    having
        sum(case when event in ('confirming', 'comparing') then 1 when event in ('confirmed', 'compared') then -1 else 0 end) > 0
        and max(case when event = 'failed' then 1 else 0 end) = 0
    {%- endset -%}
    {%- set unanswered = run_query(unanswered_attempts).rows -%}
    {#-
        The warehouse was unavailable, which no table caused: linker/dbt/error_hints.yml lists more messages. The next run
        continues from here.
    -#}
    {%- set is_of_the_server = [
        'terminating connection', 'server closed the connection', 'connection has been closed', 'connection already closed',
        'connection not open', 'connection reset', 'could not connect', 'connection refused', 'broken pipe',
    ] | select('in', message | lower) | list -%}
    {%- set failed = '' -%}
    {%- if is_of_the_server -%}
    {%- elif unfinished | length == 1 -%}
        {%- set words = linker._words_of_warehouse(message) -%}
        {%- set failed = linker._record_failure(attempts, unfinished[0], words) -%}
        {%- do log(
            'linker: ' ~ failed ~ ' could not be scanned: ' ~ words ~ '; finished profiles are kept, and the next run '
            ~ 'skips it; to leave it out: vars: {linker: {exclude_tables: ["' ~ failed ~ '"]}}', info=true
        ) -%}
    {%- elif unfinished -%}
        {%- set names = [] -%}
        {%- for row in unfinished -%}
            {%- do names.append(row[2] ~ '.' ~ row[3]) -%}
        {%- endfor -%}
        {%- do log(
            'linker: one of these tables could not be scanned; the next run scans each alone: ' ~ names | join(', '), info=true
        ) -%}
        {%- set failed = names | join(', ') -%}
    {%- elif unanswered -%}
        {%- set was_confirming = unanswered[0][5] | int > 0 -%}
        {%- set asked = 'its keys could not be counted: ' if was_confirming else 'its members could not be compared: ' -%}
        {%- set words = asked ~ linker._words_of_warehouse(message) -%}
        {%- set failed = linker._record_failure(attempts, unanswered[0], words, [] if was_confirming else ['partitions']) -%}
        {%- do log('linker: ' ~ failed ~ ': ' ~ words ~ '; its scan is kept, and the next run skips this step', info=true) -%}
    {%- endif -%}
    {#-
        `linker refresh` reruns immediately, since the failure is recorded. For timeouts the table is named,
        because the message alone may fit many tables.
    -#}
    {%- if failed -%}
        {%- do log('linker: repeatable' ~ (' ' ~ failed if linker.is_over_time(message) else '')) -%}
    {%- endif -%}
    {%- do linker._forget_older_scans(scans, attempts) -%}
    {%- do linker._commit() -%}
{%- endmacro %}

{#-
    Returns the table's name. Shards that could not be compared count as `partitions`, so that they are not compared
    again.
-#}
{% macro _record_failure(attempts, row, words, more_events=[]) -%}
    {%- set table = {
        'database_name': row[1], 'schema_name': row[2], 'table_name': row[3], 'fingerprint': row[4],
        'row_count': none, 'byte_count': none,
    } -%}
    {%- for event in ['failed'] + more_events -%}
        {%- do linker._execute(linker.attempt_events(attempts, event, [{'attempt_id': row[0], 'table': table}], words)) -%}
    {%- endfor -%}
    {{ return(row[2] ~ '.' ~ row[3]) }}
{%- endmacro %}

{#- Changes could not be detected in time. -#}
{% macro _report_failed_look(message, run_id=none) -%}
    {%- if linker.is_over_time(message) -%}
        {%- set attempts = linker.artifact('linker_attempts') -%}
        {%- set looking = run_query(
            'select database_name, schema_name, table_name from ' ~ attempts ~ " where event = 'looking' and run_id = "
            ~ linker.literal(run_id or invocation_id)
        ).rows -%}
        {%- if looking -%}
            {%- set database, schema, table = looking[0][0], looking[0][1], looking[0][2] -%}
            {%- set name = schema ~ '.' ~ table -%}
            {%- do linker._execute(linker.look_event(attempts, 'untold', database, schema, table)) -%}
            {%- do log(
                'linker: change detection of ' ~ name ~ ': ' ~ linker.time_limit_words() ~ '; the next run scans it',
                info=true
            ) -%}
        {%- else -%}
            {%- set name = '' -%}
            {%- do linker._execute(linker.look_event(attempts, 'untold')) -%}
            {%- do log(
                'linker: change detection: ' ~ linker.time_limit_words() ~ '; the next run checks each table alone', info=true
            ) -%}
        {%- endif -%}
        {%- do linker._commit() -%}
        {%- do log('linker: repeatable ' ~ name) -%}
    {%- endif -%}
{%- endmacro %}

{#- The warehouse's message in one line, without dbt's additions and without values. -#}
{% macro _words_of_warehouse(message) -%}
    {%- if linker.is_over_time(message) -%}
        {{ return(linker.time_limit_words()) }}
    {%- endif -%}
    {%- set words = [] -%}
    {%- for line in (message | string).split('LINE ')[0].splitlines() if line | trim -%}
        {%- set is_heading = (line | trim).startswith('compiled code at') or ' Error in ' in line -%}
        {%- if not is_heading -%}
            {%- do words.append(line | trim) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(run_query('select ' ~ linker._without_values(linker.literal(words | join(' ')))).rows[0][0]) }}
{%- endmacro %}

{#- Names models and sources of the project in databases other than the target's, which are not profiled. -#}
{% macro _report_other_databases() -%}
    {%- set found = {'model': [], 'source': []} -%}
    {%- for node in linker.project_graph().tables.values() if (node.database or target.database or '') | lower != (target.database or '') | lower -%}
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
