-- The families of the inventory, and the siblings: logical tables with the same columns whose names differ
-- in more than a key. Siblings are look-alikes and are never merged.

with tables as (
    select
        database_name,
        schema_name,
        table_name,
        coalesce(family_name, table_name) as logical_name,
        column_signature,
        family_name,
        family_key_kind,
        family_key,
        member_number,
        is_representative
    from {{ ref('linker_tables') }}
    where table_kind = 'table'
),

families as (
    select
        database_name,
        schema_name,
        family_name as group_name,
        'family' as kind,
        family_key_kind as key_kind,
        max(case when member_number = 1 then family_key end) as first_key,
        max(case when is_representative then family_key end) as last_key,
        count(*) as member_count,
        {{ linker.text_list('table_name', 'member_number') }} as members,
        max(case when is_representative then table_name end) as representative,
        'same columns in the same order; the names differ only in a ' || family_key_kind || ' at their end' as rule
    from tables
    where family_name is not null
    group by database_name, schema_name, family_name, family_key_kind
),

siblings as (
    select
        database_name,
        schema_name,
        min(logical_name) as group_name,
        'siblings' as kind,
        cast(null as {{ dbt.type_string() }}) as key_kind,
        cast(null as {{ dbt.type_string() }}) as first_key,
        cast(null as {{ dbt.type_string() }}) as last_key,
        count(*) as member_count,
        {{ linker.text_list('logical_name', 'logical_name') }} as members,
        cast(null as {{ dbt.type_string() }}) as representative,
        'same columns in the same order; the names differ in more than a key' as rule
    from tables
    where is_representative
    group by database_name, schema_name, column_signature
    having count(*) > 1
),

final as (
    select * from families
    union all
    select * from siblings
)

select
    database_name,
    schema_name,
    group_name,
    kind,
    key_kind,
    first_key,
    last_key,
    member_count,
    members,
    representative,
    rule
from final
