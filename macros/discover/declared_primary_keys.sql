{#- The columns of the primary keys that the warehouse declares: schema_name, table_name, column_name. -#}
{% macro declared_primary_keys() -%}
    {{ return(adapter.dispatch('declared_primary_keys', 'linker')()) }}
{%- endmacro %}

{% macro default__declared_primary_keys() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions#duckdb_constraints -#}
{% macro duckdb__declared_primary_keys() %}
    select schema_name, table_name, unnest(constraint_column_names) as column_name
    from duckdb_constraints()
    where database_name = {{ linker.literal(target.database) }} and constraint_type = 'PRIMARY KEY'
{% endmacro %}

{#- https://www.postgresql.org/docs/current/catalog-pg-constraint.html -#}
{% macro postgres__declared_primary_keys() %}
    select
        cast(schemas.nspname as text) as schema_name,
        cast(tables.relname as text) as table_name,
        cast(columns.attname as text) as column_name
    from pg_catalog.pg_constraint as constraints
    inner join pg_catalog.pg_class as tables on constraints.conrelid = tables.oid
    inner join pg_catalog.pg_namespace as schemas on tables.relnamespace = schemas.oid
    inner join pg_catalog.pg_attribute as columns
        on constraints.conrelid = columns.attrelid and columns.attnum = any(constraints.conkey)
    where constraints.contype = 'p'
{% endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys -#}
{% macro snowflake__declared_primary_keys() %}
    {%- set rows = [] %}
    {%- for row in linker._snowflake_keys('primary') %}
        {%- do rows.append([
            linker.literal(row['schema_name']), linker.literal(row['table_name']), linker.literal(row['column_name'])
        ]) %}
    {%- endfor %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], rows) }}
{% endmacro %}

{#- A primary key's columns have no position in another constraint.
    https://cloud.google.com/bigquery/docs/information-schema-key-column-usage
    https://cloud.google.com/bigquery/docs/information-schema-table-constraints -#}
{% macro bigquery__declared_primary_keys() %}
    {%- set datasets = [] %}
    {%- if linker.can_ask() %}
        {%- for row in run_query('select distinct schema_name from ' ~ linker.artifact('linker_tables')).rows %}
            {%- do datasets.append(row[0]) %}
        {%- endfor %}
    {%- endif %}
    {%- if not datasets %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) }}
    {%- else %}
    select table_schema as schema_name, table_name, column_name
    from (
        {{- linker.bigquery_view('KEY_COLUMN_USAGE', [
            'constraint_name', 'table_schema', 'table_name', 'column_name', 'ordinal_position', 'position_in_unique_constraint'
        ], datasets) }}
    ) as usages
    where position_in_unique_constraint is null
    {%- endif %}
{% endmacro %}
