{#- What the newest finished scan of every logical table measured, column by column. -#}
{% macro newest_column_scans(scans, attempts) %}
    select measured.*
    from {{ scans }} as measured
    inner join ({{ linker.newest_scans(scans, attempts) }}) as newest on measured.attempt_id = newest.attempt_id
{% endmacro %}
