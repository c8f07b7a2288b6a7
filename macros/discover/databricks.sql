{#-
    Information schema of Unity Catalog, in the target's catalog; spark.sql has everything shared with Spark.
    https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-information-schema
-#}

{#- A view of the information schema, and the condition that a schema is in scope. -#}
{% macro _databricks_view(name) -%}
    {{ return(linker.identifier(target.database or 'main') ~ '.information_schema.' ~ name) }}
{%- endmacro %}

{% macro _databricks_schemas(name) -%}
    {%- set included = var('include_schemas', []) -%}
    {{ name }} <> 'information_schema'
    {%- if included %} and lower({{ name }}) in ({{ linker._literals(included | map('lower')) }}){% endif %}
{%- endmacro %}

{#-
    Row counts are unknown before a scan.
    https://docs.databricks.com/aws/en/sql/language-manual/information-schema/tables
-#}
{% macro databricks__discover_tables() %}
    with column_counts as (
        select table_schema, table_name, count(*) as column_count
        from {{ linker._databricks_view('columns') }}
        where {{ linker._databricks_schemas('table_schema') }}
        group by table_schema, table_name
    )

    select
        tables.table_catalog as database_name,
        tables.table_schema as schema_name,
        tables.table_name as table_name,
        case when tables.table_type in ('VIEW', 'METRIC_VIEW') then 'view' else 'table' end as table_kind,
        cast(null as bigint) as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        tables.comment as description
    from {{ linker._databricks_view('tables') }} as tables
    left join column_counts
        on tables.table_schema = column_counts.table_schema and tables.table_name = column_counts.table_name
    where {{ linker._databricks_schemas('tables.table_schema') }}
{% endmacro %}

{#-
    Paths of nested types are computed once per distinct type.
    https://docs.databricks.com/aws/en/sql/language-manual/information-schema/columns
-#}
{% macro databricks__discover_columns() %}
    {%- set fields = [] %}
    {%- if linker.can_ask() %}
        {%- set query %}
    select distinct full_data_type
    from {{ linker._databricks_view('columns') }}
    where {{ linker._databricks_schemas('table_schema') }} and full_data_type like '%struct<%'
    order by full_data_type
        {%- endset %}
        {%- for row in run_query(query).rows %}
            {%- for field in linker.nested_fields(row[0]) %}
                {%- do fields.append({
                    'nested_type': row[0], 'field_number': loop.index, 'field_path': field.path, 'field_type': field.data_type,
                    'depth': field.depth,
                }) %}
            {%- endfor %}
        {%- endfor %}
    {%- endif %}
    with nested_fields as (
        {{- linker.plain_rows({
            'nested_type': 'string', 'field_number': 'bigint', 'field_path': 'string', 'field_type': 'string', 'depth': 'bigint',
        }, fields) }}
    ),

    top_level as (
        select
            table_catalog,
            table_schema,
            table_name,
            column_name,
            case
                when contains(column_name, '.') or contains(column_name, '"')
                    then '"' || replace(column_name, '"', '""') || '"'
                else column_name
            end as column_path,
            ordinal_position,
            full_data_type,
            is_nullable = 'YES' as is_nullable,
            comment
        from {{ linker._databricks_view('columns') }}
        where {{ linker._databricks_schemas('table_schema') }}
    ),

    all_levels as (
        select
            table_catalog, table_schema, table_name, column_name, column_path, 0 as depth,
            ordinal_position, 0 as field_number, full_data_type, is_nullable, comment
        from top_level

        union all

        select
            table_catalog, table_schema, table_name, column_name, column_path || '.' || field_path, depth,
            ordinal_position, field_number, field_type, true, null
        from top_level
        inner join nested_fields on top_level.full_data_type = nested_fields.nested_type
    )

    select
        table_catalog as database_name,
        table_schema as schema_name,
        table_name,
        column_name,
        column_path,
        depth,
        row_number() over (partition by table_schema, table_name order by ordinal_position, field_number) as position,
        full_data_type as data_type,
        is_nullable,
        comment as description
    from all_levels
{% endmacro %}

{#-
    Null unless the role owns the view.
    https://docs.databricks.com/aws/en/sql/language-manual/information-schema/views
-#}
{% macro databricks__discover_definitions() %}
    select table_schema as schema_name, table_name, view_definition as definition
    from {{ linker._databricks_view('views') }}
    where {{ linker._databricks_schemas('table_schema') }}
{% endmacro %}

{#-
    `last_altered` changes with the definition only, so Delta tables are queried one by one; other tables expire like views.
    https://docs.databricks.com/aws/en/sql/language-manual/delta-describe-detail
-#}
{% macro databricks__discover_changes(tables) %}
    {%- set formats = {} %}
    {%- if tables and linker.can_ask() %}
        {%- set query %}
    select table_schema, table_name, lower(data_source_format)
    from {{ linker._databricks_view('tables') }}
    where {{ linker._databricks_schemas('table_schema') }}
        {%- endset %}
        {%- for row in run_query(query).rows %}
            {%- do formats.update({(row[0], row[1]): row[2]}) %}
        {%- endfor %}
    {%- endif %}
    {{ linker._spark_changes(tables if linker.can_ask() else [], formats) }}
{% endmacro %}

{#-
    Keys are declared but not enforced. A foreign key column refers to a position in the referenced key.
    https://docs.databricks.com/aws/en/sql/language-manual/information-schema/key_column_usage
    https://docs.databricks.com/aws/en/sql/language-manual/information-schema/referential_constraints
-#}
{% macro databricks__keys(kind) %}
    {%- if kind == 'primary' %}
    select usages.table_schema as schema_name, usages.table_name, usages.column_name
    from {{ linker._databricks_view('key_column_usage') }} as usages
    inner join {{ linker._databricks_view('table_constraints') }} as constraints
        on
            usages.constraint_schema = constraints.constraint_schema
            and usages.constraint_name = constraints.constraint_name
    where constraints.constraint_type = 'PRIMARY KEY' and {{ linker._databricks_schemas('usages.table_schema') }}
    {%- else %}
    select
        concat(pointing.constraint_schema, '.', pointing.constraint_name) as key_name,
        pointing.table_schema as from_schema,
        pointing.table_name as from_table,
        pointing.column_name as from_column,
        targets.table_schema as to_schema,
        targets.table_name as to_table,
        targets.column_name as to_column,
        pointing.ordinal_position as position
    from {{ linker._databricks_view('key_column_usage') }} as pointing
    inner join {{ linker._databricks_view('referential_constraints') }} as referring
        on
            pointing.constraint_schema = referring.constraint_schema
            and pointing.constraint_name = referring.constraint_name
    inner join {{ linker._databricks_view('key_column_usage') }} as targets
        on
            referring.unique_constraint_schema = targets.constraint_schema
            and referring.unique_constraint_name = targets.constraint_name
            and pointing.position_in_unique_constraint = targets.ordinal_position
    where {{ linker._databricks_schemas('pointing.table_schema') }}
    {%- endif %}
{% endmacro %}
