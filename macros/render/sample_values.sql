{#-
    Sampled values, one per row: `all_values` (column_number, sub_path, value_kind, privacy, row_order, member_place, value,
    number). `sub_path` is '' for the column itself; in JSON it is the path inside the document, known from values only.
-#}
{% macro sample_values(portions, documents) -%}
    {%- set selects = [] -%}
    {%- for portion in portions -%}
        {%- set collected = portion.scanned.columns | selectattr('is_collected') | list -%}
        {%- if collected -%}
            {%- set base_numbers = collected | map(attribute='base_number') | unique | list -%}
            {%- do selects.append(
                linker.unnest_sample('scan_' ~ loop.index, base_numbers, collected, portion.table.members | length > 1)
            ) -%}
        {%- endif -%}
    {%- endfor -%}
sample_values as {{ linker.dialect().materialized }}(
    {%- for values in selects %}
    select column_number, row_order, member_place, value, number
    from ({{ values }}) as sampled_{{ loop.index }}
    {{ 'union all' if not loop.last }}
    {%- else %}
    select 0 as column_number, cast(null as {{ linker.dialect().double_type }}) as row_order, 1 as member_place, cast(null as {{ dbt.type_string() }}) as value, cast(null as {{ linker.dialect().double_type }}) as number
    from scan_1
    where 1 = 0
{% endfor %}
),

{% if documents -%}
{{ linker._documents_and_leaves(documents) }},

{% endif -%}
all_values as {{ linker.dialect().materialized }}(
    select
        sample_values.column_number,
        '' as sub_path,
        names.element_kind as value_kind,
        names.privacy,
        sample_values.row_order,
        sample_values.member_place,
        sample_values.value,
        sample_values.number
    from sample_values
    inner join names on sample_values.column_number = names.column_number
    {%- if documents %}
    where sample_values.column_number not in ({{ documents | map(attribute='column_number') | join(', ') }})

    union all

    select
        leaves.column_number,
        leaves.sub_path,
        leaf_kinds.value_kind,
        leaf_kinds.privacy,
        cast(null as {{ linker.dialect().double_type }}) as row_order,
        leaves.member_place,
        case when leaf_kinds.privacy <> 'hide' then left(leaves.value, {{ linker.longest('value') }}) end as value,
        case
            when leaf_kinds.privacy <> 'hide' and leaf_kinds.value_kind in ('integer', 'number') then {{ linker.try_cast('leaves.value', 'number') }}
        end as number
    from leaves
    inner join leaf_kinds
        on leaves.column_number = leaf_kinds.column_number and leaves.sub_path = leaf_kinds.sub_path
    {%- endif %}
)
{%- endmacro %}

{#-
    The first documents of the sample (equally many per shard), their leaves, and the widest type of each path.
    Documents are numbered by column, plus a million per preceding shard.
-#}
{% macro _documents_and_leaves(documents) -%}
documents as (
    select column_number + 1000000 * (member_place - 1) as column_number, value
    from (
        select
            column_number,
            member_place,
            value,
            row_number() over (partition by column_number order by place_in_member, member_place) as place
        from (
            select
                column_number,
                member_place,
                value,
                row_number() over (partition by column_number, member_place order by row_order) as place_in_member
            from sample_values
            where column_number in ({{ documents | map(attribute='column_number') | join(', ') }}) and value is not null
        ) as numbered_in_member
    ) as numbered
    where place <= {{ var('json_sample_rows', 1000) }}
),

document_counts as (
    select column_number, count(value) as document_count
    from sample_values
    where column_number in ({{ documents | map(attribute='column_number') | join(', ') }})
    group by column_number
),

laid_bare as {{ linker.dialect().materialized }}(
    select
        mod(column_number, 1000000) as column_number,
        1 + cast(floor(column_number / 1000000) as {{ dbt.type_bigint() }}) as member_place,
        sub_path,
        leaf_kind,
        value
    from (
        {{- linker.json_leaves() }}
    ) as leaves_of_documents
),

{{ linker.leaves_with_maps(documents) }},

leaf_kinds as {{ linker.dialect().materialized }}(
    select
        column_number,
        sub_path,
        case
            when max(case when leaf_kind = 'text' then 1 else 0 end) = 1 then 'text'
            when max(case when leaf_kind = 'number' then 1 else 0 end) = 1 then 'number'
            when max(case when leaf_kind = 'integer' then 1 else 0 end) = 1 then 'integer'
            when max(case when leaf_kind = 'boolean' then 1 else 0 end) = 1 then 'boolean'
            when max(case when leaf_kind = 'struct' then 1 else 0 end) = 1 then 'struct'
            else 'json'
        end as value_kind,
        {{ linker._strictest('privacy') }} as privacy,
        row_number() over (partition by column_number order by count(*) desc, sub_path) as place
    from found_leaves
    group by column_number, sub_path
),

leaves as (
    select found_leaves.*
    from found_leaves
    inner join leaf_kinds
        on found_leaves.column_number = leaf_kinds.column_number and found_leaves.sub_path = leaf_kinds.sub_path
    where leaf_kinds.place <= {{ var('json_paths', 200) }}
)
{%- endmacro %}
