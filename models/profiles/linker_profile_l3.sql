{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{#- Whether only some members of a family of partitions were read. -#}
{%- set is_read_in_some -%}
    coalesce(scanned_families.kind = 'partitions' and columns.member_count > {{ var('family_members', 3) }}, 1 = 0)
{%- endset -%}
{#- An equi-depth histogram from 21 quantiles: ten buckets, each with a tenth of the values, as the text of a JSON array. -#}
{%- set buckets = [] -%}
{%- for bucket in range(10) -%}
    {%- set ends = [] -%}
    {%- for place in [bucket * 2, bucket * 2 + 2] -%}
        {%- do ends.append('cast(' ~ linker.list_number('quantile_numbers', place) ~ ' as ' ~ dbt.type_string() ~ ')') -%}
    {%- endfor -%}
    {%- do buckets.append("'{\"from\": ' || " ~ ends[0] ~ " || ', \"to\": ' || " ~ ends[1] ~ " || ', \"share\": 0.1}'") -%}
{%- endfor -%}
{#- The days of the first and the last quantile, between which distinct days are counted. -#}
{%- set first_day = 'floor(' ~ linker.list_number('quantile_numbers', 0) ~ ' / 86400)' -%}
{%- set last_day = 'floor(' ~ linker.list_number('quantile_numbers', 20) ~ ' / 86400)' -%}
-- L3: value distribution of each column, from the newest scans.
-- depends_on: {{ ref('linker_runs') }}

with columns as (
    {{ linker.logical_columns() }}
),

scanned_families as (
    {{ linker.scanned_families(ref('linker_scans'), ref('linker_attempts')) }}
),

-- A dropped table has scans but no columns. A column that was not read has a scan but no statistics.
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

-- `infinity` is no date, and a date before our era has no number of this form.
dated as (
    select
        *,
        {{ linker.dialect().number_list.format(json='quantiles') }} as quantile_numbers,
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
        case when quantile_numbers is not null then '[' || {{ buckets | join(" || ', ' || ") }} || ']' end as histogram,
        top_value_share,
        entropy,
        case when value_count > 0 then cast(distinct_count as {{ linker.dialect().double_type }}) / value_count end as uniqueness,
        monotonicity,
        first_day,
        last_day,
        day_count,
        case when day_count is not null then cast(day_count as {{ linker.dialect().double_type }}) / ({{ last_day }} - {{ first_day }} + 1) end as day_coverage,
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
