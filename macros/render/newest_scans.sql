{#- Newest scans of logical tables, their columns, and their representative shards. -#}

{#- The newest finished scan of every logical table: its attempt, fingerprint and time. -#}
{% macro newest_scans(scans, attempts) %}
    select database_name, schema_name, table_name, attempt_id, fingerprint, scanned_at
    from (
        select
            scanned.database_name,
            scanned.schema_name,
            scanned.table_name,
            scanned.attempt_id,
            scanned.fingerprint,
            scanned.scanned_at,
            row_number() over (
                partition by scanned.database_name, scanned.schema_name, scanned.table_name
                order by scanned.scanned_at desc, scanned.attempt_id desc
            ) as place
        from (
            select database_name, schema_name, table_name, attempt_id, fingerprint, max(scanned_at) as scanned_at
            from {{ scans }}
            group by database_name, schema_name, table_name, attempt_id, fingerprint
        ) as scanned
        inner join {{ attempts }} as attempts on scanned.attempt_id = attempts.attempt_id
        where attempts.event = 'finished'
    ) as ordered
    where place = 1
{% endmacro %}

{#- The last row of a recounted column; the only row of others. -#}
{% macro newest_measures(scans) %}
    select *
    from (
        select
            *,
            row_number() over (partition by attempt_id, column_path order by scanned_at desc, distinct_is_exact desc) as measure_place
        from {{ scans }}
    ) as placed
    where measure_place = 1
{% endmacro %}

{#- Measures of the newest finished scan of each logical table, by column. -#}
{% macro newest_column_scans(scans, attempts) %}
    select measured.*
    from ({{ linker.newest_measures(scans) }}) as measured
    inner join ({{ linker.newest_scans(scans, attempts) }}) as newest on measured.attempt_id = newest.attempt_id
{% endmacro %}

{#-
    The columns of every logical table under its name: each from the newest shard that has it; those of the newest shard
    come first.
-#}
{% macro logical_columns() %}
    select
        database_name,
        schema_name,
        logical_name,
        physical_name,
        member_count,
        column_name,
        column_path,
        depth,
        cast(row_number() over (
            partition by database_name, schema_name, logical_name order by member_number desc, position
        ) as {{ dbt.type_bigint() }}) as position,
        data_type,
        is_nullable,
        description
    from (
        select
            columns.database_name,
            columns.schema_name,
            coalesce(tables.family_name, tables.table_name) as logical_name,
            columns.table_name as physical_name,
            tables.member_count,
            tables.member_number,
            columns.column_name,
            columns.column_path,
            columns.depth,
            columns.position,
            columns.data_type,
            columns.is_nullable,
            columns.description,
            row_number() over (
                partition by
                    columns.database_name, columns.schema_name, coalesce(tables.family_name, tables.table_name),
                    columns.column_path
                order by tables.member_number desc
            ) as holder_place
        from {{ linker.artifact('linker_columns') }} as columns
        inner join {{ linker.artifact('linker_tables') }} as tables
            on
                columns.database_name = tables.database_name
                and columns.schema_name = tables.schema_name
                and columns.table_name = tables.table_name
    ) as held
    where holder_place = 1
{% endmacro %}

{#-
    Representative shards of each logical table, from the inventory or a relation with its columns: the newest, the oldest,
    and evenly spaced others, `family_members` in total. Adds member_place: 1 is the newest.
-#}
{% macro members_to_read(inventory) %}
    {%- set gaps = var('family_members', 3) - 1 %}
    select *
    from (
        select
            *,
            row_number() over (
                partition by database_name, schema_name, coalesce(family_name, table_name) order by member_number desc
            ) as member_place
        from {{ inventory }}
    ) as placed
    where
        member_place = 1
        or mod((member_place - 1) * {{ gaps }}, nullif(member_count - 1, 0)) < {{ gaps }}
{% endmacro %}
