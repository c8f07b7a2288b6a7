{#- Measures column pairs: the statements, their samples of both sides, and their rows in the journal. -#}

{#- The columns of linker_join_measures in the order of the statement's output. -#}
{% macro join_measure_columns() -%}
    {{ return([
        'from_database', 'from_schema', 'from_table', 'from_columns', 'from_fingerprint',
        'to_database', 'to_schema', 'to_table', 'to_columns', 'to_fingerprint',
        'measured_at', 'sampled_values', 'found_values', 'key_uniqueness',
    ]) }}
{%- endmacro %}

{#- The condition that two relations contain the same pair in the same state of its tables. -#}
{% macro same_join(one, other) -%}
    {%- for name in linker.join_measure_columns()[:10] -%}
    {{ one }}.{{ name }} = {{ other }}.{{ name }}{{ ' and ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#-
    Pairs to measure, as batches that one statement measures together: pairs compared in the same way, at most `most_pairs`, and
    no more values than fit into memory; the order within each kind is kept. Takes rows of linker_join_candidates and the
    declared columns by table.
    A pair is {from, to, compared}. A side is {number, named: its columns in the journal, values: a select of its values, names:
    the columns of that select, is_sampled, compared: the kind in which single columns are compared, else none}. Sides are
    cached, since a warehouse has thousands of pairs.
-#}
{% macro join_pairs(due, declared, most_pairs) -%}
    {%- set tables, sides, forms, schemas = {}, {}, {}, {} -%}
    {%- set batches, filling, read = [], {}, {} -%}
    {%- for row in due -%}
        {%- set reads_text = row['from_discovered'] or row['from_kinds'] != row['to_kinds'] -%}
        {%- set from_key = ('from', row['from_database'], row['from_schema'], row['from_table'], row['from_columns'], reads_text) -%}
        {%- set to_key = ('to', row['to_database'], row['to_schema'], row['to_table'], row['to_columns'], reads_text) -%}
        {%- for key in [from_key, to_key] if key not in sides -%}
            {%- if key[1:4] not in tables -%}
                {%- set name, database, schema = key[:3] -%}
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
                {%- set table = {
                    'relations': relations,
                    'named': [database, schema, row[name ~ '_table']],
                    'fingerprint': row[name ~ '_fingerprint'],
                    'declared': relations[0].declared,
                    'types': types,
                } -%}
                {%- do tables.update({key[1:4]: table}) -%}
            {%- endif -%}
            {%- do sides.update({key: dict(linker._join_side(row, key[0], tables[key[1:4]], reads_text, forms), number=sides | length)}) -%}
        {%- endfor -%}
        {%- set from_side, to_side = sides[from_key], sides[to_key] -%}
        {%- set is_alike = from_side['compared'] and to_side['compared'] -%}
        {%- set kind = from_side['compared'] ~ ' = ' ~ to_side['compared'] if is_alike else none -%}
        {%- set value_count = row['from_value_count'] | int + row['to_value_count'] | int -%}
        {%- set batch = filling.get(kind) -%}
        {%- if not batch or batch | length >= most_pairs or read[kind] + value_count > 4000000 -%}
            {%- set batch = [] -%}
            {%- do batches.append(batch) -%}
            {%- do filling.update({kind: batch}) -%}
            {%- do read.update({kind: 0}) -%}
        {%- endif -%}
        {%- do batch.append({'from': from_side, 'to': to_side, 'compared': kind}) -%}
        {%- do read.update({kind: read[kind] + value_count}) -%}
    {%- endfor -%}
    {{ return(batches) }}
{%- endmacro %}

{% macro _join_side(row, name, table, reads_text, forms) -%}
    {%- set columns = fromjson(row[name ~ '_columns']) -%}
    {%- set kinds = fromjson(row[name ~ '_kinds']) -%}
    {%- set is_discovered = name == 'from' and row['from_discovered'] -%}
    {%- set is_alone = columns | length == 1 and not is_discovered -%}
    {%- set is_inside = is_discovered or (
        '.' in columns[0] and '.' in modules.re.sub('"(?:[^"]|"")*"', '', columns[0])
    ) -%}
    {%- set reads_newest = table.relations | length == 1 or name == 'from' -%}
    {%- set selected = [] -%}
    {%- for path in columns if not is_inside -%}
        {%- set column = linker.identifier(path[1:-1].replace('""', '"') if path.startswith('"') else path) -%}
        {%- set kind = kinds[loop.index0] -%}
        {%- if kind not in forms -%}
            {%- do forms.update({kind: linker.as_text('__value__', kind)}) -%}
        {%- endif -%}
        {#- Integers are compared as integers, all else as text. -#}
        {%- set value = column if kind == 'integer' and not reads_text else forms[kind] | replace('__value__', column) -%}
        {%- do selected.append(value ~ ' as value_' ~ loop.index) -%}
    {%- endfor -%}
    {#- Other shards are read only if they have the columns in the newest shard's types. -#}
    {%- set needed = [] -%}
    {%- for column in table.declared if column.depth == 0 and not reads_newest -%}
        {%- for path in columns if column.column_path == path or path.startswith(column.column_path ~ '.') -%}
            {%- do needed.append(column) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set selects = [] -%}
    {%- for relation in table.relations -%}
        {%- if loop.first or (not reads_newest and not needed | reject('in', relation.declared) | list) -%}
            {%- do selects.append(
                linker._join_values_inside(relation.name, table.declared, columns, kinds, is_discovered, reads_text)
                if is_inside else 'select ' ~ selected | join(', ') ~ ' from ' ~ relation.name
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return({
        'named': table.named + [row[name ~ '_columns'], table.fingerprint],
        'compared': none if not is_alone else 'text' if reads_text or kinds[0] != 'integer' else table.types.get(columns[0]),
        'values': selects | join(' union all '),
        'names': ['value_1', 'value_2', 'value_3', 'value_4'][:columns | length],
        'is_sampled': name == 'from' and row['from_value_count'] | int > var('join_sample_values', 1000),
    }) }}
{%- endmacro %}

{#-
    A select of the values at nested paths in a struct, list or document. Several paths must be in structs only. At most
    `join_documents` documents are parsed.
-#}
{% macro _join_values_inside(relation, declared, columns, kinds, is_discovered, reads_text) -%}
    {%- set ancestors = [] -%}
    {%- for row in declared -%}
        {%- for path in columns if row.column_path == path or path.startswith(row.column_path ~ '.') -%}
            {%- if loop.first -%}{%- do ancestors.append(dict(row, privacy='show')) -%}{%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set found = linker.scan_columns(ancestors, false) -%}
    {%- set bases = [] -%}
    {%- for base in found.bases -%}
        {%- do bases.append(linker.identifier(base.name) ~ ' as b' ~ base.number) -%}
    {%- endfor -%}
    {%- set source = '(select ' ~ bases | join(', ') ~ ' from ' ~ relation
        ~ (' limit ' ~ var('join_documents', 5000) if is_discovered else '') ~ ') as source' -%}
    {%- set place = found.columns[-1] -%}
    {%- if place.elements -%}
        {%- set source = source ~ ' ' ~ linker.dialect().unnest_list.format(list=place.elements) -%}
    {%- endif -%}
    {%- if is_discovered -%}
        {{ return(
            'select value as value_1 from (with documents as (select 1 as column_number, '
            ~ linker.as_text(linker.plain_value(place.value, place.data_type), place.value_kind) ~ ' as value from ' ~ source
            ~ ') select sub_path, value from (' ~ linker.json_leaves() ~ ') as leaves) as inner_values where sub_path = '
            ~ linker.literal(columns[0][ancestors[-1].column_path | length + 1:])
        ) }}
    {%- endif -%}
    {%- set selected = [] -%}
    {%- for path in columns -%}
        {%- set value = (found.columns | selectattr('column_path', 'equalto', path) | first).value -%}
        {%- set kind = kinds[loop.index0] -%}
        {%- set compared = value if kind == 'integer' and not reads_text else linker.as_text(value, kind) -%}
        {%- do selected.append(compared ~ ' as value_' ~ loop.index) -%}
    {%- endfor -%}
    {{ return('select ' ~ selected | join(', ') ~ ' from ' ~ source) }}
{%- endmacro %}

{#- Statement that records a failed attempt at these pairs in the journal, as rows without numbers. -#}
{% macro join_tries(journal, pairs) -%}
insert into {{ journal }} ({{ linker.join_measure_columns()[:11] | join(', ') }})
with {{ linker._numbered_sides(pairs).names }}

select {{ linker.join_measure_columns()[:10] | join(', ') }}, {{ linker.now_utc() }}
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side
{%- endmacro %}

{#-
    Statement that measures the pairs of a batch of `join_pairs` and inserts the results into the journal. Each side is read
    once. If all pairs are compared in the same way, sides are numbered and their values are in two relations, so that the
    warehouse plans one join, and computes the distinct values of all sides together.
-#}
{% macro measure_joins_statement(journal, pairs) -%}
    {%- set numbered = linker._numbered_sides(pairs) -%}
insert into {{ journal }} ({{ linker.join_measure_columns() | join(', ') }})
{% if not pairs[0].compared -%}
{{ linker._measures_one_by_one(pairs) }}
{%- else -%}
with {% for name, sides in [('pointing', numbered.from_sides), ('keys', numbered.to_sides)] -%}
{{ name }} as {{ linker.dialect().materialized }}(
    select distinct side, value_1
    from (
        {%- for side in sides %}
        select {{ loop.index }} as side, value_1 from ({{ linker._join_sample(side) if side.is_sampled else side['values'] }}) as side_{{ loop.index }}
        {{- ' union all' if not loop.last }}
        {%- endfor %}
    ) as values_of_sides
    where value_1 is not null
),

{% endfor -%}
{{ numbered.names }},

measured as (
    select
        pairs.from_side,
        pairs.to_side,
        count(pointing.value_1) as sampled_values,
        count(keys.value_1) as found_values
    from pairs
    left join pointing on pairs.from_side = pointing.side
    left join keys on pairs.to_side = keys.side and pointing.value_1 = keys.value_1
    group by pairs.from_side, pairs.to_side
)

select
    {{ linker.join_measure_columns()[:10] | join(', ') }},
    {{ linker.now_utc() }},
    measured.sampled_values,
    measured.found_values,
    cast(null as {{ linker.dialect().double_type }})
from measured
inner join from_sides on measured.from_side = from_sides.side
inner join to_sides on measured.to_side = to_sides.side
{%- endif -%}
{%- endmacro %}

{#-
    The distinct sides of pairs: from_sides, to_sides, and `names`, common table expressions: pairs as side numbers, and
    from_sides and to_sides with their names in the journal.
-#}
{% macro _numbered_sides(pairs) -%}
    {%- set numbers, from_sides, to_sides, rows = {}, [], [], [] -%}
    {%- for pair in pairs -%}
        {%- for side, sides in [(pair['from'], from_sides), (pair['to'], to_sides)] if side['number'] not in numbers -%}
            {%- do sides.append(side) -%}
            {%- do numbers.update({side['number']: sides | length}) -%}
        {%- endfor -%}
        {%- do rows.append({'from_side': numbers[pair['from']['number']], 'to_side': numbers[pair['to']['number']]}) -%}
    {%- endfor -%}
    {%- set names -%}
pairs as (
    {{- linker.plain_rows({'from_side': 'integer', 'to_side': 'integer'}, rows) }}
)
    {%- for name, sides in [('from', from_sides), ('to', to_sides)] %}
    {%- set columns = linker.join_measure_columns()[:5] if name == 'from' else linker.join_measure_columns()[5:10] %}
    {%- set types, rows = {'side': 'integer'}, [] %}
    {%- for column in columns %}
        {%- do types.update({column: dbt.type_string()}) %}
    {%- endfor %}
    {%- for side in sides %}
        {%- do rows.append(dict(zip(columns, side.named), side=loop.index)) %}
    {%- endfor %},

{{ name }}_sides as (
    {{- linker.plain_rows(types, rows) }}
)
    {%- endfor %}
    {%- endset -%}
    {{ return({'from_sides': from_sides, 'to_sides': to_sides, 'names': names}) }}
{%- endmacro %}

{#- Measures pairs one by one: those compared differently, or with several columns. -#}
{% macro _measures_one_by_one(pairs) -%}
    {%- set samples = {} -%}
    {%- set sample_names = [] -%}
    {%- for pair in pairs -%}
        {%- do sample_names.append(samples.setdefault(linker._join_sample(pair['from']), 'sample_' ~ (samples | length + 1))) -%}
    {%- endfor -%}
    {%- set measured_at, double = linker.now_utc(), linker.dialect().double_type -%}
with {% for sample, name in samples.items() -%}
{{ name }} as {{ linker.dialect().materialized }}(
{{ sample }}
){{ ',\n\n' if not loop.last }}
{%- endfor %}
{%- for pair in pairs %}
{%- set names = pair.to.names %}
{{ 'union all' if not loop.first }}
select
    {% for value in pair['from'].named + pair.to.named %}{{ linker.literal(value) }}, {% endfor %}
    {{ measured_at }},
    count(*),
    count(keys.value_1),
    {% if names | length == 1 -%}
    cast(null as {{ double }})
    {%- else -%}
    (select cast(count(*) as {{ double }}) / nullif(sum(row_count), 0) from (select count(*) as row_count from ({{ pair.to['values'] }}) as keys group by {{ names | join(', ') }}) as grouped)
    {%- endif %}
from {{ sample_names[loop.index0] }} as pointing
left join (select distinct {{ names | join(', ') }} from ({{ pair.to['values'] }}) as rows_of_table) as keys
    on {% for name in names %}keys.{{ name }} = pointing.{{ name }}{{ ' and ' if not loop.last }}{% endfor %}
{%- endfor %}
{%- endmacro %}

{#- Up to join_sample_values distinct values of the newest shard, chosen deterministically by the lowest digests. -#}
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
