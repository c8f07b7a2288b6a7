{#-
    Rows, bytes and a change token of the given tables. The token is a digest of the content: DuckDB reuses blocks, so block
    positions repeat, and its estimates ignore updates. Of hidden columns only the number of values counts; excluded columns
    are not read.
    https://duckdb.org/docs/stable/configuration/pragmas#storage-information
-#}
{% macro duckdb__discover_changes(tables) %}
    {#- Statements of a hundred tables: planning a thousand in one takes three times as long per table. -#}
    {%- set rows, looks = [], [] -%}
    {%- set attempts = linker.artifact('linker_attempts') -%}
    {%- set forget_look = "delete from " ~ attempts ~ " where event = 'looking'" -%}
    {%- set kept_back = linker._duckdb_kept_back() if linker.can_ask() else {} -%}
    {%- set untold, limit_before = linker.begin_look(kept_back) -%}
    {%- for batch in tables | selectattr('kind', 'equalto', 'table') | batch(1 if untold else 100) if linker.can_ask() -%}
        {%- if untold -%}
            {%- do linker._execute(forget_look) -%}
            {%- do linker._execute(linker.look_event(attempts, 'looking', batch[0].database, batch[0].schema, batch[0].name)) -%}
            {%- do adapter.commit() -%}
        {%- endif -%}
        {%- set named = linker._duckdb_named(batch) -%}
        {%- set query = linker._duckdb_content_query(named, kept_back) -%}
        {%- set states, tokens = {}, [] -%}
        {%- for row in run_query(query).rows -%}
            {%- do states.update({(row[0], row[1]): row}) -%}
            {%- do tokens.append([row[0], row[1], row[3]]) -%}
        {%- endfor -%}
        {%- for size in run_query(linker._duckdb_size_query(named)).rows -%}
            {%- set state = states[(size[0], size[1])] -%}
            {%- do rows.append({
                'schema_name': size[0], 'table_name': size[1], 'row_count': state[2] | int, 'byte_count': size[2] | int,
                'change_token': state[3],
            }) -%}
        {%- endfor -%}
        {%- do looks.append({'sql': linker.watched_changes(query), 'rows': tokens}) -%}
    {%- endfor -%}
    {%- if linker.can_ask() -%}
        {%- do linker.reset_time_limit(limit_before) -%}
        {%- if untold -%}
            {%- do linker._execute(forget_look) -%}
        {%- endif -%}
        {%- do linker._commit() -%}
    {%- endif -%}
    {%- do linker.tell_watched('changes', looks) -%}
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
    from ({{ linker.plain_rows(types, rows) }}) as found
{% endmacro %}

{#-
    {tables: a list of {place, schema_name, table_name}, rows: a select of these, relations: their quoted names}. Quoted in one
    call, separated by a character that no name can contain, since a call per name would dominate the time.
-#}
{% macro _duckdb_named(batch) -%}
    {%- set tables, relations, schemas = [], [], {} -%}
    {%- set quoted = linker.identifier(batch | map(attribute='name') | join('\0'))[1:-1].split('\0') -%}
    {%- for table in batch -%}
        {%- if table.schema not in schemas -%}
            {%- do schemas.update({table.schema: linker.identifier(table.database) ~ '.' ~ linker.identifier(table.schema) ~ '.'}) -%}
        {%- endif -%}
        {%- do tables.append({'place': loop.index, 'schema_name': table.schema, 'table_name': table.name}) -%}
        {%- do relations.append(schemas[table.schema] ~ '"' ~ quoted[loop.index0] ~ '"') -%}
    {%- endfor -%}
    {%- set types = {'place': 'bigint', 'schema_name': 'varchar', 'table_name': 'varchar'} -%}
    {{ return({'tables': tables, 'relations': relations, 'rows': linker.plain_rows(types, tables)}) }}
{%- endmacro %}

{#-
    As short as possible per table, since `linker refresh` parses all of it first. The sum detects pairs of equal
    rows, which cancel out in the exclusive or.
-#}
{% macro _duckdb_content_query(named, kept_back) -%}
    with contents as (
        {%- for table in named.tables %}
        {%- set counted = linker._duckdb_counted(table, named.relations[loop.index0], kept_back) %}
        select {{ table.place }}{{ ' as place' if loop.first }}, count(*){{ ' as row_count' if loop.first }},
            {{ counted.token }}{{ ' as token' if loop.first }}
        from {{ counted.relation }} as linker_row{{ ' union all' if not loop.last }}
        {%- endfor %}
    ),

    names as (
        {{ named.rows }}
    )

    select schema_name, table_name, row_count, concat(row_count, ' ', token) as change_token
    from names
    inner join contents on names.place = contents.place
{%- endmacro %}

{#-
    What is counted of a table, and the token over it.
    If a part of a column must not be digested, the token is random, so the table is always read again. Of a hidden part a
    digest of many rows reveals nothing, but one of few rows might.
-#}
{% macro _duckdb_counted(table, relation, kept_back) -%}
    {%- set token, moment = "concat(bit_xor(hash(linker_row)), ' ', sum(hash(linker_row)))", "cast(max(now()) as varchar)" -%}
    {%- set columns = kept_back.get((table.schema_name ~ '.' ~ table.table_name) | lower) -%}
    {%- if not columns -%}
        {{ return({'token': token, 'relation': relation}) }}
    {%- endif -%}
    {%- set privacies = columns.values() -%}
    {%- set until = privacies | select('number') | first -%}
    {%- if until -%}
        {#- The table is not read; its rows are counted separately. -#}
        {%- set token = "case when epoch(now()) < " ~ until ~ " then 'untold " ~ until ~ "' else 'to be told again' end" -%}
    {%- elif 'exclude in part' in privacies -%}
        {%- set token = moment -%}
    {%- elif 'hide in part' in privacies -%}
        {%- set token = 'case when count(*) > 10 then ' ~ token ~ ' else ' ~ moment ~ ' end' -%}
    {%- endif -%}
    {%- set left_out, counted = [], ['1'] -%}
    {%- for column, privacy in columns.items() if column and privacy != 'hide in part' -%}
        {%- do left_out.append(linker.identifier(column)) -%}
        {%- if privacy == 'hide' -%}
            {%- do counted.append(linker.identifier(column) ~ ' is null') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if left_out -%}
        {%- set relation = '(select * exclude (' ~ left_out | join(', ') ~ '), ' ~ counted | join(', ') ~ ' from ' ~ relation ~ ')' -%}
    {%- endif -%}
    {{ return({'token': token, 'relation': relation}) }}
{%- endmacro %}

{#-
    Columns whose digest is restricted: {'schema.table' in lower case: {column: privacy}}. Only columns with privacy
    rules are checked, since a macro call per column would take minutes in a large warehouse.
-#}
{% macro _duckdb_kept_back() -%}
    {%- set kept_back = {} -%}
    {%- set rules = linker.privacy_rules() -%}
    {%- set patterns = rules.lists | selectattr('privacy', 'in', ['exclude', 'hide']) | sum(attribute='patterns', start=[]) -%}
    {%- set named = rules.tables.keys() | list -%}
    {%- set said %}
    select schema_name, table_name, column_name, column_path, is_readable
    from {{ linker.artifact('linker_declared_columns') }}
    where
        {% if named %}lower(schema_name || '.' || table_name) in ({{ linker._literals(named) }}) or {% endif -%}
        {{ linker.regex_matches("lower(schema_name || '.' || table_name || '.' || column_path)", patterns | join('|') or '^$') }}
    order by schema_name, table_name, position
    {%- endset -%}
    {%- for row in linker.rows_by_name(said, ['schema_name', 'table_name', 'column_name', 'column_path', 'is_readable']) -%}
        {%- set table = {'schema_name': row.schema_name, 'table_name': row.table_name, 'members': [row.table_name]} -%}
        {%- set decided = linker.with_privacy(table, [row], rules)[0].privacy -%}
        {%- if decided in ['exclude', 'hide'] -%}
            {%- set columns = kept_back.setdefault((row.schema_name ~ '.' ~ row.table_name) | lower, {}) -%}
            {%- if row.column_path == row.column_name -%}
                {%- do columns.update({row.column_name: decided}) -%}
            {%- elif columns.get(row.column_name) not in ['exclude', 'hide', 'exclude in part'] -%}
                {%- do columns.update({row.column_name: decided ~ ' in part'}) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {#- A generated column is computed when read, which may fail, and has no storage; it changes with the other columns. -#}
    {%- set found = run_query(
        "select schema_name, table_name from duckdb_tables() where database_name = " ~ linker.literal(target.database)
        ~ " and sql ilike '%generated always as%'"
    ) -%}
    {%- for schema, table in found.rows -%}
        {%- set columns = kept_back.setdefault((schema ~ '.' ~ table) | lower, {}) -%}
        {%- set relation = api.Relation.create(database=target.database, schema=schema, identifier=table) -%}
        {%- set generated %}
    select column_name
    from duckdb_columns()
    where
        database_name = {{ linker.literal(target.database) }}
        and schema_name = {{ linker.literal(schema) }}
        and table_name = {{ linker.literal(table) }}
        and column_name not in (select column_name from pragma_storage_info({{ linker.literal(relation | string) }}))
        {%- endset -%}
        {%- for row in run_query(generated).rows -%}
            {%- do columns.update({row[0]: 'exclude'}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(kept_back) }}
{%- endmacro %}

{#- File size of each table. Distinct blocks by a list, since `count(distinct)` doubles the time. -#}
{% macro _duckdb_size_query(named) -%}
    with segments as (
        {%- for relation in linker.literal(named.relations | join('\0'))[1:-1].split('\0') %}
        select {{ loop.index }}{{ ' as place' if loop.first }}, block_id from pragma_storage_info('{{ relation }}'){{ ' union all' if not loop.last }}
        {%- endfor %}
    ),

    names as (
        {{ named.rows }}
    ),

    sizes as (
        select place, len(list_distinct(list(block_id) filter (where block_id >= 0))) as block_count
        from segments
        group by place
    )

    select schema_name, table_name, coalesce(block_count, 0) * 262144 as byte_count
    from names
    left join sizes on names.place = sizes.place
{%- endmacro %}
