{#-
    Dialect of Databricks, where it differs from Spark's.
    - `replaces_tables`: tables are Delta's.
      https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-ddl-create-table-using
    - `stage`: a SQL warehouse has no `cache table` for a query's rows, and no temporary tables in all its editions.
    - `plain_planning`: a SQL warehouse lets nobody set that.
    - `only_appends`: Delta deletes and updates rows. https://docs.databricks.com/aws/en/sql/language-manual/delta-delete-from
    - `changes_by_merge`: https://docs.databricks.com/aws/en/sql/language-manual/delta-delete-from (exceptions of `where`),
      https://docs.databricks.com/aws/en/sql/language-manual/delta-merge-into
    - `tells_by_query`: Unity Catalog's information schema is read by queries.
    - `time_limit`: https://docs.databricks.com/aws/en/sql/language-manual/parameters/statement_timeout can be set and not be
      read by a query.
-#}
{% macro databricks__dialect() -%}
    {{ return(dict(
        linker.spark__dialect(),
        replaces_tables=true,
        stage={
            'create': 'create or replace table', 'table': '{schema}.linker_stage_{thread}', 'drop': 'drop table if exists {table}',
        },
        plain_planning=[],
        only_appends=false,
        changes_by_merge=true,
        tells_by_query=true
    )) }}
{%- endmacro %}
