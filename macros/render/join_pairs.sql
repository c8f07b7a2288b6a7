{#-
    The SQL of each pair that is to be measured, out of rows of linker_join_candidates and the declared columns by table:
    {sample, literals, key_values, is_found, key_uniqueness, compared, value_count}. A warehouse has thousands of pairs: what
    sides have in common is rendered once. `compared`: as what the values of two single columns of tables are compared; none
    where a side is anything else.
-#}
{% macro join_pairs(due, declared) -%}
    {%- set tables = {} -%}
    {%- set sides = {} -%}
    {%- set pairs = [] -%}
    {%- for row in due -%}
        {%- set reads_text = row['from_discovered'] or row['from_kinds'] != row['to_kinds'] -%}
        {%- set found = {} -%}
        {%- for name in ['from', 'to'] -%}
            {%- set table_key = (row[name ~ '_database'], row[name ~ '_schema'], row[name ~ '_table']) -%}
            {%- set key = (name, table_key, row[name ~ '_columns'], reads_text) -%}
            {%- if table_key not in tables -%}
                {%- do tables.update({table_key: linker._join_table(row, name, declared)}) -%}
            {%- endif -%}
            {%- if key not in sides -%}
                {%- do sides.update({key: linker._join_side(row, name, tables[table_key], reads_text)}) -%}
            {%- endif -%}
            {%- do found.update({name: sides[key]}) -%}
        {%- endfor -%}
        {%- do pairs.append(dict(
            found.to,
            sample=found.from.sample,
            sides=[found.from, found.to],
            literals=found.from.literals ~ ', ' ~ found.to.literals,
            compared=found.from.compared ~ ' = ' ~ found.to.compared if found.from.compared and found.to.compared else none,
            value_count=row['from_value_count'] | int + row['to_value_count'] | int
        )) -%}
    {%- endfor -%}
    {{ return(pairs) }}
{%- endmacro %}

{% macro _join_table(row, name, declared) -%}
    {%- set database, schema = row[name ~ '_database'], row[name ~ '_schema'] -%}
    {%- set members = fromjson(row[name ~ '_members']) -%}
    {%- set own = declared.get(database ~ '\n' ~ schema ~ '\n' ~ members[0], []) -%}
    {%- set relations = [] -%}
    {%- for member in members -%}
        {%- do relations.append({
            'name': linker.relation_name(database, schema, member),
            'declared': declared.get(database ~ '\n' ~ schema ~ '\n' ~ member, []) if not loop.first else own,
        }) -%}
    {%- endfor -%}
    {%- set literals = [] -%}
    {%- for field in ['database', 'schema', 'table'] -%}
        {%- do literals.append(linker.literal(row[name ~ '_' ~ field])) -%}
    {%- endfor -%}
    {{ return({
        'relations': relations,
        'named': literals,
        'fingerprint': linker.literal(row[name ~ '_fingerprint']),
        'declared': own,
    }) }}
{%- endmacro %}

{% macro _join_side(row, name, table, reads_text) -%}
    {%- set columns = fromjson(row[name ~ '_columns']) -%}
    {%- set side = {
        'relations': linker._relations_with(table, columns)[:1 if name == 'from' else none],
        'columns': columns,
        'kinds': fromjson(row[name ~ '_kinds']),
        'is_discovered': name == 'from' and row['from_discovered'],
        'declared': table.declared,
    } -%}
    {%- set values = linker.join_values(side, reads_text) -%}
    {%- set names = ['value_1', 'value_2', 'value_3', 'value_4'][:side.columns | length] -%}
    {%- set own = table.declared | selectattr('column_path', 'equalto', columns[0]) | map(attribute='data_type') | first -%}
    {%- set named = table.named + [linker.literal(row[name ~ '_columns']), table.fingerprint] -%}
    {{ return({
        'literals': named | join(', '),
        'named': named,
        'compared': none if columns | length > 1 or side.is_discovered else 'text' if reads_text or side.kinds[0] != 'integer' else own,
        'sample': linker._join_sample(values, names, row['from_value_count'] | int) if name == 'from',
        'key_values': 'select distinct ' ~ names | join(', ') ~ ' from (' ~ values ~ ') as rows_of_table',
        'is_found': linker._join_condition(names) if name == 'to',
        'key_uniqueness': linker._join_key_uniqueness(values, names) if name == 'to',
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
{% macro _join_sample(values, names, value_count) -%}
    {%- set filled = [] -%}
    {%- set texts = [] -%}
    {%- for name in names -%}
        {%- do filled.append(name ~ ' is not null') -%}
        {%- do texts.append('cast(' ~ name ~ ' as ' ~ dbt.type_string() ~ ')') -%}
    {%- endfor -%}
    {{ return(
        'select ' ~ names | join(', ') ~ ' from (select distinct ' ~ names | join(', ') ~ ' from (' ~ values ~ ') as rows_of_table where '
        ~ filled | join(' and ') ~ ') as distinct_values'
        ~ (
            ' order by ' ~ linker.digest(texts | join(" || ' ' || ")) ~ ' limit ' ~ var('join_sample_values', 1000)
            if value_count > var('join_sample_values', 1000) else ''
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

{% macro _join_key_uniqueness(values, names) -%}
    {%- if names | length == 1 -%}
        {{ return('cast(null as ' ~ linker.double_type() ~ ')') }}
    {%- endif -%}
    {{ return(
        '(select cast(count(*) as ' ~ linker.double_type() ~ ') / nullif(sum(row_count), 0) from (select count(*) as row_count from ('
        ~ values ~ ') as keys group by ' ~ names | join(', ') ~ ') as grouped)'
    ) }}
{%- endmacro %}
