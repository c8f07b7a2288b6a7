{{ config(pre_hook="{{ linker.measure_joins() }}") }}
{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{%- set double = linker.dialect().double_type -%}
{#- The layer prefix of a table, `stg` of `stg_customers`; else null. -#}
{%- set layers = '^(' ~ linker.join_words('layer') | join('|') ~ ')_' -%}
{%- set from_layer = linker.regex_extract(linker.snake_case('trusted.from_table'), layers) -%}
{%- set to_layer = linker.regex_extract(linker.snake_case('trusted.to_table'), layers) -%}
-- Joins that are declared, tested by dbt or documented, and inferred ones with their measures.

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
    where measures.sampled_values is not null
),

known_keys as (
    {{ linker.known_joins(ref('linker_tables'), ref('linker_declared_columns')) }}
),

weighed as (
    {{ linker.weighed_joins('candidates') }}
),

trusted as (
    select *
    from weighed
    where
        -- A first column that is unique counts the rows of its own table.
        not (from_is_first and name_weight < 0.6 and coalesce(surprise < 20, false))
        and (column_count = 1 or (key_uniqueness > 0.999 and containment > 0.99))
        -- A unique column that is not contained is the containing side.
        and not (from_is_unique and containment < 0.99)
        -- Two unique columns of one table are two names of the same row.
        and not (from_is_unique and from_database = to_database and from_schema = to_schema and from_table = to_table)
        -- Two values occur anywhere, so the name of a table's primary key must support the join. A single value
        -- proves nothing; the name decides.
        and (sampled_values >= 3 or (to_is_home and name_weight > case sampled_values when 2 then 0.5 else 0.8 end))
),

-- A key that is contained in another is a copy of it, or a table that extends the other one to one.
copies as (
    select distinct from_database, from_schema, from_table, from_columns
    from trusted
    where from_is_unique and (name_rule = 'same name' or name_weight >= 0.85) and trust >= 0.8
),

-- Table pairs joined by name, and whether by the table's own key.
led_by_name as (
    select
        from_database, from_schema, from_table, to_database, to_schema, to_table,
        max(case when to_is_main and column_count = 1 then 1 else 0 end) = 1 as leads_to_main
    from trusted
    where name_rule <> 'values alone' and trust >= 0.8
    group by from_database, from_schema, from_table, to_database, to_schema, to_table
),

ranked as (
    select
        trusted.*,
        -- Other matches are coincidental: a number or name next to the key.
        trusted.trust
        * case when led_by_name.leads_to_main and not trusted.to_is_main and trusted.column_count = 1 then 0.85 else 1.0 end as confidence,
        row_number() over (
            partition by trusted.from_database, trusted.from_schema, trusted.from_table, trusted.from_columns
            order by
                trusted.trust
                + case when trusted.from_schema <> trusted.to_schema then 0 when trusted.name_rule = 'values alone' then 0.05 else 0.15 end
                -- `stg_orders` points to `stg_customers`.
                + case when {{ from_layer }} = {{ to_layer }} then 0.1 else 0 end
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
        case known_keys.origin when 'declared' then 1.0 when 'tested' then 0.99 else 0.95 end as confidence
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
        case
            when coalesce(from_value_count, 0) = 0 or key_uniqueness is null then null
            when key_uniqueness < 0.999 then 'n:m'
            when from_distinct_count = from_value_count then '1:1'
            else 'n:1'
        end as cardinality,
        cast(sampled_values as bigint) as sampled_values,
        cast(confidence as {{ double }}) as confidence,
        case origin
            when 'declared' then 'declared as a foreign key'
            when 'tested' then 'tested by dbt'
            when 'documented' then 'documented in Apache Ossie'
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
    cast(cardinality as {{ dbt.type_string() }}) as cardinality,
    sampled_values,
    confidence,
    evidence
from final
{%- endif %}
