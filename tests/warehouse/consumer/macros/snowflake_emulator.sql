{#- fakesnow does not flatten what lies deeper, and tells every type of a value as JSON; DuckDB underneath does both. -#}
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

{#- fakesnow runs no blocks of Snowflake Scripting: an error ends the run red. It has no UNIFORM over fractions: all rows of a
    view are in the sample. It keeps no temporary table in a schema: the
    aggregated row goes through a lasting one. -#}
{% macro snowflake__dialect() -%}
    {%- set dialect = linker.snowflake__dialect() -%}
    {%- do dialect.update({
        'guarded': none,
        'sample_condition': {'any': '{share} > 0'},
        'stage': {'create': 'create or replace table', 'table': dialect.stage.table},
    }) -%}
    {{ return(dialect) }}
{%- endmacro %}

{#- fakesnow knows no SHOW PRIMARY KEYS and no SHOW IMPORTED KEYS of a database; the warehouse of the tests declares none. -#}
{% macro snowflake__keys(kind) %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) if kind == 'primary' else linker.key_rows([]) }}
{% endmacro %}
