{#- What the newest finished scan of every logical table measured, column by column. -#}
{% macro newest_column_scans(scans, attempts) %}
    select measured.*
    from ({{ linker.newest_measures(scans) }}) as measured
    inner join ({{ linker.newest_scans(scans, attempts) }}) as newest on measured.attempt_id = newest.attempt_id
{% endmacro %}

{#- Of a column that was counted once more the row that was added last; of all others the one they have. -#}
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
