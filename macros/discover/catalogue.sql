{#- Catalog metadata of tables, columns and views; reads no tables. -#}

{#- Every table and view of the target database: database_name, schema_name, table_name, table_kind,
    row_count_estimate, column_count, description. -#}
{% macro discover_tables() -%}
    {{ return(adapter.dispatch('discover_tables', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_tables() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- Every column of the target database, nested paths included: database_name, schema_name, table_name, column_name,
    column_path, depth, position, data_type, is_nullable, description. -#}
{% macro discover_columns() -%}
    {{ return(adapter.dispatch('discover_columns', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_columns() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- View definitions of the target database: schema_name, table_name, definition; null if the role may not see it. -#}
{% macro discover_definitions() -%}
    {{ return(adapter.dispatch('discover_definitions', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_definitions() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#-
    Tables that cannot be read as a whole, according to the catalogue: schema_name, table_name, reason.
    They are left out of the plan instead of failing in every run. Missing rights of the role are recorded when a scan
    fails.
-#}
{% macro discover_refusals() %}
    {{ return(adapter.dispatch('discover_refusals', 'linker')()) }}
{% endmacro %}

{% macro default__discover_refusals() %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'reason'], []) }}
{% endmacro %}

{#-
    Columns that the role may not read although it may read others of the table: schema_name, table_name,
    column_name. They are skipped. If it may read none, the scan reports the error.
-#}
{% macro unreadable_columns() -%}
    {{ return(adapter.dispatch('unreadable_columns', 'linker')()) }}
{%- endmacro %}

{#-
    DuckDB has no access rights. In Snowflake a role reads all columns of a table or none; masking policies change values.
    https://docs.snowflake.com/en/user-guide/security-access-control-privileges#table-privileges
    https://docs.snowflake.com/en/user-guide/security-column-intro
-#}
{% macro default__unreadable_columns() %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) }}
{% endmacro %}

{#-
    Columns of a table, or of all shards of a family, whose texts and documents are known to be short, as a list of names.
    They need no length limit in the sample.
    DuckDB's segment statistics contain the longest text in bytes. Their wording is undocumented: a column without them is
    not short. Small tables are not checked, since limiting few rows is fast.
    https://duckdb.org/docs/stable/configuration/pragmas#storage-information
-#}
{% macro short_columns(table) -%}
    {%- if not linker.dialect().knows_longest_texts or table.table_kind != 'table' or not linker.may_be_sampled(table) -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set query %}
        select column_name
        from (
            {%- for member in table.members %}
            {%- set relation = linker.relation_name(table.database_name, table.schema_name, member) %}
            select column_name, segment_type, has_updates, cast(stats as varchar) as stats
            from pragma_storage_info({{ linker.literal(relation) }}){{ ' union all' if not loop.last }}
            {%- endfor %}
        ) as segments
        where segment_type in ('VARCHAR', 'JSON')
        group by column_name
        having bool_and(
            not has_updates
            and coalesce(
                try_cast(regexp_extract(lower(stats), 'max.string.length\W*([0-9]+)', 1) as bigint)
                <= case segment_type when 'JSON' then {{ linker.longest('document') }} else {{ linker.longest('value') }} end,
                false
            )
        )
    {%- endset %}
    {{ return(run_query(query).columns[0].values() | list) }}
{%- endmacro %}

{#- Raises an error for an unsupported warehouse; only at execution, since other projects must still parse. -#}
{% macro refuse_warehouse() -%}
    {%- if execute -%}
        {{ exceptions.raise_compiler_error(
            'linker: supported warehouses are duckdb, postgres, snowflake, bigquery, spark and databricks, not ' ~ target.type ~ '; '
            ~ 'to disable the package: vars: {linker_enabled: false}'
        ) }}
    {%- endif -%}
    {{ return('') }}
{%- endmacro %}

{#- Whether the warehouse may be queried while SQL is rendered; not when a whole project is compiled or documented. -#}
{% macro can_ask() -%}
    {%- if not execute or not flags.INTROSPECT -%}
        {{ return(false) }}
    {%- endif -%}
    {{ return(not (flags.WHICH in ['compile', 'generate'] and linker.runs_beside_others())) }}
{%- endmacro %}
