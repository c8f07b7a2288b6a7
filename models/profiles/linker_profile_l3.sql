{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{#- Whether only some members of a family of partitions were read. -#}
{%- set is_read_in_some -%}
    coalesce(scanned_families.kind = 'partitions' and columns.member_count > {{ var('family_members', 3) }}, 1 = 0)
{%- endset -%}
-- L3: how the values of each column are distributed, out of the newest scans.
-- depends_on: {{ ref('linker_runs') }}

with columns as (
    {{ linker.logical_columns() }}
),

scanned_families as (
    {{ linker.scanned_families(ref('linker_scans'), ref('linker_attempts')) }}
),

-- A table that was dropped has scans, and no columns. A column that was not read has a scan, and no statistics.
scans as (
    select
        scanned.*,
        {{ is_read_in_some }} as is_read_in_some
    from ({{ linker.newest_column_scans(ref('linker_scans'), ref('linker_attempts')) }}) as scanned
    inner join columns
        on
            scanned.database_name = columns.database_name
            and scanned.schema_name = columns.schema_name
            and scanned.table_name = columns.logical_name
            and scanned.column_path = columns.column_path
    left join scanned_families on scanned.attempt_id = scanned_families.attempt_id
    where scanned.privacy not in ('exclude', 'refuse')
),

-- `infinity` is no day, and a day before our era has no number of this form.
dated as (
    select
        *,
        {{ linker.number_list('quantiles') }} as quantile_numbers,
        {%- for name, value in [('first_day', 'min_value'), ('last_day', 'max_value')] %}
        case
            when value_kind in ('date', 'timestamp') and not {{ linker.regex_matches(value, 'BC') }}
                then {{ linker.regex_extract(value, '^([0-9]{4,6}-[0-9]{2}-[0-9]{2})') }}
        end as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from scans
),

final as (
    select
        database_name,
        schema_name,
        table_name,
        column_path,
        row_count,
        value_count,
        min_value,
        max_value,
        mean,
        deviation,
        quantiles,
        {{ linker.histogram('quantile_numbers') }} as histogram,
        top_value_share,
        entropy,
        case when value_count > 0 then cast(distinct_count as {{ linker.double_type() }}) / value_count end as uniqueness,
        monotonicity,
        first_day,
        last_day,
        day_count,
        {{ linker.day_coverage('day_count', 'quantile_numbers') }} as day_coverage,
        largest_gap_days,
        sample_row_count,
        is_sampled or is_read_in_some as is_sampled,
        scanned_at
    from dated
)

select
    database_name,
    schema_name,
    table_name,
    column_path,
    row_count,
    value_count,
    min_value,
    max_value,
    mean,
    deviation,
    quantiles,
    histogram,
    top_value_share,
    entropy,
    uniqueness,
    monotonicity,
    first_day,
    last_day,
    day_count,
    day_coverage,
    largest_gap_days,
    sample_row_count,
    is_sampled,
    scanned_at
from final
{%- endif %}
