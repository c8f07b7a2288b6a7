{%- set same_but_key =
    'partition by database_name, schema_name, column_signature, rule_number, lower(prefix), lower(suffix)'
-%}
-- L0: the tables and views that exist, and the family of those that are one logical table with others.

with discovered as (
    {{ linker.discover_tables() }}
),

column_lists as (
    select
        database_name,
        schema_name,
        table_name,
        {{ linker.digest(linker.text_list("column_path || ' ' || data_type", 'position')) }} as column_signature
    from {{ ref('linker_declared_columns') }}
    where depth = 0
    group by database_name, schema_name, table_name
),

signed as (
    select
        discovered.*,
        column_lists.column_signature
    from discovered
    left join column_lists
        on
            discovered.database_name = column_lists.database_name
            and discovered.schema_name = column_lists.schema_name
            and discovered.table_name = column_lists.table_name
    where {{ linker.in_scope('discovered.schema_name') }}
),

family_keys as (
    {{ linker.family_keys('signed') }}
),

-- A group: tables with the same columns whose names differ only in the key that one rule finds.
measured as (
    select
        *,
        count(*) over ({{ same_but_key }}) as group_size,
        min(key_number) over ({{ same_but_key }}) as lowest,
        max(key_number) over ({{ same_but_key }}) as highest,
        min(length(member_key)) over ({{ same_but_key }}) as shortest,
        max(length(member_key)) over ({{ same_but_key }}) as longest,
        sum(case when is_padded then 1 else 0 end) over ({{ same_but_key }}) as padded_keys,
        sum(case when is_percentile then 1 else 0 end) over ({{ same_but_key }}) as percentile_keys,
        sum(case when key_number is null then 1 else 0 end) over ({{ same_but_key }}) as lettered_keys
    from family_keys
),

-- Of the rules that fit a table the one that takes in the most tables decides, and a date counts double:
-- in `events_2019` it is a year among years, and a number among three thousand numbers.
ranked as (
    select
        *,
        row_number() over (
            partition by database_name, schema_name, table_name
            order by case when demand = 'date' then 2 else 1 end * group_size desc, rule_number
        ) as choice
    from measured
    where
        group_size > 1
        and percentile_keys < group_size
        and case demand
            when 'close' then
                padded_keys > 0 or lowest >= 100 or group_size >= 5 or highest - lowest < 10 * group_size
            when 'run' then
                padded_keys > 0 or (group_size > 2 and lowest <= 1 and highest - lowest = group_size - 1)
            when 'hash' then shortest = longest and lettered_keys > 0
            else true
        end
),

-- A table that chose another rule is missing here, so that members are counted anew.
numbered as (
    select
        *,
        count(*) over ({{ same_but_key }}) as member_count,
        row_number() over ({{ same_but_key }} order by sort_key, table_name) as member_number,
        max(sort_key) over ({{ same_but_key }}) as last_sort_key
    from ranked
    where choice = 1
),

ranged as (
    select
        *,
        max(case when member_number = 1 then member_key end) over ({{ same_but_key }}) as first_key,
        max(case when member_number = member_count then member_key end) over ({{ same_but_key }}) as last_key,
        max(case when member_number = member_count then prefix end) over ({{ same_but_key }}) as family_prefix,
        max(case when member_number = member_count then suffix end) over ({{ same_but_key }}) as family_suffix,
        dense_rank() over (
            partition by database_name, schema_name, lower(prefix), lower(suffix)
            order by last_sort_key desc, rule_number, column_signature
        ) as age
    from numbered
    where member_count > 1
),

-- Where the columns changed over the years one name has several families. The newest keeps it, so that its name does
-- not change with every member that is added; the others, which are closed, show their range of keys.
members as (
    select
        database_name,
        schema_name,
        table_name,
        family_prefix
        || case when age = 1 then '*' else first_key || '..' || last_key end
        || family_suffix as family_name,
        key_kind,
        member_key,
        member_number,
        member_number = member_count as is_newest
    from ranged
),

final as (
    select
        signed.database_name,
        signed.schema_name,
        signed.table_name,
        signed.table_kind,
        cast(signed.row_count_estimate as {{ dbt.type_bigint() }}) as row_count_estimate,
        cast(signed.column_count as {{ dbt.type_bigint() }}) as column_count,
        {{ linker.clean_comment('signed.description') }} as description,
        signed.column_signature,
        members.family_name,
        members.key_kind as family_key_kind,
        members.member_key as family_key,
        cast(coalesce(members.member_number, 1) as {{ dbt.type_bigint() }}) as member_number,
        -- The newest member stands for its family: it shows the columns as they are today.
        coalesce(members.is_newest, true) as is_representative
    from signed
    left join members
        on
            signed.database_name = members.database_name
            and signed.schema_name = members.schema_name
            and signed.table_name = members.table_name
)

select
    database_name,
    schema_name,
    table_name,
    table_kind,
    row_count_estimate,
    column_count,
    description,
    column_signature,
    family_name,
    family_key_kind,
    family_key,
    member_number,
    is_representative
from final
