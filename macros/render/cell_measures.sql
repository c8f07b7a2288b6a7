{#- What is measured on cells, as `sample_measures` does it on samples: measured (one row a column: its names, counts, ends and
    lengths), totals, tops, shapes, personal, spreads and days. -#}
{% macro cell_measures() -%}
    {%- set longest = linker.longest_value() -%}
value_counts as {{ linker.materialized() }}(
    select
        column_number,
        value,
        max(number) as number,
        count(*) as value_count
    from cells
    where length(value) <= {{ longest }}
    group by column_number, value
),

counts as {{ linker.materialized() }}(
    select
        column_number,
        count(*) as row_count,
        count(case when value is not null or number is not null then 1 end) as value_count,
        min(value) as min_text,
        max(value) as max_text,
        min(number) as min_number,
        max(number) as max_number,
        avg(number) as mean_number
    from cells
    group by column_number
),

{{ linker._cell_ends() }},

measured as {{ linker.materialized() }}(
    select
        names.*,
        -- Of a table without rows there is no cell, and what is left out is not counted.
        case when names.is_read then coalesce(counts.row_count, 0) end as row_count,
        case when names.is_read then coalesce(counts.value_count, 0) end as value_count,
        coalesce(max(counts.row_count) over (partition by names.table_number), 0) as sample_row_count,
        {%- for name in ['min', 'max'] %}
        case
            when names.value_kind in ('text', 'time') then left(counts.{{ name }}_text, {{ longest }})
            when names.value_kind not in ('boolean', 'other') then ends.{{ name }}_value
        end as {{ name }}_value,
        {%- endfor %}
        {%- for name, data_type in {'min': 'bigint', 'max': 'bigint', 'mean': linker.double_type()}.items() %}
        case
            when names.value_kind in ('text', 'binary') and names.privacy <> 'hide' then cast(counts.{{ name }}_number as {{ data_type }})
        end as {{ name }}_length{{ ',' if not loop.last }}
        {%- endfor %}
    from names
    left join counts on names.column_number = counts.column_number
    left join ends on names.column_number = ends.column_number
),

totals as {{ linker.materialized() }}(
    select
        column_number,
        cast(sum(value_count) as bigint) as value_count,
        count(*) as distinct_count,
        sum(case when value_count = 1 then 1 else 0 end) as single_count,
        cast(max(value_count) as {{ linker.double_type() }}) / sum(value_count) as top_value_share,
        {{ linker.entropy('value_count') }} as entropy
    from value_counts
    group by column_number
),

{{ linker._cell_texts() }},

spreads as (
    select
        cells.column_number,
        {{ linker.quantiles('cells.number') }} as quantiles,
        {{ linker.finite('corr(cells.row_order, cells.number)') }} as monotonicity,
        avg(cells.number) as mean,
        stddev_samp(cells.number) as deviation
    from cells
    inner join names on cells.column_number = names.column_number
    where abs(cells.number) < 1e150 and names.value_kind in ('integer', 'number', 'date', 'timestamp') and names.privacy <> 'hide'
    group by cells.column_number
),

days as (
    select
        column_number,
        count(*) as day_count,
        cast(max(gap) as bigint) as largest_gap_days
    from (
        select
            column_number,
            day_number - lag(day_number) over (partition by column_number order by day_number) as gap
        from (
            select distinct value_counts.column_number, floor(value_counts.number / 86400) as day_number
            from value_counts
            inner join names on value_counts.column_number = names.column_number
            where names.value_kind in ('date', 'timestamp') and abs(value_counts.number) < 1e150
        ) as distinct_days
    ) as gaps
    group by column_number
)
{%- endmacro %}

{#-
    The smallest and the largest number, day and moment as they are written. A double holds some 16 digits: of values that are
    the same double the texts decide, those of numbers by their digits, of which less are a smaller number.
-#}
{% macro _cell_ends() -%}
ends as (
    select
        column_number,
        {%- for name, other in [('min', 'max'), ('max', 'min')] %}
        substr(
            case
                when max(case when is_number and {{ name }}_number < 0 then 1 else 0 end) = 1
                    then {{ other }}(case when number = {{ name }}_number then digits || value end)
                else {{ name }}(case when number = {{ name }}_number then digits || value end)
            end,
            49
        ) as {{ name }}_value{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            value_counts.column_number,
            value_counts.value,
            value_counts.number,
            counts.min_number,
            counts.max_number,
            names.value_kind in ('integer', 'number') as is_number,
            lpad(case when names.value_kind in ('integer', 'number') then ltrim(value_counts.value, '-') else '' end, 48, '0') as digits
        from value_counts
        inner join counts on value_counts.column_number = counts.column_number
        inner join names on value_counts.column_number = names.column_number
        where
            names.value_kind in ('integer', 'number', 'date', 'timestamp', 'interval')
            and (value_counts.number = counts.min_number or value_counts.number = counts.max_number)
    ) as candidates
    group by column_number
)
{%- endmacro %}

{#- The frequent values, the shapes of texts, and the kind of personal data that they are. -#}
{% macro _cell_texts() -%}
    {%- set from_texts -%}
    from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join totals on value_counts.column_number = totals.column_number
    where names.value_kind = 'text' and totals.distinct_count {% endset -%}
{{ linker.hints_of_cells() }},

looked_over as (
    select
        value_counts.column_number,
        value_counts.value,
        value_counts.value_count,
        hints.is_looked_over
    from value_counts
    inner join hints on value_counts.column_number = hints.column_number
),

-- Of what is not looked over only the top values are needed.
placed as (
    {{- linker.most_frequent('looked_over', 'is_looked_over', [200, var('top_values', 25)] | max, [1, var('top_values', 25)] | max) }}
),

frequent_values as {{ linker.materialized() }}(
    select
        placed.column_number,
        '' as sub_path,
        placed.value,
        placed.value_count,
        placed.place,
        hints.hint,
        case when hints.is_looked_over then {{ linker.personal_data('placed.value', 'hints.hint') }} end as personal_data
    from placed
    inner join hints on placed.column_number = hints.column_number
),

{{ linker.top_values(['column_number']) }},

-- Only where there are more texts than are needed they are put in order.
texts as (
    select value_counts.column_number, value_counts.value, value_counts.value_count
    {{ from_texts }}<= 2000

    union all

    select column_number, value, value_count
    from (
        select
            value_counts.*,
            row_number() over (partition by value_counts.column_number order by value_counts.value_count desc, value_counts.value) as place
        {{ from_texts }}> 2000
    ) as numbered
    where place <= 2000
),

{{ linker.frequent_shapes(['column_number']) }},

{{ linker.personal_columns() }}
{%- endmacro %}
