{#-
    The pairs that are to be measured, out of rows of linker_join_candidates and the declared columns by table: each {from, to,
    compared, value_count}. A warehouse has thousands of pairs: what sides have in common is worked out once. A side is {number, named:
    what the journal calls it, values: a select of its values, names: of these, is_sampled, compared}. `compared`: as what the
    values of two single columns of tables are compared; none where a side is anything else.
-#}
{% macro join_pairs(due, declared) -%}
    {%- set tables = {} -%}
    {%- set sides = {} -%}
    {%- set forms, schemas = {}, {} -%}
    {%- set pairs = [] -%}
    {%- for row in due -%}
        {%- set reads_text = row['from_discovered'] or row['from_kinds'] != row['to_kinds'] -%}
        {%- set from_key = ('from', row['from_database'], row['from_schema'], row['from_table'], row['from_columns'], reads_text) -%}
        {%- set to_key = ('to', row['to_database'], row['to_schema'], row['to_table'], row['to_columns'], reads_text) -%}
        {%- for key in [from_key, to_key] if key not in sides -%}
            {%- if key[1:4] not in tables -%}
                {%- do tables.update({key[1:4]: linker._join_table(row, key[0], declared, schemas)}) -%}
            {%- endif -%}
            {%- do sides.update({key: dict(linker._join_side(row, key[0], tables[key[1:4]], reads_text, forms), number=sides | length)}) -%}
        {%- endfor -%}
        {%- set from_side, to_side = sides[from_key], sides[to_key] -%}
        {%- set is_alike = from_side['compared'] and to_side['compared'] -%}
        {%- do pairs.append({
            'from': from_side,
            'to': to_side,
            'compared': from_side['compared'] ~ ' = ' ~ to_side['compared'] if is_alike else none,
            'value_count': row['from_value_count'] | int + row['to_value_count'] | int,
        }) -%}
    {%- endfor -%}
    {{ return(pairs) }}
{%- endmacro %}

{% macro _join_table(row, name, declared, schemas) -%}
    {%- set database, schema = row[name ~ '_database'], row[name ~ '_schema'] -%}
    {%- set relations = [] -%}
    {%- for member in fromjson(row[name ~ '_members']) -%}
        {%- do relations.append({
            'name': linker.relation_name(database, schema, member, schemas),
            'declared': declared.get(database ~ '\n' ~ schema ~ '\n' ~ member, []),
        }) -%}
    {%- endfor -%}
    {%- set types = {} -%}
    {%- for column in relations[0].declared -%}
        {%- do types.setdefault(column['column_path'], column['data_type']) -%}
    {%- endfor -%}
    {{ return({
        'relations': relations,
        'named': [database, schema, row[name ~ '_table']],
        'fingerprint': row[name ~ '_fingerprint'],
        'declared': relations[0].declared,
        'types': types,
    }) }}
{%- endmacro %}

{% macro _join_side(row, name, table, reads_text, forms) -%}
    {%- set columns = fromjson(row[name ~ '_columns']) -%}
    {%- set kinds = fromjson(row[name ~ '_kinds']) -%}
    {%- set is_discovered = name == 'from' and row['from_discovered'] -%}
    {%- set is_alone = columns | length == 1 and not is_discovered -%}
    {%- set reads_newest = table.relations | length == 1 or name == 'from' -%}
    {%- set values = linker.join_values({
        'relations': [table.relations[0].name] if reads_newest else linker._relations_with(table, columns),
        'columns': columns,
        'kinds': kinds,
        'is_discovered': is_discovered,
        'declared': table.declared,
        'forms': forms,
    }, reads_text) -%}
    {{ return({
        'named': table.named + [row[name ~ '_columns'], table.fingerprint],
        'compared': none if not is_alone else 'text' if reads_text or kinds[0] != 'integer' else table.types.get(columns[0]),
        'values': values,
        'names': ['value_1', 'value_2', 'value_3', 'value_4'][:columns | length],
        'is_sampled': name == 'from' and row['from_value_count'] | int > var('join_sample_values', 1000),
    }) }}
{%- endmacro %}

{#- The members that have the columns as the newest has them: columns drift. -#}
{% macro _relations_with(table, columns) -%}
    {%- set needed = [] -%}
    {%- for row in table.declared if row.depth == 0 -%}
        {%- for path in columns if row.column_path == path or path.startswith(row.column_path ~ '.') -%}
            {%- do needed.append(row) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set names = [] -%}
    {%- for relation in table.relations -%}
        {%- if loop.first or linker._holds_all(relation.declared, needed) -%}
            {%- do names.append(relation.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(names) }}
{%- endmacro %}

{% macro _holds_all(rows, needed) -%}
    {%- for row in needed if row not in rows -%}
        {{ return(false) }}
    {%- endfor -%}
    {{ return(true) }}
{%- endmacro %}

{#- Up to join_sample_values distinct values of the newest member, always the same ones: those with the lowest digests. -#}
{% macro _join_sample(side) -%}
    {%- set names = side.names -%}
    {%- set filled = [] -%}
    {%- set texts = [] -%}
    {%- for name in names -%}
        {%- do filled.append(name ~ ' is not null') -%}
        {%- do texts.append('cast(' ~ name ~ ' as ' ~ dbt.type_string() ~ ')') -%}
    {%- endfor -%}
    {{ return(
        'select ' ~ names | join(', ') ~ ' from (select distinct ' ~ names | join(', ') ~ ' from (' ~ side['values']
        ~ ') as rows_of_table where ' ~ filled | join(' and ') ~ ') as distinct_values'
        ~ (
            ' order by ' ~ linker.digest(texts | join(" || ' ' || ")) ~ ' limit ' ~ var('join_sample_values', 1000)
            if side.is_sampled else ''
        )
    ) }}
{%- endmacro %}

{% macro _join_condition(names) -%}
    {%- set equal = [] -%}
    {%- for name in names -%}
        {%- do equal.append('keys.' ~ name ~ ' = pointing.' ~ name) -%}
    {%- endfor -%}
    {{ return(equal | join(' and ')) }}
{%- endmacro %}

{% macro _join_key_uniqueness(side) -%}
    {%- set names = side.names -%}
    {%- if names | length == 1 -%}
        {{ return('cast(null as ' ~ linker.double_type() ~ ')') }}
    {%- endif -%}
    {{ return(
        '(select cast(count(*) as ' ~ linker.double_type() ~ ') / nullif(sum(row_count), 0) from (select count(*) as row_count from ('
        ~ side['values'] ~ ') as keys group by ' ~ names | join(', ') ~ ') as grouped)'
    ) }}
{%- endmacro %}
