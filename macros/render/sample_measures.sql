{#- Measures of sampled values: value_counts, totals, ends, hints, tops, shapes, personal, spreads and days. -#}
{% macro sample_measures(most_members, has_documents=true) -%}
{%- set text = dbt.type_string() -%}
{#- For each shard that may be read with others, whether a group occurs in it: is_in_1, is_in_2 … -#}
{%- set is_in_members -%}
    {%- for place in range(1, most_members + 1) if most_members > 1 %}
        max(case when member_place = {{ place }} then 1 else 0 end) as is_in_{{ place }},
    {%- endfor %}
{%- endset -%}
value_counts as {{ linker.dialect().materialized }}(
    select
        column_number,
        sub_path,
        value,
        max(value_kind) as value_kind,
        max(privacy) as privacy,
        max(number) as number,
        {{- is_in_members }}
        count(*) as value_count,
        row_number() over (partition by column_number, sub_path order by count(*) desc, value) as place
    from all_values
    where value is not null
    group by column_number, sub_path, value
),

element_counts as (
    select
        column_number,
        sub_path,
        max(value_kind) as value_kind,
        max(privacy) as privacy,
        {{- is_in_members }}
        count(*) as element_count,
        count(value) as value_count
    from all_values
    group by column_number, sub_path
),

totals as (
    select
        column_number,
        sub_path,
        cast(sum(value_count) as bigint) as value_count,
        count(*) as distinct_count,
        sum(case when value_count = 1 then 1 else 0 end) as single_count,
        cast(max(value_count) as {{ linker.dialect().double_type }}) / sum(value_count) as top_value_share,
        {{ linker.entropy('value_count') }} as entropy,
        min(value) as min_text,
        max(value) as max_text,
        min(number) as min_number,
        max(number) as max_number
    from value_counts
    group by column_number, sub_path
),

-- The smallest and the largest number inside a column as text: as text, 10 would precede 9, and a double has only about 16
-- digits.
ends as (
    select
        column_number,
        sub_path,
        coalesce(cast(min(min_integer) as {{ text }}), min(case when number = min_number then value end)) as min_value,
        coalesce(cast(max(max_integer) as {{ text }}), max(case when number = max_number then value end)) as max_value
    from (
        select
            value_counts.column_number,
            value_counts.sub_path,
            value_counts.value,
            value_counts.number,
            totals.min_number,
            totals.max_number,
            {%- for name in ['min', 'max'] %}
            case
                when value_counts.value_kind = 'integer' and value_counts.number = totals.{{ name }}_number
                    then {{ linker.try_cast('value_counts.value', 'wide_integer') }}
            end as {{ name }}_integer{{ ',' if not loop.last }}
            {%- endfor %}
        from value_counts
        inner join totals
            on value_counts.column_number = totals.column_number and value_counts.sub_path = totals.sub_path
        inner join names on value_counts.column_number = names.column_number
        where value_counts.sub_path <> '' or not names.is_measured
    ) as placed
    group by column_number, sub_path
),

{{ linker.hints_of_names(false, has_documents) }},

frequent_values as {{ linker.dialect().materialized }}(
    select
        value_counts.column_number,
        value_counts.sub_path,
        value_counts.value,
        value_counts.value_count,
        value_counts.place,
        value_counts.value_kind,
        {%- if most_members > 1 %}
        {{ linker.seen_in(most_members, 'value_counts') }} as seen_in,
        {%- endif %}
        hints.hint,
        case when hints.is_looked_over then {{ linker.personal_data('value_counts.value', 'hints.hint') }} end as personal_data
    from value_counts
    inner join hints on value_counts.column_number = hints.column_number and value_counts.sub_path = hints.sub_path
    {%- if most_members > 1 %}
    inner join names on value_counts.column_number = names.column_number
    inner join tables on names.table_number = tables.table_number
    {%- endif %}
    where value_counts.place <= {{ [200, var('top_values', 200)] | max }}
),

{{ linker.top_values(['column_number', 'sub_path'], most_members) }},

texts as (
    select column_number, sub_path, value, value_count
    from value_counts
    where value_kind = 'text' and place <= 2000
),

{{ linker.frequent_shapes(['column_number', 'sub_path']) }},

{{ linker.personal_columns() }},

spreads as (
    select
        column_number,
        sub_path,
        {{ linker.quantiles('number') }} as quantiles,
        {{ linker.finite('corr(row_order, number)') }} as monotonicity,
        avg(number) as mean,
        stddev_samp(number) as deviation
    from all_values
    -- Numbers in documents may overflow when squared or summed.
    where abs(number) < 1e150
    group by column_number, sub_path
),

days as (
    select
        column_number,
        sub_path,
        count(*) as day_count,
        cast(max(gap) as bigint) as largest_gap_days
    from (
        select
            column_number,
            sub_path,
            day_number - lag(day_number) over (partition by column_number, sub_path order by day_number) as gap
        from (
            select distinct column_number, sub_path, floor(number / 86400) as day_number
            from value_counts
            where value_kind in ('date', 'timestamp') and number is not null
        ) as distinct_days
    ) as gaps
    group by column_number, sub_path
)
{%- endmacro %}

{#-
    The most frequent of `frequent_values`: `top_values` of texts, and at most 25 of numbers, times and long texts, since
    questions name few of these.
-#}
{% macro top_values(keys, most_members=1) -%}
tops as (
    select
        {{ keys | join(',\n        ') }},
        {{ linker.counted_list('shown_value', 'value_count', 'seen_in' if most_members > 1) }} as top_values
    from (
        select
            *,
            -- A personal value among others is masked by itself; not random strings and names, which may be other things.
            case
                when personal_data <> 'random' and personal_data not like '%?' then {{ linker.mask('value') }}
                else value
            end as shown_value
        from frequent_values
    ) as shown
    where
        place <= {{ [25, var('top_values', 200)] | min }}
        or (place <= {{ var('top_values', 200) }} and value_kind = 'text' and length(value) <= 60)
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{#- The most frequent shapes of `texts`. -#}
{% macro frequent_shapes(keys) -%}
shape_counts as (
    select
        {{ keys | join(',\n        ') }},
        shape,
        cast(sum(value_count) as bigint) as value_count,
        row_number() over (partition by {{ keys | join(', ') }} order by sum(value_count) desc, shape) as place
    from (
        {{- linker.text_shapes('texts', keys) }}
    ) as shaped
    group by {{ keys | join(', ') }}, shape
),

shapes as (
    select
        {{ keys | join(',\n        ') }},
        {{ linker.counted_list('shape', 'value_count') }} as patterns
    from shape_counts
    where place <= {{ var('patterns', 5) }}
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{#-
    Of a family, the shards with a value, as a JSON array of names, newest first; null if all that were read have it. Works
    on the relation `tables` of a scan, and `is_in_1`, `is_in_2` … of a group.
-#}
{% macro seen_in(most_members, group) -%}
    {%- set seen = [] -%}
    {%- set names = [] -%}
    {%- for place in range(1, most_members + 1) -%}
        {%- do seen.append(group ~ '.is_in_' ~ place) -%}
        {%- do names.append('case when ' ~ group ~ '.is_in_' ~ place ~ " = 1 then ',' || tables.member_" ~ place ~ " else '' end") -%}
    {%- endfor -%}
    case
        when {{ seen | join(' + ') }} < tables.member_count
            then '[' || substr({{ names | join(' || ') }}, 2) || ']'
    end
{%- endmacro %}
