{{ config(pre_hook=["{{ linker.correct_times() }}", "{{ linker.look_for_changes() }}"]) }}
{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
-- Compares each logical table with its last scan, and decides whether it is due, from metadata alone.
{%- set unknown = 'the warehouse has no change information for it, and its scan is ' -%}
{%- set full_scan_rows = var('full_scan_rows', 100000000) -%}
{%- set max_bytes = var('max_bytes', none) -%}
{%- set hours = ' than ' ~ var('view_hours', 24) ~ ' hours' -%}
{%- set names = ["schema_name || '.' || table_name", "schema_name || '.' || logical_name"] -%}
{%- set select, exclude, full_since = var('select', []), var('exclude', []), linker.full_since() -%}
{%- do linker.check_selection(ref('linker_tables')) -%}
{%- set reclassified = linker.reclassified_tables(ref('linker_scans'), ref('linker_attempts'), ref('linker_tables')) -%}
{#- By rule: the state and its reason, both as SQL. -#}
{%- set rules = {
    'out of scope': ["'left out'", "'excluded by the vars include_tables and exclude_tables'"],
    'unselected': ["'unselected'", "'not selected in this run'"],
    'no columns': ["'left out'", "'it has no columns'"],
    'refused': ["'left out'", 'refusal'],
    'failed': ["'left out'", "'it failed before: ' || message"],
    'unfinished twice': ["'left out'", "'two earlier scans did not finish'"],
    'unfinished': ["'retry'", "'an earlier scan did not finish'"],
    'forced': ["'changed'", "'full run'"],
    'new': ["'new'", "'not scanned before'"],
    'changed': ["'changed'", "'changed since its scan'"],
    'mended': ["'retry'", "'changed since its last scan failed'"],
    'reclassified': ["'changed'", "'its privacy rules changed since its scan'"],
    'undecided': ["'retry'", "'its scan ended before its members were compared'"],
    'unchanged': ["'unchanged'", "'unchanged since its scan'"],
    'old': ["'aged'", linker.literal(unknown ~ 'older' ~ hours)],
    'young': ["'unchanged'", linker.literal(unknown ~ 'younger' ~ hours)],
} %}

with tables as (
    select
        *,
        coalesce(family_name, table_name) as logical_name
    from {{ ref('linker_tables') }}
),

-- Tables that this run selects or excludes by name: a family is selected by any shard, and excluded by all.
named as (
    select
        database_name,
        schema_name,
        logical_name as table_name,
        max(case when {{ linker.is_any_of(names, linker.tables_of_patterns(select)) }} then 1 else 0 end) as is_selected,
        min(case when {{ linker.is_any_of(names, linker.tables_of_patterns(exclude)) }} then 1 else 0 end) as is_excluded
    from tables
    group by database_name, schema_name, logical_name
),

members as (
    {{ linker.members_to_read('tables') }}
),

table_changes as (
    select * from {{ ref('linker_changes') }}
),

view_changes as (
    {{ linker.view_changes('table_changes', ref('linker_tables')) }}
),

changes as (
    select
        database_name,
        schema_name,
        table_name,
        max(row_count) as row_count,
        max(byte_count) as byte_count,
        max(change_token) as change_token
    from (
        select database_name, schema_name, table_name, row_count, byte_count, change_token from table_changes
        union all
        select database_name, schema_name, table_name, null as row_count, null as byte_count, change_token from view_changes
    ) as told
    group by database_name, schema_name, table_name
),

refusals as (
    {{ linker.discover_refusals() }}
),

definitions as (
    {{ linker.discover_definitions() }}
),

-- Broken views, and repaired ones, are due.
broken as (
    {{ linker.broken_views() }}
),

-- A changed access right makes the table due.
unreadable as (
    select
        database_name,
        schema_name,
        table_name,
        {{ linker.text_list('column_path', 'position') }} as column_paths
    from {{ ref('linker_declared_columns') }}
    where not is_readable
    group by database_name, schema_name, table_name
),

logical_tables as (
    select
        members.database_name,
        members.schema_name,
        members.logical_name as table_name,
        max(members.table_kind) as table_kind,
        count(*) as members_read,
        max(case when members.is_representative then members.column_count end) as column_count,
        {{ linker.text_list('members.table_name', 'members.member_place') }} as members,
        {{ linker.digest(linker.text_list(
            "members.table_name || ' ' || coalesce(members.column_signature, '') || ' '"
            ~ " || coalesce(changes.change_token, '') || coalesce(definitions.definition, '') || coalesce(unreadable.column_paths, '') || coalesce(broken.message, '')",
            'members.member_place'
        )) }} as fingerprint,
        cast(sum(case when members.table_kind = 'table' then changes.row_count end) as bigint) as row_count,
        sum(changes.byte_count) as stored_bytes,
        min(case when changes.change_token is not null then 1 else 0 end) = 1 as has_change_tokens,
        max(refusals.reason) as refusal
    from members
    left join changes
        on
            members.database_name = changes.database_name
            and members.schema_name = changes.schema_name
            and members.table_name = changes.table_name
    left join unreadable
        on
            members.database_name = unreadable.database_name
            and members.schema_name = unreadable.schema_name
            and members.table_name = unreadable.table_name
    left join definitions
        on members.schema_name = definitions.schema_name and members.table_name = definitions.table_name
    left join broken
        on members.schema_name = broken.schema_name and members.table_name = broken.table_name
    left join refusals
        on members.schema_name = refusals.schema_name and members.table_name = refusals.table_name
    group by members.database_name, members.schema_name, members.logical_name
),

-- Only the part of a table that is read costs bytes.
sized as (
    select
        logical_tables.*,
        cast(
            case
                when row_count > {{ full_scan_rows }}
                    then stored_bytes * {{ full_scan_rows }} * power(cast(row_count as {{ linker.dialect().double_type }}), -1)
                else stored_bytes
            end as bigint
        ) as byte_count
    from logical_tables
),

newest_scans as (
    {{ linker.newest_scans(ref('linker_scans'), ref('linker_attempts')) }}
),

scanned_families as (
    {{ linker.scanned_families(ref('linker_scans'), ref('linker_attempts')) }}
),

attempts as (
    select
        attempt_id,
        database_name,
        schema_name,
        table_name,
        fingerprint,
        max(happened_at) as happened_at,
        max(case when event = 'finished' then 1 else 0 end) as finished_count,
        max(case when event = 'failed' then 1 else 0 end) as failed_count,
        max(case when event = 'failed' then message end) as message
    from {{ ref('linker_attempts') }}
    where attempt_id is not null
    group by attempt_id, database_name, schema_name, table_name, fingerprint
),

last_finished as (
    select database_name, schema_name, table_name, fingerprint, max(happened_at) as finished_at
    from attempts
    where finished_count > 0
    group by database_name, schema_name, table_name, fingerprint
),

-- One unfinished attempt may be due to a killed run; two, or an error, are due to the table. A later success resets
-- this.
troubles as (
    select
        attempts.database_name,
        attempts.schema_name,
        attempts.table_name,
        attempts.fingerprint,
        sum(attempts.failed_count) as failed_count,
        count(*) as unfinished_count,
        max(attempts.message) as message
    from attempts
    left join last_finished
        on
            attempts.database_name = last_finished.database_name
            and attempts.schema_name = last_finished.schema_name
            and attempts.table_name = last_finished.table_name
            and attempts.fingerprint = last_finished.fingerprint
    where
        attempts.finished_count = 0
        and attempts.happened_at > {{ linker.hours_ago(var('retry_hours', 24)) }}
        and not {{ linker.met_lower_time_limit('attempts.message') }}
        {%- if full_since %}
        and attempts.happened_at >= {{ full_since }}
        {%- endif %}
        and (last_finished.finished_at is null or attempts.happened_at > last_finished.finished_at)
    group by attempts.database_name, attempts.schema_name, attempts.table_name, attempts.fingerprint
),

-- The last error of each table, in any state.
last_failed as (
    select *
    from (
        select
            *,
            row_number() over (
                partition by database_name, schema_name, table_name order by happened_at desc, attempt_id desc
            ) as place
        from attempts
        where failed_count > 0
    ) as ordered
    where place = 1
),

-- The first matching rule wins; the next step gives its meaning.
judged as (
    select
        sized.*,
        troubles.message,
        case
            when {{ linker.is_any_of(["sized.schema_name || '.' || sized.table_name"], var('exclude_tables', [])) }} then 'out of scope'
            {%- if var('include_tables', []) %}
            when not {{ linker.is_any_of(["sized.schema_name || '.' || sized.table_name"], var('include_tables')) }} then 'out of scope'
            {%- endif %}
            {%- if select %}
            when named.is_selected = 0 and not {{ linker.is_older_than(select, 'newest_scans.scanned_at') }} then 'unselected'
            {%- endif %}
            {%- if exclude %}
            when named.is_excluded = 1 or {{ linker.is_older_than(exclude, 'newest_scans.scanned_at') }} then 'unselected'
            {%- endif %}
            when sized.column_count = 0 then 'no columns'
            when sized.refusal is not null then 'refused'
            {%- if full_since or not flags.FULL_REFRESH %}
            when troubles.failed_count > 0 then 'failed'
            when troubles.unfinished_count > 1 then 'unfinished twice'
            when troubles.unfinished_count = 1 then 'unfinished'
            {%- endif %}
            when newest_scans.attempt_id is null then 'new'
            {%- if reclassified %}
            when lower(sized.schema_name || '.' || sized.table_name) in ({{ linker._literals(reclassified) }}) then 'reclassified'
            {%- endif %}
            when newest_scans.fingerprint <> sized.fingerprint then 'changed'
            when last_failed.fingerprint <> sized.fingerprint and last_failed.happened_at > newest_scans.scanned_at then 'mended'
            {%- if full_since %}
            when newest_scans.scanned_at < {{ full_since }} then 'forced'
            {%- endif %}
            when sized.members_read > 1 and scanned_families.kind is null then 'undecided'
            when sized.has_change_tokens then 'unchanged'
            when newest_scans.scanned_at < {{ linker.hours_ago(var('view_hours', 24)) }} then 'old'
            else 'young'
        end as rule
    from sized
    inner join named
        on
            sized.database_name = named.database_name
            and sized.schema_name = named.schema_name
            and sized.table_name = named.table_name
    left join newest_scans
        on
            sized.database_name = newest_scans.database_name
            and sized.schema_name = newest_scans.schema_name
            and sized.table_name = newest_scans.table_name
    left join scanned_families on newest_scans.attempt_id = scanned_families.attempt_id
    left join last_failed
        on
            sized.database_name = last_failed.database_name
            and sized.schema_name = last_failed.schema_name
            and sized.table_name = last_failed.table_name
    left join troubles
        on
            sized.database_name = troubles.database_name
            and sized.schema_name = troubles.schema_name
            and sized.table_name = troubles.table_name
            and sized.fingerprint = troubles.fingerprint
),

compared as (
    select
        judged.*,
        {%- for place, name in [(0, 'state'), (1, 'reason')] %}
        case rule
            {%- for rule, said in rules.items() %}
            when {{ linker.literal(rule) }} then {{ said[place] }}
            {%- endfor %}
        end as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from judged
),

-- Small tables first: most of the warehouse is profiled early, and a byte limit skips the fewest tables.
summed as (
    select
        *,
        state not in ('left out', 'unselected', 'unchanged') as is_wanted,
        sum(case when state not in ('left out', 'unselected', 'unchanged') then coalesce(byte_count, 0) else 0 end) over (
            order by coalesce(byte_count, 0), schema_name, table_name
            rows between unbounded preceding and current row
        ) as bytes_so_far
    from compared
),

limited as (
    select
        *,
        is_wanted and {{ 'bytes_so_far > ' ~ max_bytes if max_bytes is not none else '1 = 0' }} as is_over_ceiling
    from summed
),

final as (
    select
        database_name,
        schema_name,
        table_name,
        table_kind,
        members,
        fingerprint,
        row_count,
        byte_count,
        case when is_over_ceiling then 'over the ceiling' else rule end as rule,
        case when is_over_ceiling then 'left out' else state end as state,
        case
            when is_over_ceiling then 'over the limit of max_bytes, {{ max_bytes }}'
            else reason
        end as reason,
        has_change_tokens as has_change_token,
        is_wanted and not is_over_ceiling as is_due,
        case
            when is_wanted and not is_over_ceiling
                then row_number() over (
                    partition by is_wanted and not is_over_ceiling
                    order by coalesce(byte_count, 0), schema_name, table_name
                )
        end as place
    from limited
)

select
    database_name,
    schema_name,
    table_name,
    table_kind,
    members,
    fingerprint,
    row_count,
    byte_count,
    rule,
    state,
    reason,
    has_change_token,
    is_due,
    place
from final
{%- endif %}
