{#-
    The foreign keys that the warehouse declares, one row a column: key_name, from_schema, from_table, from_column,
    to_schema, to_table, to_column, position. All are of the target database.
-#}
{% macro declared_keys() -%}
    {{ return(adapter.dispatch('declared_keys', 'linker')()) }}
{%- endmacro %}

{% macro default__declared_keys() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- A referenced table stands without its schema: it is that of the key itself, as DuckDB knows no key across schemas.
    https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions#duckdb_constraints -#}
{% macro duckdb__declared_keys() %}
    select
        cast(constraint_index as varchar) as key_name,
        schema_name as from_schema,
        table_name as from_table,
        unnest(constraint_column_names) as from_column,
        schema_name as to_schema,
        referenced_table as to_table,
        unnest(referenced_column_names) as to_column,
        unnest(range(1, len(constraint_column_names) + 1)) as position
    from duckdb_constraints()
    where database_name = {{ linker.literal(target.database) }} and constraint_type = 'FOREIGN KEY'
{% endmacro %}

{#- A partition's copy of its parent's key has conparentid. https://www.postgresql.org/docs/current/catalog-pg-constraint.html -#}
{% macro postgres__declared_keys() %}
    select
        cast(constraints.oid as text) as key_name,
        cast(from_schemas.nspname as text) as from_schema,
        cast(from_tables.relname as text) as from_table,
        cast(from_columns.attname as text) as from_column,
        cast(to_schemas.nspname as text) as to_schema,
        cast(to_tables.relname as text) as to_table,
        cast(to_columns.attname as text) as to_column,
        places.position
    from pg_catalog.pg_constraint as constraints
    cross join lateral unnest(constraints.conkey, constraints.confkey) with ordinality as places (from_number, to_number, position)
    inner join pg_catalog.pg_class as from_tables on constraints.conrelid = from_tables.oid
    inner join pg_catalog.pg_namespace as from_schemas on from_tables.relnamespace = from_schemas.oid
    inner join pg_catalog.pg_class as to_tables on constraints.confrelid = to_tables.oid
    inner join pg_catalog.pg_namespace as to_schemas on to_tables.relnamespace = to_schemas.oid
    inner join pg_catalog.pg_attribute as from_columns
        on constraints.conrelid = from_columns.attrelid and places.from_number = from_columns.attnum
    inner join pg_catalog.pg_attribute as to_columns
        on constraints.confrelid = to_columns.attrelid and places.to_number = to_columns.attnum
    where constraints.contype = 'f' and constraints.conparentid = 0
{% endmacro %}

{#- The information schema names the constraints and not their columns; SHOW does.
    https://docs.snowflake.com/en/sql-reference/sql/show-imported-keys -#}
{% macro snowflake__declared_keys() %}
    {%- set rows = [] %}
    {%- for row in linker._snowflake_keys('imported') %}
        {%- do rows.append([
            linker.literal(row['fk_schema_name'] ~ '.' ~ row['fk_table_name'] ~ '.' ~ row['fk_name']),
            linker.literal(row['fk_schema_name']), linker.literal(row['fk_table_name']), linker.literal(row['fk_column_name']),
            linker.literal(row['pk_schema_name']), linker.literal(row['pk_table_name']), linker.literal(row['pk_column_name']),
            row['key_sequence'] | int,
        ]) %}
    {%- endfor %}
    {{ linker.key_rows(rows) }}
{% endmacro %}

{#- Keys are declared and not enforced. https://cloud.google.com/bigquery/docs/information-schema-key-column-usage
    https://cloud.google.com/bigquery/docs/information-schema-constraint-column-usage: names no order of the columns that
    are pointed to; those of a primary key stand in KEY_COLUMN_USAGE, and position_in_unique_constraint leads there.
    A constraint's name is one in its dataset: a copy of that has the same names. -#}
{% macro bigquery__declared_keys() %}
    {%- set datasets = [] %}
    {%- if linker.can_ask() %}
        {%- for row in run_query('select distinct schema_name from ' ~ linker.artifact('linker_tables')).rows %}
            {%- do datasets.append(row[0]) %}
        {%- endfor %}
    {%- endif %}
    {{ linker.key_rows([]) if not datasets else linker._bigquery_keys(datasets) }}
{% endmacro %}

{% macro _bigquery_keys(datasets) %}
    with usages as (
        {{- linker.bigquery_view('KEY_COLUMN_USAGE', [
            'constraint_schema', 'constraint_name', 'table_schema', 'table_name', 'column_name', 'ordinal_position',
            'position_in_unique_constraint'
        ], datasets) }}
    ),

    targets as (
        select distinct constraint_schema, constraint_name, table_schema, table_name
        from (
            {{- linker.bigquery_view(
                'CONSTRAINT_COLUMN_USAGE', ['constraint_schema', 'constraint_name', 'table_schema', 'table_name'], datasets
            ) }}
        ) as used
    )

    select
        concat(pointing.constraint_schema, '.', pointing.constraint_name) as key_name,
        pointing.table_schema as from_schema,
        pointing.table_name as from_table,
        pointing.column_name as from_column,
        targets.table_schema as to_schema,
        targets.table_name as to_table,
        keys.column_name as to_column,
        pointing.ordinal_position as position
    from usages as pointing
    inner join targets
        on
            pointing.constraint_schema = targets.constraint_schema
            and pointing.constraint_name = targets.constraint_name
    inner join usages as keys
        on
            targets.table_schema = keys.table_schema
            and targets.table_name = keys.table_name
            and keys.position_in_unique_constraint is null
            and pointing.position_in_unique_constraint = keys.ordinal_position
    where pointing.position_in_unique_constraint is not null
{% endmacro %}
