{#- fakesnow does not flatten deeper levels, and reports every value type as JSON; DuckDB, which it runs on, does both. -#}
{% macro snowflake__json_leaves() %}
    select
        documents.column_number,
        regexp_replace(
            regexp_replace(regexp_replace(leaves.fullkey, '\\[[0-9]+\\]', ''), '^[$][.]?', ''), '"([^".]*)"', '\\1'
        ) as sub_path,
        case leaves.type
            when 'VARCHAR' then 'text'
            when 'BOOLEAN' then 'boolean'
            when 'OBJECT' then 'struct'
            when 'NULL' then 'null'
            when 'DOUBLE' then 'number'
            else 'integer'
        end as leaf_kind,
        case when leaves.type not in ('OBJECT', 'NULL') then json_extract_string(leaves.atom, '$') end as value
    from documents
    cross join lateral json_tree(documents.value) as leaves
    where leaves.type <> 'ARRAY' and not (leaves.fullkey = '$' and leaves.type = 'OBJECT')
{% endmacro %}

{#-
    fakesnow does not run Snowflake Scripting blocks: an error ends the run. It lacks UNIFORM over fractions, so all rows of a
    view are in the sample, and temporary tables in a schema, so the staging table is a regular one.
-#}
{% macro snowflake__dialect() -%}
    {%- set dialect = linker.snowflake__dialect() -%}
    {%- do dialect.update({
        'guarded': none,
        'sample_condition': {'any': '{share} > 0'},
        'stage': {'create': 'create or replace table', 'table': dialect.stage.table},
    }) -%}
    {{ return(dialect) }}
{%- endmacro %}

{#- fakesnow lacks SHOW PRIMARY KEYS and SHOW IMPORTED KEYS for a database; the test warehouse declares no keys. -#}
{% macro snowflake__keys(kind) %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) if kind == 'primary' else linker.key_rows([]) }}
{% endmacro %}
