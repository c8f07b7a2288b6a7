{#-
    JSON objects that are maps, whose keys are data, as in {"a@example.com": 1, "b@example.com": 2}. As paths they
    would be an unlimited number of columns without PII detection. Map values share one path, which ends in the step
    `*`; the keys are values at the map's path. From `laid_bare` (column_number, member_place, sub_path, leaf_kind,
    value) to `found_leaves`, which adds `privacy`: the strictest of the merged paths.
-#}
{% macro leaves_with_maps(documents) -%}
paths_0 as (
    select
        column_number,
        sub_path,
        case column_number
            {%- for document in documents %}
            when {{ document.column_number }} then {{ document.privacy }}
            {%- endfor %}
        end as privacy
    from (select distinct column_number, sub_path from laid_bare) as found
),

leaves_0 as (
    select laid_bare.*, paths_0.privacy
    from laid_bare
    inner join paths_0 on laid_bare.column_number = paths_0.column_number and laid_bare.sub_path = paths_0.sub_path
    where paths_0.privacy <> 'exclude'
),
{#- Nested maps: outer ones first, since a single inner map may have too few keys. #}
{%- for merged in ['leaves_1', 'found_leaves'] %}
{%- set level, leaves = loop.index, 'leaves_' ~ loop.index0 %}
{#- The common type of a map's values; null fits all. #}
{%- set kind_of_entry = "case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end" %}
{%- set step = '("([^"]|"")*"|[^."]*)' %}
{%- set extracted = '("(?:[^"]|"")*"|[^."]*)' %}
steps_{{ level }} as (
    select
        column_number,
        sub_path,
        privacy,
        leaf_count,
        first_kind,
        last_kind,
        {{ linker.regex_replace('sub_path', '[.]?' ~ step ~ '$', '') }} as parent,
        {{ linker.regex_extract('sub_path', extracted ~ '$') }} as step
    from (
        select
            column_number,
            sub_path,
            {{ linker._strictest('privacy') }} as privacy,
            count(*) as leaf_count,
            min({{ kind_of_entry }}) as first_kind,
            max({{ kind_of_entry }}) as last_kind
        from {{ leaves }}
        group by column_number, sub_path
    ) as counted
),

objects_{{ level }} as (
    select column_number, sub_path, count(*) as object_count
    from {{ leaves }}
    where leaf_kind = 'struct'
    group by column_number, sub_path

    union all

    select mod(column_number, 1000000) as column_number, '' as sub_path, count(*) as object_count
    from documents
    group by mod(column_number, 1000000)
),

maps_{{ level }} as (
    select steps.column_number, steps.parent, {{ linker._strictest('steps.privacy') }} as privacy
    from steps_{{ level }} as steps
    left join objects_{{ level }} as objects
        on steps.column_number = objects.column_number and steps.parent = objects.sub_path
    where steps.sub_path <> '' and steps.step <> '*'
    group by steps.column_number, steps.parent
    having {{ linker._keys_are_data() }}
),

-- The outermost map of a path, and the path after its key.
in_maps_{{ level }} as (
    select
        column_number,
        sub_path,
        parent,
        privacy,
        {{ linker.regex_extract('inside', '^' ~ extracted) }} as step,
        {{ linker.regex_replace('inside', '^' ~ step, '') }} as rest
    from (
        select
            steps.column_number,
            steps.sub_path,
            maps.parent,
            maps.privacy,
            case when maps.parent = '' then steps.sub_path else substr(steps.sub_path, length(maps.parent) + 2) end as inside,
            row_number() over (partition by steps.column_number, steps.sub_path order by length(maps.parent)) as place
        from steps_{{ level }} as steps
        inner join maps_{{ level }} as maps
            on
                steps.column_number = maps.column_number
                and steps.sub_path <> ''
                and (maps.parent = '' or left(steps.sub_path, length(maps.parent) + 1) = maps.parent || '.')
    ) as inside_maps
    where place = 1
),

{{ merged }} as {{ linker.dialect().materialized }}(
    select
        leaves.column_number,
        leaves.member_place,
        case
            when in_maps.sub_path is null then leaves.sub_path
            when in_maps.parent = '' then '*' || in_maps.rest
            else in_maps.parent || '.*' || in_maps.rest
        end as sub_path,
        leaves.leaf_kind,
        leaves.value,
        coalesce(in_maps.privacy, leaves.privacy) as privacy
    from {{ leaves }} as leaves
    left join in_maps_{{ level }} as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    -- The object itself has its keys as values.
    left join maps_{{ level }} as maps
        on leaves.column_number = maps.column_number and leaves.sub_path = maps.parent and leaves.leaf_kind = 'struct'
    where maps.parent is null

    union all

    select
        leaves.column_number,
        leaves.member_place,
        in_maps.parent as sub_path,
        'text' as leaf_kind,
        case
            when left(in_maps.step, 1) = '"' then replace(substr(in_maps.step, 2, length(in_maps.step) - 2), '""', '"')
            else in_maps.step
        end as value,
        in_maps.privacy
    from {{ leaves }} as leaves
    inner join in_maps_{{ level }} as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    where in_maps.rest = ''
){{ ',' if not loop.last }}
{%- endfor %}
{%- endmacro %}

{% macro _strictest(privacy) -%}
    {%- set known = ['show', 'detect', 'inherit', 'mask', 'hide', 'exclude'] -%}
    case max(
        case {{ privacy }}{% for each in known %} when '{{ each }}' then {{ loop.index }}{% endfor %} end
    ){% for each in known %} when {{ loop.index }} then '{{ each }}'{% endfor %} end
{%- endmacro %}

{#-
    Whether the keys of an object are data: e-mail addresses; many numbers, dates, numbered names or ids; or many keys of which
    each object has a few, such as user names; and their values have one kind. Keys of a struct are words that most objects
    have: `q1` to `q25` of an answer, `Content-Type`, `og:title`, `address_2`.
-#}
{% macro _keys_are_data() -%}
    {%- set is_email -%}
        sum(case when {{ linker.is_email('steps.step') }} then 1 else 0 end) >= 0.5 * count(*)
    {%- endset -%}
    {%- set is_of_one_kind = '(min(steps.first_kind) = max(steps.last_kind) or max(steps.last_kind) is null)' -%}
    {%- set holds_a_number = '^"?[-+]?[0-9]|[0-9][0-9][0-9]|@[^@]+[.]|^"?[0-9a-fA-F]{8}-' -%}
    {%- set is_number -%}
        count(*) >= 10
        and sum(case when {{ linker.regex_matches('steps.step', holds_a_number) }} then 1 else 0 end) >= 0.8 * count(*)
    {%- endset -%}
    {%- set is_rare -%}
        count(*) >= 20
        and sum(steps.leaf_count) <= 0.2 * count(*) * max(objects.object_count)
        and max(steps.leaf_count) <= 0.5 * max(objects.object_count)
    {%- endset -%}
    ({{ is_email }})
    or (
        {{ is_of_one_kind }}
        and (({{ is_number }}) or ({{ is_rare }}))
    )
{%- endmacro %}
