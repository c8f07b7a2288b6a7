{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{%- set same_but_key =
    'partition by database_name, schema_name, shape, rule_number, key_length, lower(prefix), lower(suffix)'
-%}
{#- Reports an invalid join word before any table is read. -#}
{%- do linker.join_words('key') -%}
-- L0: existing tables and views, grouped into sharded table families by the keys in their names.

with discovered as (
    {{- linker.in_scope('(' ~ linker.discover_tables() ~ ')') }}
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
),

family_keys as (
    {{ linker.family_keys('signed') }}
),

-- Columns change over the years: a table has the shape of the newest table of its name if it has most of its columns.
anchored as (
    select
        *,
        first_value(column_signature) over (
            partition by database_name, schema_name, rule_number, lower(prefix), lower(suffix)
            order by sort_key desc, table_name
        ) as newest_signature
    from family_keys
),

drifted as (
    select distinct
        column_signature,
        newest_signature
    from anchored
    where column_signature <> newest_signature
),

shape_columns as (
    select distinct
        signed.column_signature,
        signed.column_count,
        declared.column_path,
        declared.data_type
    from signed
    inner join {{ ref('linker_declared_columns') }} as declared
        on
            signed.database_name = declared.database_name
            and signed.schema_name = declared.schema_name
            and signed.table_name = declared.table_name
    where
        declared.depth = 0
        and (
            signed.column_signature in (select column_signature from drifted)
            or signed.column_signature in (select newest_signature from drifted)
        )
),

alike as (
    select
        drifted.column_signature,
        drifted.newest_signature
    from drifted
    inner join shape_columns as own on drifted.column_signature = own.column_signature
    inner join shape_columns as newest
        on
            drifted.newest_signature = newest.column_signature
            and own.column_path = newest.column_path
            and own.data_type = newest.data_type
    group by drifted.column_signature, drifted.newest_signature
    having 2 * count(*) > greatest(max(own.column_count), max(newest.column_count))
),

shaped as (
    select
        anchored.*,
        coalesce(alike.newest_signature, anchored.column_signature) as shape
    from anchored
    left join alike
        on
            anchored.column_signature = alike.column_signature
            and anchored.newest_signature = alike.newest_signature
),

-- A group: tables of one shape whose names differ only in the key matched by one rule.
measured as (
    select
        *,
        count(*) over ({{ same_but_key }}) as group_size,
        min(key_number) over ({{ same_but_key }}) as lowest,
        max(key_number) over ({{ same_but_key }}) as highest,
        sum(case when is_padded then 1 else 0 end) over ({{ same_but_key }}) as padded_keys,
        sum(case when is_percentile then 1 else 0 end) over ({{ same_but_key }}) as percentile_keys,
        sum(case when is_mixed then 1 else 0 end) over ({{ same_but_key }}) as mixed_keys,
        sum(case when opens_with_letter then 1 else 0 end) over ({{ same_but_key }}) as opening_letters,
        sum(case when ends_with_letter then 1 else 0 end) over ({{ same_but_key }}) as ending_letters,
        sum(case when has_late_letter then 1 else 0 end) over ({{ same_but_key }}) as late_letters
    from shaped
),

-- Of the matching rules, the one that covers most tables wins. Dates count double: `2019` in `events_2019` is one of few
-- years, but one of three thousand numbers.
ranked as (
    select
        *,
        row_number() over (
            partition by database_name, schema_name, table_name
            order by case when key_kind in ('number', 'shard', 'hash') then 1 else 2 end * group_size desc, rule_number
        ) as choice
    from measured
    where
        group_size > 1
        and percentile_keys < group_size
        and case demand
            when 'close' then
                padded_keys > 0 or lowest >= 100 or group_size >= 5
                or (highest >= 10 and highest - lowest < 10 * group_size)
            when 'run' then
                padded_keys > 0 or (group_size > 2 and lowest <= 1 and highest - lowest = group_size - 1)
            when 'hash' then mixed_keys > 0
            when 'digits' then
                late_letters > 0
                and (mixed_keys > 0 or key_length = 1)
                and (
                    (opening_letters > 0 and opening_letters < group_size)
                    or (ending_letters > 0 and ending_letters < group_size)
                )
                and group_size >= case when key_length = 1 then 12 when key_length < 4 then 5 else 3 end
            when 'months' then group_size > 2 or highest - lowest = 1
            when 'five' then group_size >= 5
            when 'weeks' then group_size > 12
            else true
        end
),

-- Tables that chose another rule are missing here, so members are recounted.
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
            order by last_sort_key desc, rule_number, shape
        ) as age
    from numbered
    where member_count > 1
),

-- After columns changed over the years, one name has several families. The newest keeps the name, so that it does
-- not change with every new shard; closed ones show their range of keys. So does the newest if a table has that very
-- name.
members as (
    select
        ranged.database_name,
        ranged.schema_name,
        ranged.table_name,
        family_prefix
        || case
            when age = 1 and namesakes.table_name is null then '*'
            else first_key || '..' || last_key
        end
        || family_suffix as family_name,
        key_kind,
        member_key,
        member_number,
        member_count,
        member_number = member_count as is_newest
    from ranged
    left join signed as namesakes
        on
            ranged.database_name = namesakes.database_name
            and ranged.schema_name = namesakes.schema_name
            and ranged.family_prefix || '*' || ranged.family_suffix = namesakes.table_name
),

documented as (
    {{ linker.project_descriptions(of_columns=false) }}
),

final as (
    select
        signed.database_name,
        signed.schema_name,
        signed.table_name,
        signed.table_kind,
        cast(signed.row_count_estimate as {{ dbt.type_bigint() }}) as row_count_estimate,
        cast(signed.column_count as {{ dbt.type_bigint() }}) as column_count,
        coalesce({{ linker.clean_comment('signed.description') }}, documented.description) as description,
        signed.column_signature,
        members.family_name,
        members.key_kind as family_key_kind,
        members.member_key as family_key,
        cast(coalesce(members.member_number, 1) as {{ dbt.type_bigint() }}) as member_number,
        cast(coalesce(members.member_count, 1) as {{ dbt.type_bigint() }}) as member_count,
        -- The newest shard represents its family with the current columns.
        coalesce(members.is_newest, true) as is_representative
    from signed
    left join members
        on
            signed.database_name = members.database_name
            and signed.schema_name = members.schema_name
            and signed.table_name = members.table_name
    left join documented
        on lower(signed.schema_name) = documented.schema_name and lower(signed.table_name) = documented.table_name
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
    member_count,
    is_representative
from final
{%- endif %}
