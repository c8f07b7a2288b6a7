{#-
    Catalog of Spark, which has no information schema: commands run while SQL is rendered, and their results become
    literal rows.
-#}

{#-
    Tables and views of the listed schemas, or of all: a list of {schema, name, kind, provider, rows, columns, description,
    definition}.
    The first line with a name is Spark's own; a comment or view text may repeat it later. A table created from a select
    reports 0 rows, whatever it contains.
    https://spark.apache.org/docs/latest/sql-ref-syntax-aux-show-databases.html
    https://spark.apache.org/docs/latest/sql-ref-syntax-aux-show-table.html
-#}
{% macro _spark_tables() -%}
    {%- set tables = [] -%}
    {%- set included = var('include_schemas', []) | map('lower') | list -%}
    {%- set schemas = run_query('show schemas').columns[0].values() if linker.can_ask() else [] -%}
    {%- for schema in schemas if not included or schema | lower in included -%}
        {%- for row in run_query('show table extended in ' ~ linker.identifier(schema) ~ " like '*'").rows if row[0] -%}
            {%- set told = {} -%}
            {%- for line in row[3].split('\n') if ': ' in line -%}
                {%- set name, value = line.split(': ', 1) -%}
                {%- do told.setdefault(name, value) -%}
            {%- endfor -%}
            {%- set is_view = told.get('Type') == 'VIEW' -%}
            {%- set definition = modules.re.search('(?s)^View Text: (.*?)^View Original Text: ', row[3], modules.re.MULTILINE) -%}
            {%- set counted = modules.re.search('([0-9]+) rows', told.get('Statistics', '')) -%}
            {%- do tables.append({
                'schema': row[0], 'name': row[1], 'kind': 'view' if is_view else 'table', 'provider': told.get('Provider'),
                'rows': (counted.group(1) | int or none) if counted else none,
                'columns': modules.re.findall('^ \\|-- ', row[3].split('\nSchema: root\n')[-1], modules.re.MULTILINE) | length,
                'description': told.get('Comment'),
                'definition': definition.group(1) | trim if is_view and definition else none,
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(tables) }}
{%- endmacro %}

{#- The catalog of dbt's target. -#}
{% macro _spark_catalog() -%}
    {{ return(target.database or 'spark_catalog') }}
{%- endmacro %}

{% macro spark__discover_tables() %}
    {%- set rows = [] %}
    {%- for table in linker._spark_tables() %}
        {%- do rows.append({
            'schema_name': table.schema, 'table_name': table.name, 'table_kind': table.kind,
            'row_count_estimate': table.rows, 'column_count': table.columns, 'description': table.description,
        }) %}
    {%- endfor %}
    select {{ linker.literal(linker._spark_catalog()) }} as database_name, found.*
    from (
        {{- linker.plain_rows({
            'schema_name': 'string', 'table_name': 'string', 'table_kind': 'string', 'row_count_estimate': 'bigint',
            'column_count': 'bigint', 'description': 'string',
        }, rows) }}
    ) as found
{% endmacro %}

{#-
    Spark lists the columns of one table at a time.
    https://spark.apache.org/docs/latest/sql-ref-syntax-aux-describe-table.html
-#}
{% macro spark__discover_columns() %}
    {%- set rows = [] %}
    {%- for table in linker._spark_tables() %}
        {%- set relation = linker.relation_name(linker._spark_catalog(), table.schema, table.name) %}
        {%- set told = fromjson(run_query('describe table extended ' ~ relation ~ ' as json').rows[0][0]) %}
        {%- set fields = linker._spark_fields(told['columns']) %}
        {%- for field in fields %}
            {%- do rows.append(dict(field, schema_name=table.schema, table_name=table.name, position=loop.index)) %}
        {%- endfor %}
    {%- endfor %}
    select {{ linker.literal(linker._spark_catalog()) }} as database_name, found.*
    from (
        {{- linker.plain_rows({
            'schema_name': 'string', 'table_name': 'string', 'column_name': 'string', 'column_path': 'string',
            'depth': 'bigint', 'position': 'bigint', 'data_type': 'string', 'is_nullable': 'boolean', 'description': 'string',
        }, rows) }}
    ) as found
{% endmacro %}

{#- Columns and nested paths from `describe … as json`. A list of structs adds no step to a path. -#}
{% macro _spark_fields(fields, column=none, prefix='', depth=0) -%}
    {%- set rows = [] -%}
    {%- for field in fields -%}
        {%- set path = prefix ~ linker.path_part(field.name) -%}
        {%- set top = column or field.name -%}
        {%- do rows.append({
            'column_name': top, 'column_path': path, 'depth': depth, 'data_type': linker._spark_type(field.type),
            'is_nullable': depth > 0 or field.nullable, 'description': field.get('comment'),
        }) -%}
        {%- set inner = namespace(type=field.type) -%}
        {%- for level in range(10) if inner.type.name == 'array' -%}
            {%- set inner.type = inner.type.element_type -%}
        {%- endfor -%}
        {%- if inner.type.name == 'struct' -%}
            {%- do rows.extend(linker._spark_fields(inner.type.fields, top, path ~ '.', depth + 1)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(rows) }}
{%- endmacro %}

{#- A type in Spark's spelling; `describe` would truncate long ones. -#}
{% macro _spark_type(type) -%}
    {%- if type.name == 'array' -%}
        {{ return('array<' ~ linker._spark_type(type.element_type) ~ '>') }}
    {%- elif type.name == 'map' -%}
        {{ return('map<' ~ linker._spark_type(type.key_type) ~ ',' ~ linker._spark_type(type.value_type) ~ '>') }}
    {%- elif type.name == 'struct' -%}
        {%- set fields = [] -%}
        {%- for field in type.fields -%}
            {%- do fields.append(field.name ~ ':' ~ linker._spark_type(field.type)) -%}
        {%- endfor -%}
        {{ return('struct<' ~ fields | join(',') ~ '>') }}
    {%- elif type.name == 'decimal' -%}
        {{ return('decimal(' ~ type.precision ~ ',' ~ type.scale ~ ')') }}
    {%- elif type.length -%}
        {{ return(type.name ~ '(' ~ type.length ~ ')') }}
    {%- elif type.name == 'timestamp_ltz' -%}
        {{ return('timestamp') }}
    {%- endif -%}
    {{ return(type.name) }}
{%- endmacro %}

{% macro spark__discover_definitions() %}
    {%- set rows = [] %}
    {%- for table in linker._spark_tables() if table.definition %}
        {%- do rows.append({'schema_name': table.schema, 'table_name': table.name, 'definition': table.definition}) %}
    {%- endfor %}
    {{ linker.plain_rows({'schema_name': 'string', 'table_name': 'string', 'definition': 'string'}, rows) }}
{% endmacro %}

{#-
    The token is a digest of the table's files: paths, sizes and times. Each row carries them in a hidden column, so rows
    are counted too, and no column is read. Delta tables report the same. Others, such as those that Hive reads, have no
    token and expire like views.
    https://spark.apache.org/docs/latest/sql-data-sources-file-metadata.html (hidden column `_metadata`)
    https://docs.delta.io/latest/delta-utility.html#retrieve-delta-table-details
-#}
{% macro spark__discover_changes(tables) %}
    {%- set providers = {} %}
    {%- for table in linker._spark_tables() if tables %}
        {%- do providers.update({(table.schema, table.name): table.provider | lower}) %}
    {%- endfor %}
    {{ linker._spark_changes(tables, providers) }}
{% endmacro %}

{% macro _spark_changes(tables, providers) %}
    {%- set rows = [] %}
    {%- for table in tables %}
        {%- set provider = providers.get((table.schema, table.name)) %}
        {%- set relation = linker.relation_name(table.database, table.schema, table.name) %}
        {%- set state = {} %}
        {%- if provider == 'delta' %}
            {%- set row = run_query('describe detail ' ~ relation).rows[0] %}
            {%- set told = [row['id'], row['lastModified'], row['numFiles'], row['sizeInBytes']] | join(' ') %}
            {%- do state.update({'row_count': none, 'byte_count': row['sizeInBytes'] | int, 'change_token': local_md5(told)}) %}
        {%- elif provider in ['parquet', 'orc', 'avro', 'csv', 'json', 'text', 'xml'] %}
            {#-
                A table that cannot be read has no token; its scan reports the error.
                https://spark.apache.org/docs/latest/sql-ref-scripting.html
            -#}
            {%- set files -%}
begin
    declare exit handler for sqlexception
    begin
        select cast(null as bigint), cast(null as bigint), cast(null as string);
    end;
    select
        coalesce(sum(row_count), 0),
        coalesce(sum(file_size), 0),
        md5(to_json(array_sort(collect_list(struct(file_path, file_size, changed_at)))))
    from (
        select
            _metadata.file_path as file_path,
            _metadata.file_size as file_size,
            _metadata.file_modification_time as changed_at,
            count(*) as row_count
        from {{ relation }}
        group by _metadata.file_path, _metadata.file_size, _metadata.file_modification_time
    ) as files;
end
            {%- endset %}
            {%- set row = run_query(files).rows[0] %}
            {%- if row[2] is not none %}
                {%- do state.update({'row_count': row[0] | int, 'byte_count': row[1] | int, 'change_token': row[2]}) %}
            {%- endif %}
        {%- endif %}
        {%- if state %}
            {%- do rows.append(dict(state, schema_name=table.schema, table_name=table.name)) %}
        {%- endif %}
    {%- endfor %}
    select {{ linker.literal(linker._spark_catalog()) }} as database_name, found.*
    from (
        {{- linker.plain_rows({
            'schema_name': 'string', 'table_name': 'string', 'row_count': 'bigint', 'byte_count': 'bigint', 'change_token': 'string',
        }, rows) }}
    ) as found
{% endmacro %}
