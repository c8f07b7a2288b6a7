{#- Siblings: tables with identical columns that are no family, told apart by version, region or schema. -#}

{#-
    Tables in schemas that are copies of each other: schemas whose names differ in the first or last part or a trailing
    number, and most of whose tables exist in another one with the same columns.
    Takes logical tables with their measures; returns groups as rows of `linker_families`, with the common part of the
    schema names and a `*` as schema_name. A schema of one table is no copy.
-#}
{% macro schema_copies(tables, scans) %}
    {%- set rules = [
        {'kept': '^(.*[^a-z0-9])[a-z0-9]+$', 'is_front': true},
        {'kept': '^(.*[a-z])[0-9]+$', 'is_front': true},
        {'kept': '^[a-z0-9]+([^a-z0-9].*)$', 'is_front': false},
    ] %}
    with logical_tables as (
        select
            database_name,
            schema_name,
            logical_name,
            column_signature,
            lower(logical_name) as folded_name,
            lower(schema_name) as folded_schema,
            count(*) over (partition by database_name, schema_name) as table_count
        from {{ tables }}
        where is_representative
    ),

    kept as (
        {%- for rule in rules %}
        select
            logical_tables.*,
            {{ loop.index }} as rule_number,
            {{ linker.regex_extract('folded_schema', rule.kept) }} as kept_part
        from logical_tables
        {{ 'union all' if not loop.last }}
        {%- endfor %}
    ),

    keyed as (
        select
            *,
            case rule_number
                {%- for rule in rules %}
                when {{ loop.index }} then substr(folded_schema, {{ 'length(kept_part) + 1' if rule.is_front else '1, length(folded_schema) - length(kept_part)' }})
                {%- endfor %}
            end as schema_key,
            count(*) over (
                partition by database_name, rule_number, kept_part, folded_name, column_signature
            ) as holder_count
        from kept
        where kept_part is not null
    ),

    judged as (
        select
            *,
            sum(case when holder_count > 1 then 1 else 0 end) over (
                partition by database_name, schema_name, rule_number
            ) as shared_count,
            case
                when {{ linker.regex_matches('kept_part', '^dbt[^a-z]') }} then 1
                when schema_key in ({{ linker._literals(linker.family_words('environment')) }}) then 1
                else 0
            end as is_environment,
            case when schema_key in ({{ linker._literals(linker.family_words('region')) }}) then 1 else 0 end as is_region
        from keyed
    ),

    named_alike as (
        select
            *,
            count(*) over (partition by database_name, rule_number, kept_part, folded_name) as schema_count
        from judged
        where shared_count > 1 and 2 * shared_count > table_count
    ),

    -- A schema that matches two rules belongs to the larger group.
    chosen as (
        select
            *,
            row_number() over (
                partition by database_name, schema_name, logical_name
                order by is_environment, schema_count desc, rule_number
            ) as choice
        from named_alike
        where schema_count > 1
    ),

    figures as (
        select
            database_name,
            schema_name,
            table_name,
            {{ linker.digest(linker.text_list(
                "column_path || ' ' || cast(row_count as " ~ dbt.type_string() ~ ") || ' ' || coalesce(min_value, '') || ' ' || coalesce(max_value, '')",
                'column_path'
            )) }} as figures
        from ({{ scans }}) as measured
        where row_count > 0 and not is_discovered
        group by database_name, schema_name, table_name
    ),

    grouped as (
        select
            chosen.database_name,
            chosen.rule_number,
            chosen.kept_part,
            min(chosen.logical_name) as group_name,
            min(chosen.schema_key) as first_key,
            max(chosen.schema_key) as last_key,
            count(*) as member_count,
            {{ linker.text_list("chosen.schema_name || '.' || chosen.logical_name", 'chosen.schema_name') }} as members,
            count(distinct chosen.column_signature) > 1 as has_drifted,
            max(chosen.is_environment) = 1 as is_environment,
            min(chosen.is_region) = 1 as is_region,
            count(figures.figures) = count(*) and count(distinct figures.figures) = 1 as has_same_rows,
            count(figures.figures) = count(*) and count(distinct figures.figures) = count(*) as has_other_rows
        from chosen
        left join figures
            on
                chosen.database_name = figures.database_name
                and chosen.schema_name = figures.schema_name
                and chosen.logical_name = figures.table_name
        where chosen.choice = 1
        group by chosen.database_name, chosen.rule_number, chosen.kept_part, chosen.folded_name
        having count(*) > 1
    )

    select
        database_name,
        case rule_number
            {%- for rule in rules %}
            when {{ loop.index }} then {{ "kept_part || '*'" if rule.is_front else "'*' || kept_part" }}
            {%- endfor %}
        end as schema_name,
        group_name,
        'siblings' as kind,
        case
            when is_environment or has_same_rows then 'environment'
            when is_region then 'region'
            else 'schema'
        end as key_kind,
        first_key,
        last_key,
        member_count,
        members,
        cast(null as {{ dbt.type_string() }}) as representative,
        cast(null as {{ dbt.type_string() }}) as members_read,
        cast(null as {{ dbt.type_bigint() }}) as row_count,
        cast(null as {{ dbt.type_string() }}) as column_names,
        has_drifted,
        'the same table in schemas that have most tables in common and whose names differ in one part'
        || case when has_same_rows then '; the same figures in each' when has_other_rows then '; other figures in each' else '' end
        as rule
    from grouped
{% endmacro %}
