{%- set rules = linker.family_rules() -%}
-- L0: the tables and views that exist, and the family of those that are one logical table with others.

with discovered as (
    {{ linker.discover_tables() }}
),

column_lists as (
    select
        database_name,
        schema_name,
        table_name,
        md5({{ linker.text_list("column_path || ' ' || data_type", 'position') }}) as column_signature
    from {{ ref('linker_columns') }}
    where depth = 0
    group by database_name, schema_name, table_name
),

ruled as (
    select
        discovered.*,
        column_lists.column_signature,
        case
            when discovered.table_kind <> 'table' then null
            {%- for rule in rules %}
            when {{ linker.regex_extract('discovered.table_name', rule.key) }} is not null then {{ loop.index }}
            {%- endfor %}
        end as rule_number
    from discovered
    inner join column_lists
        on
            discovered.database_name = column_lists.database_name
            and discovered.schema_name = column_lists.schema_name
            and discovered.table_name = column_lists.table_name
    where {{ linker.in_scope('discovered.schema_name') }}
),

keyed as (
    select
        *,
        case rule_number
            {%- for rule in rules %}
            when {{ loop.index }} then {{ linker.literal(rule.kind) }}
            {%- endfor %}
        end as key_kind,
        case rule_number
            {%- for rule in rules %}
            when {{ loop.index }} then {{ linker.regex_extract('table_name', rule.stem) }}
            {%- endfor %}
        end as stem,
        case rule_number
            {%- for rule in rules %}
            when {{ loop.index }} then {{ linker.regex_extract('table_name', rule.key) }}
            {%- endfor %}
        end as member_key
    from ruled
),

-- Dates sort as they are written; numbers are padded, so that shard 10 comes after shard 9.
numbered as (
    select
        *,
        count(*) over (
            partition by database_name, schema_name, stem, rule_number, column_signature
        ) as member_count,
        row_number() over (
            partition by database_name, schema_name, stem, rule_number, column_signature
            order by case when key_kind = 'number' then lpad(member_key, 40, '0') else member_key end
        ) as member_number
    from keyed
),

ranged as (
    select
        *,
        coalesce(rule_number is not null and member_count > 1, false) as is_member,
        min(case when member_number = 1 then member_key end) over (
            partition by database_name, schema_name, stem, rule_number, column_signature
        ) as first_key,
        min(case when member_number = member_count then member_key end) over (
            partition by database_name, schema_name, stem, rule_number, column_signature
        ) as last_key
    from numbered
),

-- Where the columns changed over the years one stem has several families; the range of keys then tells them apart.
named as (
    select
        *,
        case
            when not is_member then null
            when
                min(case when is_member then rule_number end) over (partition by database_name, schema_name, stem)
                = max(case when is_member then rule_number end) over (partition by database_name, schema_name, stem)
                and min(case when is_member then column_signature end) over (partition by database_name, schema_name, stem)
                = max(case when is_member then column_signature end) over (partition by database_name, schema_name, stem)
                then stem || '*'
            else stem || first_key || '..' || last_key
        end as family_name
    from ranged
),

final as (
    select
        database_name,
        schema_name,
        table_name,
        table_kind,
        cast(row_count_estimate as bigint) as row_count_estimate,
        cast(column_count as bigint) as column_count,
        cast(description as {{ dbt.type_string() }}) as description,
        column_signature,
        family_name,
        case when is_member then key_kind end as family_key_kind,
        case when is_member then member_key end as family_key,
        cast(case when is_member then member_number else 1 end as bigint) as member_number,
        -- The newest member stands for its family: it shows the columns as they are today.
        not is_member or member_number = member_count as is_representative
    from named
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
