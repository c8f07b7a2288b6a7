{#-
    Rows, bytes and a change token of the given tables. `estimated_size` of the catalogue ignores updates and deletes, and
    table_oid is not stable; a digest of where each segment is stored, with count(*), sees every change.
    https://duckdb.org/docs/stable/configuration/pragmas#storage-information
-#}
{% macro duckdb__discover_changes(tables) %}
    {%- set types = {
        'schema_name': 'varchar', 'table_name': 'varchar', 'row_count': 'bigint', 'byte_count': 'bigint', 'change_token': 'varchar'
    } %}
    select
        {{ linker.literal(target.database) }} as database_name,
        schema_name,
        table_name,
        row_count,
        byte_count,
        change_token
    from ({{ linker.plain_rows(types, linker._duckdb_storage(tables)) }}) as found
{% endmacro %}

{#- In statements of a hundred tables: one of a thousand is planned three times as slowly. -#}
{% macro _duckdb_storage(tables) -%}
    {%- set rows = [] -%}
    {%- set looks = [] -%}
    {%- for batch in tables | selectattr('kind', 'equalto', 'table') | batch(100) if linker.can_ask() -%}
        {%- set query = linker._duckdb_storage_query(batch) -%}
        {%- set tokens = [] -%}
        {%- for row in run_query(query).rows -%}
            {%- do rows.append(
                {'schema_name': row[0], 'table_name': row[1], 'row_count': row[2] | int, 'byte_count': row[3] | int, 'change_token': row[4]}
            ) -%}
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

{#- As few words a table as there can be: the look of `linker refresh` parses them all before it asks. Distinct blocks by a
    list: `count(distinct)` takes as long as all else here. -#}
{% macro _duckdb_storage_query(batch) -%}
    {%- set names, relations, schemas = [], [], {} -%}
    {#- Quoted in one call, at a character that no name can have: a call for each takes longer than all else here. -#}
    {%- set quoted = linker.identifier(batch | map(attribute='name') | join('\0'))[1:-1].split('\0') -%}
    {%- for table in batch -%}
        {%- if table.schema not in schemas -%}
            {%- do schemas.update({table.schema: linker.identifier(table.database) ~ '.' ~ linker.identifier(table.schema) ~ '.'}) -%}
        {%- endif -%}
        {%- do relations.append(schemas[table.schema] ~ '"' ~ quoted[loop.index0] ~ '"') -%}
        {%- do names.append({'place': loop.index, 'schema_name': table.schema, 'table_name': table.name}) -%}
    {%- endfor -%}
    with segments as (
        {%- for relation in linker.literal(relations | join('\0'))[1:-1].split('\0') %}
        select {{ loop.index }}{{ ' as place' if loop.first }}, * from pragma_storage_info('{{ relation }}'){{ ' union all' if not loop.last }}
        {%- endfor %}
    ),

    counts as (
        {%- for relation in relations %}
        select {{ loop.index }}{{ ' as place' if loop.first }}, count(*){{ ' as row_count' if loop.first }} from {{ relation }}{{ ' union all' if not loop.last }}
        {%- endfor %}
    ),

    names as (
        {{- linker.plain_rows({'place': 'bigint', 'schema_name': 'varchar', 'table_name': 'varchar'}, names) }}
    ),

    digests as (
        select
            place,
            len(list_distinct(list(block_id) filter (where block_id >= 0))) as block_count,
            bit_xor(hash(
                row_group_id, column_id, segment_id, start, count, has_updates, block_id, block_offset, cast(stats as varchar)
            )) as token
        from segments
        group by place
    )

    select schema_name, table_name, row_count, coalesce(block_count, 0) * 262144 as byte_count, concat(row_count, ' ', token) as change_token
    from names
    inner join counts on names.place = counts.place
    left join digests on names.place = digests.place
{%- endmacro %}
