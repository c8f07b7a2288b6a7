{#-
    Prints view definitions and columns as one line of JSON for `linker profile`, which traces lineage, and whether the profile
    tables have a schema yet. Without views, and without `others`, columns are left out.
-#}
{% macro report_views(others=false) -%}
    {#- The first read of the catalogue in a run. -#}
    {%- do linker.watch('catalogue', linker.watched_catalogue()) -%}
    {%- do linker.watch('keys', linker.watched_keys()) -%}
    {%- set views = [] -%}
    {%- for row in run_query(linker.discover_definitions()).rows if row[2] -%}
        {%- do views.append([row[0], row[1], row[2]]) -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- if views or others -%}
        {%- set query %}
    select schema_name, table_name, column_name, column_path, depth, data_type
    from ({{ linker.discover_columns() }}) as columns
    order by schema_name, table_name, position
        {%- endset -%}
        {%- for row in run_query(query).rows -%}
            {%- do columns.append([row[0], row[1], row[2], row[3], row[4] | int, row[5]]) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set artifact = linker.artifact('linker_plan') -%}
    {%- do log('linker: views ' ~ tojson({
        'dialect': target.type, 'views': views, 'columns': columns,
        'has_schema': adapter.check_schema_exists(artifact.database, artifact.schema), 'scan_seconds': linker._scan_seconds(),
    })) -%}
{%- endmacro %}
