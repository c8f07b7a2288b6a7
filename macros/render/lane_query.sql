{#-
    The tables that a lane scans, in the order of the plan. Where a statement takes seconds, several lanes run in
    threads of dbt; one DuckDB statement uses all cores already, so that there the first lane scans everything.
-#}
{% macro lane_query(lane) %}
-- depends_on: {{ ref('linker_scans') }}
-- depends_on: {{ ref('linker_attempts') }}
-- depends_on: {{ ref('linker_declared_columns') }}
select database_name, schema_name, table_name, table_kind, members, fingerprint, row_count, byte_count, state, place
from {{ ref('linker_plan') }}
where is_due and mod(place - 1, {{ linker.lane_count() }}) = {{ lane - 1 }}
order by place
{% endmacro %}
