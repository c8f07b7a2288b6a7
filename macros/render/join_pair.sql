{#- The head of a query over pairs of a column and a key that it may point to; conditions on `pointing` and `keys` follow. -#}
{% macro join_pair(pointing, keys, name_rule, name_weight) %}
    select
        pointing.database_name as from_database,
        pointing.schema_name as from_schema,
        pointing.table_name as from_table,
        pointing.column_path as from_path,
        pointing.is_discovered as from_discovered,
        pointing.members as from_members,
        pointing.fingerprint as from_fingerprint,
        pointing.value_kind as from_kind,
        pointing.value_count as from_value_count,
        pointing.distinct_count as from_distinct_count,
        coalesce(pointing.min_length, length(pointing.first_pattern)) as from_text_length,
        pointing.distinct_count = pointing.value_count as from_is_unique,
        -- The table's own key: it comes first, or is called like the table.
        pointing.distinct_count = pointing.value_count
        and (
            pointing.stem in ('', pointing.entity)
            or right(pointing.entity, length(pointing.stem) + 1) = '_' || pointing.stem
        ) as from_is_main,
        pointing.distinct_count = pointing.value_count and pointing.position = 1 as from_is_first,
        keys.database_name as to_database,
        keys.schema_name as to_schema,
        keys.table_name as to_table,
        keys.column_path as to_path,
        keys.members as to_members,
        keys.fingerprint as to_fingerprint,
        keys.value_count as to_value_count,
        keys.distinct_count as to_distinct_count,
        keys.is_home as to_is_home,
        keys.is_main as to_is_main,
        {{ name_rule }} as name_rule,
        {{ name_weight }} as name_weight,
        -- How far the values reach up the key's range: 1 where the largest is the key's largest.
        case
            when pointing.value_kind = 'integer' and keys.max_number > keys.min_number
                then least(1.0, greatest(0.0, (pointing.max_number - keys.min_number) / (keys.max_number - keys.min_number)))
            else 1.0
        end as range_fit
    from {{ pointing }} as pointing
    inner join {{ keys }} as keys
        on
            pointing.value_kind = keys.value_kind
            and pointing.database_name = keys.database_name
            and not (
                pointing.schema_name = keys.schema_name
                and pointing.table_name = keys.table_name
                and pointing.column_path = keys.column_path
            )
            -- A few values may lie outside of what was true when the key was read; most must lie inside.
            and (
                pointing.value_kind <> 'integer'
                or (pointing.min_number <= keys.max_number and pointing.max_number >= keys.min_number)
            )
            and pointing.distinct_count <= 1.5 * keys.distinct_count + 10
{%- endmacro %}

{#- Paths as the text of a JSON array, out of SQL for each. -#}
{% macro join_path_list(paths) -%}
    {%- set texts = [] -%}
    {%- for path in paths -%}
        {%- do texts.append("'\"' || replace(replace(" ~ path ~ ', ' ~ linker.literal('\\') ~ ', ' ~ linker.literal('\\\\') ~ "), '\"', " ~ linker.literal('\\"') ~ ") || '\"'") -%}
    {%- endfor -%}
    {{ return("'[' || " ~ texts | join(" || ',' || ") ~ " || ']'") }}
{%- endmacro %}

{#- Names of what is counted or measured: never a key, however distinct. -#}
{% macro join_measure_words() -%}
    {{ return(
        '(^|_)(cents|amount|amt|price|cost|revenue|total|sum|qty|quantity|count|cnt|pct|percent|rate|score|weight|height|width'
        ~ '|length|size|min|max|avg|mean|balance|tax|discount|fee|gross|net|seconds|minutes|hours|days|months|years|ms|epoch'
        ~ '|timestamp|lat|lon|latitude|longitude|age|sort|sort_order|order_by|rank|points|m2|kg|cm|mm|km|votes|visits|views)$'
    ) }}
{%- endmacro %}

{#- Tables of people, and the roles in which they are named: those of people who work here, and of anybody. -#}
{% macro join_person_words(who) -%}
    {%- set working = 'employee|staff|user|person|people|worker|personnel|agent|operator|member' -%}
    {{ return('(^|_)(' ~ working ~ ('|customer|client|contact|account|player|student|patient' if who == 'anybody' else '') ~ ')$') }}
{%- endmacro %}

{% macro join_role_words(who) -%}
    {%- if who == 'anybody' -%}
        {{ return('(^|_)(user|member|requester|recipient|contact|sender|person|buyer|author|creator|reporter)(_(id|no|nr|key|code|ref))?$') }}
    {%- endif -%}
    {{ return(
        '(_by|_by_id|(^|_)(manager|owner|buyer|author|approver|reviewer|cashier|rep|lead|head|inspector|creator|editor'
        ~ '|assignee|supervisor|boss|mgr|planner|clerk|recruiter|mentor|coach|trainer|driver|seller|salesperson'
        ~ '|responsible|reporter)(_(id|no|nr|key|code|ref))?)$'
    ) }}
{%- endmacro %}
