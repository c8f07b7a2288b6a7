{#-
    Records the error that ended a run at the table it was scanning, so that the next run leaves that table out.
    Of several tables that shared a statement nobody knows which it was: they stay unfinished, and are scanned alone next.
-#}
{% macro record_failure(run_id, message) -%}
    {%- set attempts = linker.artifact('linker_attempts') -%}
    {%- set unfinished = run_query(linker._unfinished_attempts(attempts, run_id)).rows -%}
    {%- if unfinished | length == 1 -%}
        {%- set row = unfinished[0] -%}
        {%- set table = {
            'database_name': row[1], 'schema_name': row[2], 'table_name': row[3], 'fingerprint': row[4],
            'row_count': none, 'byte_count': none,
        } -%}
        {%- set entry = {'run_id': run_id, 'attempt_id': row[0], 'table': table, 'columns': []} -%}
        {%- do linker._execute(linker.attempt_events(attempts, 'failed', [entry], message)) -%}
        {%- do adapter.commit() -%}
    {%- endif -%}
    {{ log('linker: unfinished ' ~ unfinished | length, info=true) }}
{%- endmacro %}

{% macro _unfinished_attempts(attempts, run_id) %}
    select attempt_id, database_name, schema_name, table_name, fingerprint
    from {{ attempts }}
    where run_id = {{ linker.literal(run_id) }} and attempt_id is not null
    group by attempt_id, database_name, schema_name, table_name, fingerprint
    having max(case when event in ('finished', 'failed') then 1 else 0 end) = 0
{% endmacro %}
