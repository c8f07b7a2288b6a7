{{ config(pre_hook="{{ linker.scan_tables() }}") }}
{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
-- The result of each run, from the journal of attempts; it includes killed runs.
-- depends_on: {{ ref('linker_scans') }}
-- depends_on: {{ ref('linker_plan') }}
-- depends_on: {{ ref('linker_declared_columns') }}
-- depends_on: {{ ref('linker_tables') }}

with attempts as (
    select * from {{ ref('linker_attempts') }}
),

ended as (
    select run_id, attempt_id, max(case when event in ('finished', 'failed') then 1 else 0 end) as has_ended
    from attempts
    where attempt_id is not null
    group by run_id, attempt_id
),

unfinished as (
    select run_id, count(*) as table_count
    from ended
    where has_ended = 0
    group by run_id
),

final as (
    select
        attempts.run_id,
        min(attempts.happened_at) as started_at,
        max(attempts.happened_at) as ended_at,
        cast(sum(case when attempts.event = 'planned' then attempts.table_count else 0 end) as bigint) as planned_tables,
        cast(sum(case when attempts.event = 'unchanged' then attempts.table_count else 0 end) as bigint) as unchanged_tables,
        cast(sum(case when attempts.event = 'unselected' then attempts.table_count else 0 end) as bigint) as unselected_tables,
        cast(sum(case when attempts.event = 'left out' then attempts.table_count else 0 end) as bigint) as left_out_tables,
        cast(sum(case when attempts.event = 'finished' then attempts.table_count else 0 end) as bigint) as scanned_tables,
        cast(sum(case when attempts.event = 'failed' then 1 else 0 end) as bigint) as failed_tables,
        cast(coalesce(max(unfinished.table_count), 0) as bigint) as unfinished_tables,
        cast(coalesce(sum(attempts.statement_count), 0) as bigint) as statement_count,
        cast(coalesce(sum(attempts.rows_read), 0) as bigint) as rows_read,
        cast(coalesce(sum(attempts.bytes_read), 0) as bigint) as bytes_read
    from attempts
    left join unfinished on attempts.run_id = unfinished.run_id
    group by attempts.run_id
)

select
    run_id,
    started_at,
    ended_at,
    planned_tables,
    unchanged_tables,
    unselected_tables,
    left_out_tables,
    scanned_tables,
    failed_tables,
    unfinished_tables,
    statement_count,
    rows_read,
    bytes_read
from final
{%- endif %}
