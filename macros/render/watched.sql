{#- Tokens of change detection without dbt. -#}

{#-
    A token of each table in scope: schema_name, table_name, token. It changes with kind, columns, types, comments
    and view definition. Reads no rows.
-#}
{% macro watched_catalogue() %}
    with tables as (
        {{- linker.in_scope('(' ~ linker.discover_tables() ~ ')') }}
    ),

    columns as (
        {{ linker.discover_columns() }}
    ),

    column_lists as (
        select
            schema_name,
            table_name,
            {{ linker.digest(linker.text_list(
                "column_path || ' ' || data_type || case when is_nullable then ' null ' else ' ' end"
                ~ " || coalesce(description, '')",
                'position'
            )) }} as column_token
        from columns
        group by schema_name, table_name
    ),

    definitions as (
        {{ linker.discover_definitions() }}
    )

    select
        tables.schema_name,
        tables.table_name,
        {{ linker.digest(
            "tables.table_kind || ' ' || coalesce(column_lists.column_token, '') || ' ' || "
            ~ linker.digest("coalesce(tables.description, '')") ~ " || ' ' || coalesce(definitions.definition, '')"
        ) }} as token
    from tables
    left join column_lists
        on tables.schema_name = column_lists.schema_name and tables.table_name = column_lists.table_name
    left join definitions
        on tables.schema_name = definitions.schema_name and tables.table_name = definitions.table_name
{% endmacro %}

{#- The same for row states from `discover_changes`; empty if unknown. -#}
{% macro watched_changes(changes) %}
    select schema_name, table_name, coalesce(change_token, '') as token
    from ({{ linker.in_scope('(' ~ changes ~ ')') }}) as changes
{% endmacro %}

{#-
    The same for declared keys, by plain queries, which a read-only session can run; where keys come from SHOW, by name and
    age, since a constraint is dropped and created anew instead of altered.
    https://docs.snowflake.com/en/sql-reference/info-schema/table_constraints
-#}
{% macro watched_keys() %}
    with keys as (
        {%- if linker.dialect().shows_keys %}
        select
            table_schema as schema_name,
            table_name,
            constraint_type || ' ' || constraint_name || ' ' || to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9') as declared
        from information_schema.table_constraints
        where {{ linker._snowflake_schemas('table_schema') }}
        {%- else %}
        select
            from_schema as schema_name,
            from_table as table_name,
            key_name || ' ' || from_column || ' > ' || to_schema || ' ' || to_table || ' ' || to_column as declared
        from ({{ linker.declared_keys('foreign') }}) as foreign_keys

        union all

        select schema_name, table_name, column_name as declared
        from ({{ linker.declared_keys('primary') }}) as primary_keys
        {%- endif %}
    )

    select schema_name, table_name, {{ linker.digest(linker.text_list('declared', 'declared')) }} as token
    from ({{ linker.in_scope('keys') }}) as declared_keys
    group by schema_name, table_name
{% endmacro %}

{#-
    Rows in the journal of attempts, which grows with every run. Fails if a profile table is missing, which a run
    recreates.
-#}
{% macro watched_journal(attempts, others) %}
    select '' as schema_name, 'linker_attempts' as table_name, cast(count(*) as {{ dbt.type_string() }}) as token
    from {{ attempts }}
    {%- for other in others %}
    union all select '', '', '' from {{ other }} where 1 = 0
    {%- endfor %}
{% endmacro %}
