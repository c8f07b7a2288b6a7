{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{#-
    Rules for tables that differ only in version or region, as a list of {kind, before, key}, like `family_rules`.
    Neither makes a family: the rows of a family add up to one table, but versions repeat each other, so adding them counts
    everything twice, and regions are separate tables.
-#}
{%- set version = '(?:' ~ linker.family_words('version') | join('|') ~ ')[_-]?[0-9]+(?:[._p-][0-9]+)*' -%}
{%- set corner = '(?:[_-](?:' ~ linker.family_words('corner') | join('|') ~ ')(?:[_-]?[0-9])?)?' -%}
{%- set region = '(?:' ~ linker.family_words('region') | join('|') ~ ')' ~ corner -%}
{%- set rules = [
    {'kind': 'version', 'before': '^(.*[^a-z0-9])' ~ version ~ '[^a-z0-9]', 'key': '^(' ~ version ~ ')[^a-z0-9]'},
    {'kind': 'region', 'before': '^(.*[^a-z0-9])' ~ region ~ '[^a-z0-9]', 'key': '^(' ~ region ~ ')[^a-z0-9]'},
] -%}
-- Families of the inventory, and siblings: logical tables with the same columns whose names differ in another part, or that
-- are in several schemas. Siblings are look-alikes and are never merged.
-- depends_on: {{ ref('linker_runs') }}

with tables as (
    select
        database_name,
        schema_name,
        table_name,
        coalesce(family_name, table_name) as logical_name,
        column_signature,
        row_count_estimate,
        family_name,
        family_key_kind,
        family_key,
        member_number,
        is_representative
    from {{ ref('linker_tables') }}
    where table_kind = 'table' and column_signature is not null
),

grouped as (
    select
        database_name,
        schema_name,
        family_name as group_name,
        family_key_kind as key_kind,
        max(case when member_number = 1 then family_key end) as first_key,
        max(case when is_representative then family_key end) as last_key,
        count(*) as member_count,
        {{ linker.text_list('table_name', 'member_number') }} as members,
        max(case when is_representative then table_name end) as representative,
        -- Catalog statistics of the shards, if known for all.
        case when count(row_count_estimate) = count(*) then sum(row_count_estimate) end as all_rows,
        max(case when is_representative then row_count_estimate end) as newest_rows,
        count(distinct column_signature) > 1 as has_drifted
    from tables
    where family_name is not null
    group by database_name, schema_name, family_name, family_key_kind
),

-- Shards with the same columns are represented by one.
shapes as (
    select
        *,
        row_number() over (
            partition by database_name, schema_name, family_name, column_signature order by member_number desc
        ) as shape_place
    from tables
    where family_name is not null
),

held_columns as (
    select
        shapes.database_name,
        shapes.schema_name,
        shapes.family_name,
        shapes.member_number,
        declared.column_path,
        declared.position,
        row_number() over (
            partition by shapes.database_name, shapes.schema_name, shapes.family_name, declared.column_path
            order by shapes.member_number desc
        ) as holder_place
    from shapes
    inner join {{ ref('linker_declared_columns') }} as declared
        on
            shapes.database_name = declared.database_name
            and shapes.schema_name = declared.schema_name
            and shapes.table_name = declared.table_name
    where shapes.shape_place = 1 and declared.depth = 0
),

placed_columns as (
    select
        *,
        row_number() over (
            partition by database_name, schema_name, family_name order by member_number desc, position
        ) as place
    from held_columns
    where holder_place = 1
),

family_columns as (
    select
        database_name,
        schema_name,
        family_name,
        {{ linker.text_list('column_path', 'place') }} as column_names
    from placed_columns
    group by database_name, schema_name, family_name
),

scanned_families as (
    {{ linker.scanned_families(ref('linker_scans'), ref('linker_attempts')) }}
),

read_members as (
    select
        attempt_id,
        count(*) as read_count
    from ({{ linker.json_texts('scanned_families', 'members') }}) as listed
    group by attempt_id
),

families as (
    select
        grouped.database_name,
        grouped.schema_name,
        grouped.group_name,
        coalesce(scanned_families.kind, 'partitions') as kind,
        grouped.key_kind,
        grouped.first_key,
        grouped.last_key,
        grouped.member_count,
        grouped.members,
        grouped.representative,
        scanned_families.members as members_read,
        cast(
            case when scanned_families.kind = 'snapshots' then grouped.newest_rows else grouped.all_rows end
            as {{ dbt.type_bigint() }}
        ) as row_count,
        family_columns.column_names,
        grouped.has_drifted,
        case when grouped.has_drifted then 'most columns are the same' else 'same columns in the same order' end
        || '; the names differ only in the ' || grouped.key_kind
        || coalesce(
            '; profiled from ' || cast(read_members.read_count as {{ dbt.type_string() }})
            || ' of ' || cast(grouped.member_count as {{ dbt.type_string() }}) || ' members',
            ''
        )
        || coalesce('; ' || scanned_families.evidence, '') as rule
    from grouped
    left join scanned_families
        on
            grouped.database_name = scanned_families.database_name
            and grouped.schema_name = scanned_families.schema_name
            and grouped.group_name = scanned_families.table_name
    left join read_members on scanned_families.attempt_id = read_members.attempt_id
    left join family_columns
        on
            grouped.database_name = family_columns.database_name
            and grouped.schema_name = family_columns.schema_name
            and grouped.group_name = family_columns.family_name
),

opened as (
    select
        *,
        {%- for rule in rules %}
        {{ linker.regex_extract("'_' || lower(logical_name) || '_'", rule.before) }} as before_{{ rule.kind }},
        {%- endfor %}
        '_' || lower(logical_name) || '_' as padded_name
    from tables
    where is_representative
),

-- Names without version and region.
bared as (
    select
        *,
        {%- for rule in rules %}
        before_{{ rule.kind }} || '*' || substr(
            padded_name,
            length(before_{{ rule.kind }}) + 1
            + length({{ linker.regex_extract('substr(padded_name, length(before_' ~ rule.kind ~ ') + 1)', rule.key) }})
        ) as without_{{ rule.kind }}{{ ',' if not loop.last }}
        {%- endfor %}
    from opened
),

look_alikes as (
    select
        database_name,
        schema_name,
        min(logical_name) as group_name,
        case
            {%- for rule in rules %}
            when
                count(without_{{ rule.kind }}) = count(*)
                and min(without_{{ rule.kind }}) = max(without_{{ rule.kind }})
                then '{{ rule.kind }}'
            {%- endfor %}
        end as key_kind,
        count(*) as member_count,
        {{ linker.text_list('logical_name', 'logical_name') }} as members
    from bared
    group by database_name, schema_name, column_signature
    having count(*) > 1
),

siblings as (
    select
        database_name,
        schema_name,
        group_name,
        'siblings' as kind,
        key_kind,
        cast(null as {{ dbt.type_string() }}) as first_key,
        cast(null as {{ dbt.type_string() }}) as last_key,
        member_count,
        members,
        cast(null as {{ dbt.type_string() }}) as representative,
        cast(null as {{ dbt.type_string() }}) as members_read,
        cast(null as {{ dbt.type_bigint() }}) as row_count,
        cast(null as {{ dbt.type_string() }}) as column_names,
        1 = 0 as has_drifted,
        case
            when key_kind is null then 'same columns in the same order; the names differ in more than a key'
            else 'same columns in the same order; the names differ only in the ' || key_kind
                || ', which tells different things apart'
        end as rule
    from look_alikes
),

schema_copies as (
    {{- linker.schema_copies('tables', linker.newest_column_scans(ref('linker_scans'), ref('linker_attempts'))) }}
),

final as (
    select * from families
    union all
    select * from siblings
    union all
    select * from schema_copies
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
    members_read,
    row_count,
    column_names,
    has_drifted,
    rule
from final
{%- endif %}
