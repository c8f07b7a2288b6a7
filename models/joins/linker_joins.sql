{%- set double = linker.double_type() -%}
-- How tables join: what the warehouse declares, what dbt tests, and what names and measures speak for.
-- depends_on: {{ ref('linker_measured_joins') }}

with candidates as (
    select
        candidates.*,
        measures.sampled_values,
        cast(measures.found_values as {{ double }}) / nullif(measures.sampled_values, 0) as containment,
        coalesce(
            measures.key_uniqueness,
            cast(candidates.to_distinct_count as {{ double }}) / nullif(candidates.to_value_count, 0)
        ) as key_uniqueness
    from {{ ref('linker_join_candidates') }} as candidates
    inner join {{ ref('linker_join_measures') }} as measures on {{ linker.same_join('measures', 'candidates') }}
),

logical_tables as (
    select
        database_name,
        schema_name,
        table_name as physical_name,
        coalesce(family_name, table_name) as table_name
    from {{ ref('linker_tables') }}
),

known_columns as (
    select 'declared' as origin, keys.* from ({{ linker.declared_keys() }}) as keys
    union all
    select 'tested' as origin, keys.* from ({{ linker.tested_keys() }}) as keys
),

-- Spelt as the catalogue spells them: dbt's own files may differ in case.
placed_columns as (
    select
        known_columns.origin,
        known_columns.key_name,
        known_columns.position,
        pointing.database_name as from_database,
        pointing.schema_name as from_schema,
        pointing.table_name as from_table,
        from_columns.column_path as from_path,
        keys.database_name as to_database,
        keys.schema_name as to_schema,
        keys.table_name as to_table,
        to_columns.column_path as to_path
    from known_columns
    inner join logical_tables as pointing
        on
            lower(known_columns.from_schema) = lower(pointing.schema_name)
            and lower(known_columns.from_table) = lower(pointing.physical_name)
    inner join {{ ref('linker_declared_columns') }} as from_columns
        on
            pointing.database_name = from_columns.database_name
            and pointing.schema_name = from_columns.schema_name
            and pointing.physical_name = from_columns.table_name
            and from_columns.depth = 0
            and lower(known_columns.from_column) = lower(from_columns.column_name)
    inner join logical_tables as keys
        on
            lower(known_columns.to_schema) = lower(keys.schema_name)
            and lower(known_columns.to_table) = lower(keys.physical_name)
    inner join {{ ref('linker_declared_columns') }} as to_columns
        on
            keys.database_name = to_columns.database_name
            and keys.schema_name = to_columns.schema_name
            and keys.physical_name = to_columns.table_name
            and to_columns.depth = 0
            and lower(known_columns.to_column) = lower(to_columns.column_name)
),

known_keys as (
    select
        min(origin) as origin,
        from_database, from_schema, from_table, from_columns, to_database, to_schema, to_table, to_columns
    from (
        select
            origin, key_name, from_database, from_schema, from_table, to_database, to_schema, to_table,
            {{ linker.text_list('from_path', 'position') }} as from_columns,
            {{ linker.text_list('to_path', 'position') }} as to_columns
        from placed_columns
        group by origin, key_name, from_database, from_schema, from_table, to_database, to_schema, to_table
    ) as listed
    group by from_database, from_schema, from_table, from_columns, to_database, to_schema, to_table, to_columns
),

-- What names and values are worth, each from 0 to 1.
weighed as (
    select
        *,
        least(1.0, from_distinct_count * containment / nullif(to_distinct_count, 0)) as coverage,
        least(
            1.0,
            0.9 * name_weight + case when to_is_home then 0.05 else 0 end + case when to_is_main then 0.05 else 0 end
        ) as name_evidence,
        -- Texts are found in a key by chance only where they are few and short; small numbers are found in every key.
        case
            when from_kinds like '%text%' then case
                when sampled_values >= 10 then 0.8
                when sampled_values >= 4 or from_text_length >= 6 then 0.6
                else 0.3
            end
            else
                0.5 * range_fit * case when sampled_values >= 20 then 1.0 when sampled_values >= 5 then 0.5 else 0.2 end
                + 0.3 * least(1.0, 1.0 * from_distinct_count / nullif(to_distinct_count, 0))
        end as value_evidence
    from candidates
    where containment >= 0.5
),

trusted as (
    select
        *,
        (1 - (1 - name_evidence) * (1 - value_evidence))
        * case
            when containment >= 0.999 then 1.0
            when name_weight >= 0.8 then containment * containment
            else power(containment, 6)
        end
        * case
            when name_rule = 'name of the thing' and name_weight < 0.7 and from_schema <> to_schema then 0.7
            else 1.0
        end as confidence
    from weighed
    where
        not from_is_main
        and not (from_is_first and name_weight < 0.6 and from_kinds like '%integer%')
        and (column_count = 1 or (key_uniqueness > 0.999 and containment > 0.99))
        -- A unique column that is not contained is the wider one of the two.
        and not (from_is_unique and containment < 0.99)
),

-- A key that is contained in another of the same name is the copy of it.
copies as (
    select distinct from_database, from_schema, from_table, from_columns
    from trusted
    where from_is_unique and name_rule = 'same name' and confidence >= 0.8
),

-- Columns that names lead to a table: what else is found there in values alone came along with them.
led_by_name as (
    select distinct from_database, from_schema, from_table, to_database, to_schema, to_table
    from trusted
    where name_rule <> 'values alone' and confidence >= 0.8
),

ranked as (
    select
        trusted.*,
        row_number() over (
            partition by trusted.from_database, trusted.from_schema, trusted.from_table, trusted.from_columns
            order by
                trusted.confidence
                + case when trusted.from_schema = trusted.to_schema then 0.05 else 0 end
                + case when trusted.to_is_home then 0.1 else 0 end
                + case when copies.from_table is not null then -0.1 else 0 end
                + 0.05 * trusted.coverage desc,
                trusted.to_schema, trusted.to_table, trusted.to_columns
        ) as place
    from trusted
    left join copies
        on
            trusted.to_database = copies.from_database
            and trusted.to_schema = copies.from_schema
            and trusted.to_table = copies.from_table
            and trusted.to_columns = copies.from_columns
    left join led_by_name
        on
            trusted.from_database = led_by_name.from_database
            and trusted.from_schema = led_by_name.from_schema
            and trusted.from_table = led_by_name.from_table
            and trusted.to_database = led_by_name.to_database
            and trusted.to_schema = led_by_name.to_schema
            and trusted.to_table = led_by_name.to_table
    where trusted.name_rule <> 'values alone' or trusted.to_is_main or led_by_name.from_table is null
),

inferred as (
    select * from ranked where place = 1 and confidence >= {{ var('join_confidence', 0.55) }}
),

columns_known as (
    select distinct from_database, from_schema, from_table, from_columns from known_keys
),

edges as (
    select
        known_keys.from_database, known_keys.from_schema, known_keys.from_table, known_keys.from_columns,
        known_keys.to_database, known_keys.to_schema, known_keys.to_table, known_keys.to_columns,
        known_keys.origin,
        cast(null as {{ dbt.type_string() }}) as name_rule,
        weighed.key_uniqueness, weighed.containment, weighed.coverage, weighed.from_value_count, weighed.from_distinct_count,
        weighed.sampled_values,
        case known_keys.origin when 'declared' then 1.0 else 0.99 end as confidence
    from known_keys
    left join weighed
        on
            known_keys.from_database = weighed.from_database
            and known_keys.from_schema = weighed.from_schema
            and known_keys.from_table = weighed.from_table
            and known_keys.from_columns = weighed.from_columns
            and known_keys.to_database = weighed.to_database
            and known_keys.to_schema = weighed.to_schema
            and known_keys.to_table = weighed.to_table
            and known_keys.to_columns = weighed.to_columns

    union all

    select
        inferred.from_database, inferred.from_schema, inferred.from_table, inferred.from_columns,
        inferred.to_database, inferred.to_schema, inferred.to_table, inferred.to_columns,
        'inferred' as origin,
        inferred.name_rule,
        inferred.key_uniqueness, inferred.containment, inferred.coverage, inferred.from_value_count,
        inferred.from_distinct_count, inferred.sampled_values,
        least(inferred.confidence, 0.98) as confidence
    from inferred
    left join columns_known
        on
            inferred.from_database = columns_known.from_database
            and inferred.from_schema = columns_known.from_schema
            and inferred.from_table = columns_known.from_table
            and inferred.from_columns = columns_known.from_columns
    where columns_known.from_table is null
),

final as (
    select
        from_database,
        from_schema,
        from_table,
        from_columns,
        to_database,
        to_schema,
        to_table,
        to_columns,
        origin,
        name_rule,
        cast(key_uniqueness as {{ double }}) as key_uniqueness,
        cast(containment as {{ double }}) as containment,
        cast(coverage as {{ double }}) as coverage,
        cast(from_value_count as {{ double }}) / nullif(from_distinct_count, 0) as fan_out,
        cast(sampled_values as bigint) as sampled_values,
        cast(confidence as {{ double }}) as confidence,
        case origin
            when 'declared' then 'declared as a foreign key'
            when 'tested' then 'tested by dbt'
            else name_rule
        end
        || coalesce(
            '; the key holds ' || cast(cast(floor(100 * containment) as bigint) as {{ dbt.type_string() }}) || ' % of '
            || cast(sampled_values as {{ dbt.type_string() }}) || ' sampled values, and '
            || cast(cast(floor(100 * key_uniqueness) as bigint) as {{ dbt.type_string() }}) || ' % of its own are distinct',
            ''
        ) as evidence
    from edges
)

select
    from_database,
    from_schema,
    from_table,
    from_columns,
    to_database,
    to_schema,
    to_table,
    to_columns,
    origin,
    name_rule,
    key_uniqueness,
    containment,
    coverage,
    fan_out,
    sampled_values,
    confidence,
    evidence
from final
