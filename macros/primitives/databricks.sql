{#-
    Dialect of Databricks, where it differs from Spark's.
    - `replaces_tables`: all tables are Delta tables.
      https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-ddl-create-table-using
    - `stage`: a SQL warehouse has no `cache table` for query results, and not all editions have temporary tables.
    - `plain_planning`: a SQL warehouse does not allow this setting.
    - `only_appends`: Delta deletes and updates rows. https://docs.databricks.com/aws/en/sql/language-manual/delta-delete-from
    - `changes_by_merge`: https://docs.databricks.com/aws/en/sql/language-manual/delta-delete-from (exceptions of `where`),
      https://docs.databricks.com/aws/en/sql/language-manual/delta-merge-into
    - `tells_by_query`: queries read Unity Catalog's information schema.
    - `time_limit`: a query can set the limit, but not read it.
      https://docs.databricks.com/aws/en/sql/language-manual/parameters/statement_timeout
-#}
{% macro databricks__dialect() -%}
    {{ return(dict(
        linker.spark__dialect(),
        replaces_tables=true,
        stage={
            'create': 'create or replace table', 'table': '{schema}.linker_stage_{thread}', 'drop': 'drop table if exists {table}',
        },
        plain_planning={},
        only_appends=false,
        changes_by_merge=true,
        tells_by_query=true
    )) }}
{%- endmacro %}
