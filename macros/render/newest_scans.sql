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
