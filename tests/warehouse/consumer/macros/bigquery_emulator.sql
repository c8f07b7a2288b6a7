{#-
    bqemulator lacks region catalogues, COLUMN_FIELD_PATHS, TABLE_STORAGE and __TABLES__. These selects replace them, from the
    views of its datasets and its API, with the columns that BigQuery documents.
-#}
{% macro bigquery__bigquery_view(view, columns, datasets) %}
    {%- if not linker.can_ask() -%}
        {{ return(linker.default__bigquery_view(view, columns, datasets)) }}
    {%- endif -%}
    {#- The dataset of the profile tables is out of scope, and would lengthen the statement with every table. -#}
    {%- set others = adapter.list_schemas(target.database) | reject('equalto', this.schema) -%}
    {%- set datasets = datasets if datasets is not none else others -%}
    select {{ columns | join(', ') }}
    from (
        {%- for dataset in datasets %}
        {{ 'union all ' if not loop.first }}
        {%- if view == 'COLUMN_FIELD_PATHS' %}{{ consumer._emulated_field_paths(dataset) }}
        {%- elif view in ['TABLE_STORAGE', '__TABLES__'] %}{{ consumer._emulated_storage(dataset) }}
        {%- else %}select * from `{{ target.database }}`.`{{ dataset }}`.INFORMATION_SCHEMA.{{ view }}
        {%- endif %}
        {%- endfor %}
    ) as emulated
{% endmacro %}

{#- In-place updates go undetected: the emulator keeps the creation time. -#}
{% macro _emulated_storage(dataset) %}
        select
            table_catalog as project_id,
            table_schema as dataset_id,
            table_name as table_id,
            table_schema,
            table_name,
            sum(total_rows) as total_rows,
            sum(total_rows) as row_count,
            sum(total_logical_bytes) as size_bytes,
            timestamp_diff(min(last_modified_time), timestamp '1970-01-01 00:00:00+00', millisecond) as creation_time,
            timestamp_diff(max(last_modified_time), timestamp '1970-01-01 00:00:00+00', millisecond) as last_modified_time,
            1 as type,
            false as deleted
        from `{{ target.database }}`.`{{ dataset }}`.INFORMATION_SCHEMA.PARTITIONS
        group by table_catalog, table_schema, table_name
{%- endmacro %}

{% macro _emulated_field_paths(dataset) %}
    {%- set rows = [] -%}
    {%- for relation in adapter.list_relations_without_caching(api.Relation.create(database=target.database, schema=dataset)) -%}
        {%- for field in adapter.get_bq_table(relation).schema -%}
            {%- do consumer._add_field_paths(rows, [dataset, relation.identifier, field.name], '', field) -%}
        {%- endfor -%}
    {%- endfor -%}
        select
            json_value(texts, '$[0]') as table_schema,
            json_value(texts, '$[1]') as table_name,
            json_value(texts, '$[2]') as column_name,
            json_value(texts, '$[3]') as field_path,
            json_value(texts, '$[4]') as data_type,
            json_value(texts, '$[5]') as description,
            cast([] as array<string>) as policy_tags
        from unnest(json_query_array({{ linker.literal(tojson(rows)) }})) as texts
{%- endmacro %}

{% macro _add_field_paths(rows, column, prefix, field) -%}
    {%- set path = prefix ~ field.name -%}
    {%- do rows.append(column + [path, consumer._type_text(field), field.description]) -%}
    {%- for inner in field.fields -%}
        {%- do consumer._add_field_paths(rows, column, path ~ '.', inner) -%}
    {%- endfor -%}
{%- endmacro %}

{#- The API spells types differently from the catalogue. -#}
{% macro _type_text(field) -%}
    {%- set spelt = {'INTEGER': 'INT64', 'FLOAT': 'FLOAT64', 'BOOLEAN': 'BOOL'}.get(field.field_type, field.field_type) -%}
    {%- if field.fields -%}
        {%- set parts = [] -%}
        {%- for inner in field.fields -%}
            {%- do parts.append(inner.name ~ ' ' ~ consumer._type_text(inner)) -%}
        {%- endfor -%}
        {%- set spelt = 'STRUCT<' ~ parts | join(', ') ~ '>' -%}
    {%- endif -%}
    {{ return('ARRAY<' ~ spelt ~ '>' if field.mode == 'REPEATED' else spelt) }}
{%- endmacro %}

{#- bqemulator stores the error text in another variable. -#}
{% macro bigquery__dialect() -%}
    {%- set dialect = linker.bigquery__dialect() -%}
    {%- do dialect.guarded.update({'message': '__error_message__'}) -%}
    {{ return(dialect) }}
{%- endmacro %}

{#- bqemulator names JSON types as DuckDB does. -#}
{% macro bigquery__json_leaves() -%}
    {{ return(
        modules.re.sub(
            'json_type\\(([a-z.]+)\\)',
            "case json_type(\\1) when 'varchar' then 'string' when 'bigint' then 'number' when 'ubigint' then 'number'"
            ~ " when 'hugeint' then 'number' when 'double' then 'number' else json_type(\\1) end",
            linker.bigquery__json_leaves()
        )
    ) }}
{%- endmacro %}

{#- bqemulator lacks KEY_COLUMN_USAGE; the test warehouse declares no keys. -#}
{% macro bigquery__keys(kind) %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) if kind == 'primary' else linker.key_rows([]) }}
{% endmacro %}
