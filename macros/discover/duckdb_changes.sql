{#-
    Rows, bytes and a change token of the given tables. `estimated_size` of the catalogue ignores updates and deletes, and
    table_oid is not stable; a digest of where each segment is stored, with count(*), sees every change.
    https://duckdb.org/docs/stable/configuration/pragmas#storage-information
-#}
{% macro duckdb__discover_changes(tables) %}
    with found (schema_name, table_name, row_count, byte_count, change_token) as (
        {%- set rows = linker._duckdb_storage(tables) %}
        {%- for row in rows %}
        select {{ linker.literal(row[0]) }}, {{ linker.literal(row[1]) }}, {{ row[2] }}, {{ row[3] }}, {{ linker.literal(row[4]) }}{{ ' union all' if not loop.last }}
        {%- else %}
        select cast(null as varchar), '', 0, 0, '' where false
        {%- endfor %}
    )

    select
        {{ linker.literal(target.database) }} as database_name,
        schema_name,
        table_name,
        row_count,
        byte_count,
        change_token
    from found
{% endmacro %}

{#- In statements of a hundred tables: one of a thousand is planned three times as slowly. -#}
{% macro _duckdb_storage(tables) -%}
    {%- set rows = [] -%}
    {%- set looks = [] -%}
    {%- for batch in tables | selectattr('kind', 'equalto', 'table') | batch(100) if linker.can_ask() -%}
        {%- set query = linker._duckdb_storage_query(batch) -%}
        {%- set tokens = [] -%}
        {%- for row in run_query(query).rows -%}
            {%- do rows.append(row) -%}
            {%- do tokens.append([row[0], row[1], row[4]]) -%}
        {%- endfor -%}
        {%- do looks.append({'sql': linker.watched_changes(query), 'rows': tokens}) -%}
    {%- endfor -%}
    {%- do linker.tell_watched('changes', looks) -%}
    {{ return(rows) }}
{%- endmacro %}

{#- What is rendered of the changes holds the rows already. -#}
{% macro duckdb__watch_changes(changes) -%}
{%- endmacro %}

{% macro _duckdb_storage_query(batch) -%}
    with segments as (
        {%- for table in batch %}
        {%- set relation = linker.relation_name(table.database, table.schema, table.name) %}
        select
            {{ loop.index }} as place, row_group_id, column_id, segment_id, start, count, has_updates, block_id, block_offset,
            cast(stats as varchar) as stats
        from pragma_storage_info({{ linker.literal(relation) }}){{ ' union all' if not loop.last }}
        {%- endfor %}
    ),

    counts as (
        {%- for table in batch %}
        select {{ loop.index }} as place, {{ linker.literal(table.schema) }} as schema_name, {{ linker.literal(table.name) }} as table_name, count(*) as row_count
        from {{ linker.relation_name(table.database, table.schema, table.name) }}{{ ' union all' if not loop.last }}
        {%- endfor %}
    ),

    digests as (
        select
            place,
            count(distinct block_id) filter (where block_id >= 0) as block_count,
            bit_xor(hash(row_group_id, column_id, segment_id, start, count, has_updates, block_id, block_offset, stats)) as token
        from segments
        group by place
    )

    select counts.schema_name, counts.table_name, counts.row_count, coalesce(block_count, 0) * 262144 as byte_count, concat(row_count, ' ', token) as change_token
    from counts
    left join digests on counts.place = digests.place
{%- endmacro %}
