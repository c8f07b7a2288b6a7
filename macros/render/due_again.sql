{#-
    The table that is due first even if nothing changes: schema_name, table_name, rule, due_at in seconds since 1970
    (0 for now). Views age, failures are retried, and tables above the byte limit may fit later. For operations,
    after a run.
-#}
{% macro due_again() %}
    with newest_scans as (
        {{ linker.newest_scans(linker.artifact('linker_scans'), linker.artifact('linker_attempts')) }}
    ),

    tries as (
        select database_name, schema_name, table_name, fingerprint, max(happened_at) as tried_at
        from {{ linker.artifact('linker_attempts') }}
        where attempt_id is not null
        group by database_name, schema_name, table_name, fingerprint
    ),

    judged as (
        select
            plan.schema_name,
            plan.table_name,
            plan.rule,
            case
                when plan.rule in ('out of scope', 'unselected', 'no columns', 'refused') then null
                when plan.rule = 'over the ceiling' then 0
                when
                    tries.tried_at is not null
                    and (
                        plan.rule in ('failed', 'unfinished twice')
                        or newest_scans.fingerprint is null
                        or newest_scans.fingerprint <> plan.fingerprint
                    )
                    then {{ linker.seconds_since_1970('tries.tried_at') }} + 3600 * {{ var('retry_hours', 24) }}
                when newest_scans.fingerprint is null or newest_scans.fingerprint <> plan.fingerprint then 0
                when not plan.has_change_token
                    then {{ linker.seconds_since_1970('newest_scans.scanned_at') }} + 3600 * {{ var('view_hours', 24) }}
            end as due_at
        from {{ linker.artifact('linker_plan') }} as plan
        left join newest_scans
            on
                plan.database_name = newest_scans.database_name
                and plan.schema_name = newest_scans.schema_name
                and plan.table_name = newest_scans.table_name
        left join tries
            on
                plan.database_name = tries.database_name
                and plan.schema_name = tries.schema_name
                and plan.table_name = tries.table_name
                and plan.fingerprint = tries.fingerprint
    )

    select schema_name, table_name, rule, due_at
    from judged
    where due_at is not null
    order by due_at, schema_name, table_name
    limit 1
{% endmacro %}
