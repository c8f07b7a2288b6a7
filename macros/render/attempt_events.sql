{#- Statement that adds a row per table of a batch to the journal of attempts. -#}
{% macro attempt_events(attempts, event, batch, message=none) -%}
    {%- set text = dbt.type_string() -%}
    {%- set types = {
        'run_id': text, 'attempt_id': text, 'database_name': text, 'schema_name': text, 'table_name': text, 'fingerprint': text,
        'table_count': 'bigint', 'members': text, 'statement_count': 'bigint', 'rows_read': 'bigint', 'bytes_read': 'bigint',
    } -%}
    {%- set rows = [] -%}
    {%- for entry in batch -%}
        {%- set table = entry.table -%}
        {%- set statement_count = {'finished': entry.statement_count, 'confirmed': 1, 'compared': 1}.get(event) -%}
        {%- set has_read = statement_count is not none -%}
        {%- set share = (table.read_percent or 100) / 100 -%}
        {%- do rows.append({
            'run_id': entry.run_id or invocation_id,
            'attempt_id': entry.attempt_id,
            'database_name': table.database_name,
            'schema_name': table.schema_name,
            'table_name': table.table_name,
            'fingerprint': table.fingerprint,
            'table_count': 0 if entry.evidence else 1,
            'members': tojson(table.members) if table.members else none,
            'statement_count': statement_count,
            'rows_read': (table.row_count * share) | round | int * statement_count if has_read and table.row_count is not none else none,
            'bytes_read': table.byte_count if has_read else none,
        }) -%}
    {%- endfor -%}
    {%- set values = types.keys() | list -%}
    {%- set literal = '__error__' if message == '__error__' else linker.literal(message) -%}
insert into {{ attempts }} ({{ values | join(', ') }}, event, happened_at, message)
select {{ values | join(', ') }}, {{ linker.literal(event) }}, {{ linker.now_utc() }}, cast({{ literal }} as {{ text }})
from (
    {{- linker.plain_rows(types, rows) -}}
) as events
{%- endmacro %}

{#- The plan of the run: tables due, unchanged and skipped. -#}
{% macro plan_events(attempts, plan) -%}
    {%- set names = [
        'run_id', 'attempt_id', 'event', 'database_name', 'schema_name', 'table_name', 'fingerprint', 'happened_at',
        'table_count', 'members', 'statement_count', 'rows_read', 'bytes_read', 'message',
    ] -%}
insert into {{ attempts }} ({{ names | join(', ') }})
select
    {{ linker.literal(invocation_id) }},
    cast(null as {{ dbt.type_string() }}),
    case when is_due then 'planned' else state end,
    cast(null as {{ dbt.type_string() }}),
    cast(null as {{ dbt.type_string() }}),
    cast(null as {{ dbt.type_string() }}),
    cast(null as {{ dbt.type_string() }}),
    {{ linker.now_utc() }},
    count(*),
    cast(null as {{ dbt.type_string() }}),
    cast(null as bigint),
    cast(null as bigint),
    cast(null as bigint),
    cast(null as {{ dbt.type_string() }})
from {{ plan }}
group by case when is_due then 'planned' else state end
{%- endmacro %}

{#- Deletes the scans of these attempts. -#}
{% macro delete_scans(scans, attempt_ids) -%}
    {%- if linker.dialect().changes_by_merge -%}
merge into {{ scans }} as scans
using ({{ attempt_ids }}) as older
on scans.attempt_id = older.attempt_id
when matched then delete
    {%- else -%}
delete from {{ scans }} where attempt_id in ({{ attempt_ids }})
    {%- endif -%}
{%- endmacro %}
