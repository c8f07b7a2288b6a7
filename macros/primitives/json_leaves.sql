{#-
    All paths in the documents of the relation `documents` (column_number, value: a JSON text): a select of column_number,
    sub_path, leaf_kind ('text', 'integer', 'number', 'boolean', 'struct' or 'null') and value.
    A list adds no step: `items.sku` is the sku of any item, and a document that is a list of texts has the sub_path ''.
-#}
{% macro json_leaves() -%}
    {{ return(adapter.dispatch('json_leaves', 'linker')()) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-json.html#FUNCTIONS-JSON-PROCESSING-TABLE -#}
{% macro default__json_leaves() %}
    with recursive nodes (column_number, sub_path, node) as (
        select column_number, cast('' as text), cast(value as jsonb)
        from documents

        union all

        select nodes.column_number, children.sub_path, children.node
        from nodes
        cross join lateral (
            select
                case when nodes.sub_path = '' then '' else nodes.sub_path || '.' end
                || case
                    when members.key like '%.%' or members.key like '%"%' then '"' || replace(members.key, '"', '""') || '"'
                    else members.key
                end as sub_path,
                members.value as node
            from jsonb_each(case when jsonb_typeof(nodes.node) = 'object' then nodes.node end) as members

            union all

            select nodes.sub_path, elements.value
            from jsonb_array_elements(case when jsonb_typeof(nodes.node) = 'array' then nodes.node end) as elements
        ) as children
    )

    select
        column_number,
        sub_path,
        case jsonb_typeof(node)
            when 'string' then 'text'
            when 'object' then 'struct'
            when 'number' then case when node #>> '{}' ~ '^-?[0-9]{1,18}$' then 'integer' else 'number' end
            else jsonb_typeof(node)
        end as leaf_kind,
        -- 1.50 and 1.5 are the same value.
        case jsonb_typeof(node)
            when 'object' then null
            when 'number' then cast(trim_scale(cast(node as numeric)) as text)
            else node #>> '{}'
        end as value
    from nodes
    where jsonb_typeof(node) <> 'array' and not (sub_path = '' and jsonb_typeof(node) = 'object')
{% endmacro %}

{#-
    List indexes are removed from the path, and a step keeps its quotes only if our paths need them.
    https://duckdb.org/docs/stable/data/json/json_functions#json-table-functions
-#}
{% macro duckdb__json_leaves() %}
    select
        documents.column_number,
        regexp_replace(
            regexp_replace(regexp_replace(leaves.fullkey, '\[[0-9]+\]', '', 'g'), '^\$\.?', ''), '"([^".]*)"', '\1', 'g'
        ) as sub_path,
        case leaves.type
            when 'VARCHAR' then 'text'
            when 'BOOLEAN' then 'boolean'
            when 'OBJECT' then 'struct'
            when 'NULL' then 'null'
            when 'DOUBLE' then 'number'
            else 'integer'
        end as leaf_kind,
        case when leaves.type not in ('OBJECT', 'NULL') then leaves.atom ->> '$' end as value
    from documents
    cross join lateral json_tree(documents.value) as leaves
    where leaves.type <> 'ARRAY' and not (leaves.fullkey = '$' and leaves.type = 'OBJECT')
{% endmacro %}

{#-
    FLATTEN returns no row for a scalar, so scalars are wrapped in an array.
    https://docs.snowflake.com/en/sql-reference/functions/flatten,
    https://docs.snowflake.com/en/sql-reference/functions/typeof
-#}
{% macro snowflake__json_leaves() %}
    select
        documents.column_number,
        regexp_replace(
            regexp_replace(
                regexp_replace(regexp_replace(leaves.path, '\\[[0-9]+\\]', ''), '\\[''([^'']*)''\\]', '."\\1"'), '^\\.', ''
            ),
            '"([^".]*)"', '\\1'
        ) as sub_path,
        case typeof(leaves.value)
            when 'VARCHAR' then 'text'
            when 'BOOLEAN' then 'boolean'
            when 'OBJECT' then 'struct'
            when 'NULL_VALUE' then 'null'
            when 'INTEGER' then 'integer'
            else 'number'
        end as leaf_kind,
        case when typeof(leaves.value) not in ('OBJECT', 'NULL_VALUE') then cast(leaves.value as varchar) end as value
    from documents
    cross join lateral flatten(input => array_construct(parse_json(documents.value)), recursive => true) as leaves
    where typeof(leaves.value) <> 'ARRAY' and not (leaves.path = '[0]' and typeof(leaves.value) = 'OBJECT')
{% endmacro %}

{#-
    Each level of the documents is a separate step, since a JSON path must be constant (a subscript need not), and recursion is
    allowed only at the top of a statement, which dbt wraps. Each step passes on leaves and open objects, so documents are read
    once. Objects deeper than ten levels stay whole.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#json_subscript_operator
    Keys with characters other than letters and digits are in double quotes.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_keys
-#}
{% macro bigquery__json_leaves() %}
    {%- set key = 'if(starts_with(name, \'"\'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)' %}
    {%- set levels = 10 %}
    with nodes_0 as (
        select column_number, '' as sub_path, parse_json(value, wide_number_mode => 'round') as node, true as is_open
        from documents
    ),
    {% for level in range(1, levels + 1) %}
    nodes_{{ level }} as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_{{ level - 1 }} as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains({{ key }}, r'[."]'), concat('"', replace({{ key }}, '"', '""'), '"'), {{ key }}) as step,
                    nodes.node[{{ key }}] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ){{ ',' if not loop.last }}
    {% endfor %}

    select
        column_number,
        sub_path,
        case json_type(node)
            when 'string' then 'text'
            when 'object' then 'struct'
            when 'number' then if(regexp_contains(to_json_string(node), r'^-?[0-9]{1,18}$'), 'integer', 'number')
            else json_type(node)
        end as leaf_kind,
        json_value(node) as value
    from nodes_{{ levels }}
    where json_type(node) <> 'array' and not (sub_path = '' and json_type(node) = 'object')
{% endmacro %}

{#-
    One step per level of the documents, as in BigQuery and for the same reasons: Spark computes an expression at each use,
    and limits recursion to a million rows.
    https://spark.apache.org/docs/latest/api/sql/index.html#try_variant_get
-#}
{% macro spark__json_leaves() %}
    {%- set levels = 10 %}
    with nodes_0 as (
        select column_number, '' as sub_path, parse_json(value) as node, true as is_open
        from documents
    ),
    {% for level in range(1, levels + 1) %}
    nodes_{{ level }} as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_{{ level - 1 }} as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ){{ ',' if not loop.last }}
    {% endfor %}

    select
        column_number,
        sub_path,
        case
            when node_type = 'STRING' then 'text'
            when node_type like 'OBJECT%' then 'struct'
            when node_type = 'BOOLEAN' then 'boolean'
            when node_type = 'VOID' then 'null'
            when node_type = 'BIGINT' then 'integer'
            else 'number'
        end as leaf_kind,
        case when node_type not like 'OBJECT%' then cast(node as string) end as value
    from (
        select column_number, sub_path, node, schema_of_variant(node) as node_type
        from nodes_{{ levels }}
    ) as typed
    where node_type not like 'ARRAY%' and not (sub_path = '' and node_type like 'OBJECT%')
{% endmacro %}
