{#-
    The columns that the role may not read, though it may read others of their table: schema_name, table_name, column_name.
    Nothing of them is read, and the rest of the table is. Of a table of which it may read nothing the scan says so.
-#}
{% macro unreadable_columns() -%}
    {{ return(adapter.dispatch('unreadable_columns', 'linker')()) }}
{%- endmacro %}

{#- DuckDB has no rights. In Snowflake a role reads a table or does not: a masking policy changes what a column shows.
    https://docs.snowflake.com/en/user-guide/security-access-control-privileges#table-privileges
    https://docs.snowflake.com/en/user-guide/security-column-intro -#}
{% macro default__unreadable_columns() %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) }}
{% endmacro %}

{#- https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-ACCESS
    https://www.postgresql.org/docs/current/sql-grant.html: a right on the table holds for each column. -#}
{% macro postgres__unreadable_columns() %}
    select relations.schema_name, relations.table_name, cast(columns.attname as text) as column_name
    from (
        {{- linker._postgres_listed() }}
    ) as relations
    inner join pg_catalog.pg_attribute as columns
        on relations.oid = columns.attrelid and columns.attnum > 0 and not columns.attisdropped
    where
        not pg_catalog.has_table_privilege(relations.oid, 'select')
        and pg_catalog.has_any_column_privilege(relations.oid, 'select')
        and not pg_catalog.has_column_privilege(relations.oid, columns.attnum, 'select')
{% endmacro %}

{#- The catalogue names the policy tags of a column, and not who may read behind them: whoever may not is refused when a
    statement that names the column is analysed. A condition that is never true reads no byte.
    https://cloud.google.com/bigquery/docs/information-schema-column-field-paths
    https://cloud.google.com/bigquery/docs/column-level-security-intro
    https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#beginexceptionend -#}
{% macro bigquery__unreadable_columns() %}
    {%- set rows = [] %}
    {%- if linker.can_ask() %}
        {%- set tagged = run_query(linker._tagged_columns()).rows %}
        {%- if tagged %}
            {%- for row in run_query(linker.tried_columns(tagged)).rows %}
                {%- do rows.append([linker.literal(row[0]), linker.literal(row[1]), linker.literal(row[2])]) %}
            {%- endfor %}
        {%- endif %}
    {%- endif %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], rows) }}
{% endmacro %}

{% macro _tagged_columns() %}
    select distinct table_schema, table_name, column_name
    from (
        {{- linker.bigquery_view('COLUMN_FIELD_PATHS', ['table_schema', 'table_name', 'column_name', 'policy_tags']) }}
    ) as paths
    where array_length(policy_tags) > 0
    order by table_schema, table_name, column_name
{% endmacro %}

{#- A script that names each column in a statement of its own, and gives those at which it was refused. -#}
{% macro tried_columns(columns) -%}
declare refused array<struct<schema_name string, table_name string, column_name string>> default [];
{% for column in columns -%}
begin
    execute immediate {{ linker.literal(
        'select ' ~ linker.identifier(column[2]) ~ ' from ' ~ linker.relation_name(target.database, column[0], column[1])
        ~ ' where false'
    ) }};
exception when error then
    set refused = array_concat(refused, [struct(
        {{ linker.literal(column[0]) }} as schema_name, {{ linker.literal(column[1]) }} as table_name, {{ linker.literal(column[2]) }} as column_name
    )]);
end;
{% endfor -%}
select schema_name, table_name, column_name from unnest(refused);
{%- endmacro %}
