{#-
    Information schema of the session's database, which is the target's.
    Views have no row count there. All other stored relations are tables, including dynamic and external tables. Event tables
    contain the account's log, and temporary tables end with their session.
    https://docs.snowflake.com/en/sql-reference/info-schema/tables
-#}
{% macro snowflake__discover_tables() %}
    with tables as (
        {{- linker._snowflake_listed() }}
    ),

    column_counts as (
        select table_schema, table_name, count(*) as column_count
        from information_schema.columns
        where {{ linker._snowflake_schemas('table_schema') }}
        group by table_schema, table_name
    )

    select
        tables.table_catalog as database_name,
        tables.table_schema as schema_name,
        tables.table_name as table_name,
        tables.table_kind,
        case when tables.table_kind = 'table' then tables.row_count end as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        tables.comment as description
    from tables
    left join column_counts
        on tables.table_schema = column_counts.table_schema and tables.table_name = column_counts.table_name
{% endmacro %}

{#-
    VARIANT, OBJECT and ARRAY stay one column; only their values show their content.
    The type is written as `describe table` shows it: TEXT is the catalogue's word for VARCHAR, and a maximal length or
    precision is left out.
    https://docs.snowflake.com/en/sql-reference/info-schema/columns
    https://docs.snowflake.com/en/sql-reference/data-types-text#varchar
-#}
{% macro snowflake__discover_columns() %}
    with tables as (
        {{- linker._snowflake_listed() }}
    )

    select
        columns.table_catalog as database_name,
        columns.table_schema as schema_name,
        columns.table_name as table_name,
        columns.column_name as column_name,
        case
            when contains(columns.column_name, '.') or contains(columns.column_name, '"')
                then '"' || replace(columns.column_name, '"', '""') || '"'
            else columns.column_name
        end as column_path,
        0 as depth,
        row_number() over (
            partition by columns.table_schema, columns.table_name order by columns.ordinal_position
        ) as position,
        case
            when columns.data_type = 'NUMBER'
                then 'NUMBER(' || columns.numeric_precision || ',' || columns.numeric_scale || ')'
            when columns.data_type = 'TEXT' and columns.character_maximum_length < 16777216
                then 'TEXT(' || columns.character_maximum_length || ')'
            else columns.data_type
        end as data_type,
        columns.is_nullable = 'YES' as is_nullable,
        columns.comment as description
    from information_schema.columns as columns
    inner join tables
        on columns.table_schema = tables.table_schema and columns.table_name = tables.table_name
    where {{ linker._snowflake_schemas('columns.table_schema') }}
{% endmacro %}

{#-
    LAST_ALTERED changes with DML, DDL and background maintenance: sometimes needlessly, never too late.
    For a view it covers the text only, not the data. BYTES are those that a scan accesses.
    https://docs.snowflake.com/en/sql-reference/info-schema/tables
-#}
{% macro snowflake__discover_changes(tables) %}
    with tables as (
        {{- linker._snowflake_listed() }}
    )

    select
        table_catalog as database_name,
        table_schema as schema_name,
        table_name as table_name,
        case when table_kind = 'table' then row_count end as row_count,
        case when table_kind = 'table' then bytes end as byte_count,
        case
            when table_kind = 'table'
                then md5(concat_ws(
                    ':',
                    to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9'),
                    to_varchar(last_altered, 'yyyy-mm-dd hh24:mi:ss.ff9'),
                    coalesce(to_varchar(row_count), ''),
                    coalesce(to_varchar(bytes), '')
                ))
        end as change_token
    from tables
{% endmacro %}

{% macro _snowflake_listed() %}
        select
            table_catalog,
            table_schema,
            table_name,
            case when table_type = 'VIEW' then 'view' else 'table' end as table_kind,
            row_count,
            bytes,
            created,
            last_altered,
            comment
        from information_schema.tables
        where {{ linker._snowflake_schemas('table_schema') }} and table_type not in ('TEMPORARY TABLE', 'EVENT TABLE')
{%- endmacro %}

{#-
    The information schema refuses results that are too large; if the project lists schemas, they are queried by name.
    https://docs.snowflake.com/en/sql-reference/info-schema#general-usage-notes
-#}
{% macro _snowflake_schemas(name) -%}
    {%- set included = var('include_schemas', []) -%}
    {{ name }} <> 'INFORMATION_SCHEMA'
    {%- if included %} and lower({{ name }}) in ({{ linker._literals(included | map('lower')) }}){% endif %}
{%- endmacro %}

{#-
    Only owners see the text; a change of it updates LAST_ALTERED for everyone.
    https://docs.snowflake.com/en/sql-reference/info-schema/views
-#}
{% macro snowflake__discover_definitions() %}
    select
        table_schema as schema_name,
        table_name,
        coalesce(view_definition, to_varchar(last_altered, 'yyyy-mm-dd hh24:mi:ss.ff9')) as definition
    from information_schema.views
    where {{ linker._snowflake_schemas('table_schema') }}
{% endmacro %}

{#- The information schema lists constraints without their columns; SHOW has them and needs no running warehouse. -#}
{% macro snowflake__keys(kind) %}
    {%- set found, rows = [], [] %}
    {%- if linker.can_ask() %}
        {%- set schemas = [] %}
        {%- if var('include_schemas', []) %}
            {%- set schemas = run_query('select distinct schema_name from ' ~ linker.artifact('linker_tables') ~ ' order by 1').columns[0].values() %}
        {%- endif %}
        {%- for statement in linker._show_keys('imported' if kind == 'foreign' else kind, schemas) %}
            {%- do found.extend(run_query(statement).rows) %}
        {%- endfor %}
    {%- endif %}
    {%- if kind == 'primary' %}
        {%- for row in found %}
            {%- do rows.append([
                linker.literal(row['schema_name']), linker.literal(row['table_name']), linker.literal(row['column_name'])
            ]) %}
        {%- endfor %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], rows) }}
    {%- else %}
        {%- for row in found %}
            {%- do rows.append([
                linker.literal(row['fk_schema_name'] ~ '.' ~ row['fk_table_name'] ~ '.' ~ row['fk_name']),
                linker.literal(row['fk_schema_name']), linker.literal(row['fk_table_name']), linker.literal(row['fk_column_name']),
                linker.literal(row['pk_schema_name']), linker.literal(row['pk_table_name']), linker.literal(row['pk_column_name']),
                row['key_sequence'] | int,
            ]) %}
        {%- endfor %}
    {{ linker.key_rows(rows) }}
    {%- endif %}
{% endmacro %}

{#-
    Over the whole database, or per schema if the project lists some.
    https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys,
    https://docs.snowflake.com/en/sql-reference/sql/show-imported-keys
-#}
{% macro _show_keys(kind, schemas) -%}
    {%- set show = 'show ' ~ kind ~ ' keys in ' -%}
    {%- set database = linker.identifier(target.database) -%}
    {%- set statements = [] -%}
    {%- for schema in schemas -%}
        {%- do statements.append(show ~ 'schema ' ~ database ~ '.' ~ linker.identifier(schema)) -%}
    {%- endfor -%}
    {{ return(statements if var('include_schemas', []) else [show ~ 'database ' ~ database]) }}
{%- endmacro %}
