{#-
    The statement that measures pairs of columns and adds what it finds to the journal. Enters what `join_pairs` leaves.
    Pairs with the same pointing side sample it once.
-#}
{% macro measure_joins_statement(journal, pairs) -%}
    {%- set samples = {} -%}
    {%- for pair in pairs -%}
        {%- if pair.sample not in samples -%}
            {%- do samples.update({pair.sample: 'sample_' ~ (samples | length + 1)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set measured_at = linker.now_utc() -%}
insert into {{ journal }} ({{ linker.join_measure_columns() | join(', ') }})
with {% for sample, name in samples.items() -%}
{{ name }} as {{ linker.materialized() }}(
{{ sample }}
){{ ',\n\n' if not loop.last }}
{%- endfor %}
{%- for pair in pairs %}
{{ 'union all' if not loop.first }}
select
    {{ pair.literals }},
    {{ measured_at }},
    count(*),
    count(keys.value_1),
    {{ pair.key_uniqueness }}
from {{ samples[pair.sample] }} as pointing
left join ({{ pair.key_values }}) as keys on {{ pair.is_found }}
{%- endfor %}
{%- endmacro %}

{#- The columns of linker_join_measures in the order in which the statement gives them. -#}
{% macro join_measure_columns() -%}
    {{ return([
        'from_database', 'from_schema', 'from_table', 'from_columns', 'from_fingerprint',
        'to_database', 'to_schema', 'to_table', 'to_columns', 'to_fingerprint',
        'measured_at', 'sampled_values', 'found_values', 'key_uniqueness',
    ]) }}
{%- endmacro %}

{#-
    The SQL of each pair that is to be measured, out of rows of linker_join_candidates and the declared columns by table:
    {sample, literals, key_values, is_found, key_uniqueness}. A warehouse has thousands of pairs: what sides have in common
    is rendered once.
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
        {%- do pairs.append(dict(found.to, sample=found.from.sample, literals=found.from.literals ~ ', ' ~ found.to.literals)) -%}
    {%- endfor -%}
    {{ return(pairs) }}
{%- endmacro %}

{% macro _join_table(row, name, declared) -%}
    {%- set database, schema = row[name ~ '_database'], row[name ~ '_schema'] -%}
    {%- set members = fromjson(row[name ~ '_members']) -%}
    {%- set relations = [] -%}
    {%- for member in members -%}
        {%- do relations.append(linker.relation_name(database, schema, member)) -%}
    {%- endfor -%}
    {%- set literals = [] -%}
    {%- for field in ['database', 'schema', 'table'] -%}
        {%- do literals.append(linker.literal(row[name ~ '_' ~ field])) -%}
    {%- endfor -%}
    {{ return({
        'relations': relations,
        'name': literals | join(', '),
        'fingerprint': linker.literal(row[name ~ '_fingerprint']),
        'declared': declared.get(database ~ '\n' ~ schema ~ '\n' ~ members[0], []),
    }) }}
{%- endmacro %}

{% macro _join_side(row, name, table, reads_text) -%}
    {%- set side = {
        'relations': table.relations[:1] if name == 'from' else table.relations,
        'columns': fromjson(row[name ~ '_columns']),
        'kinds': fromjson(row[name ~ '_kinds']),
        'is_discovered': name == 'from' and row['from_discovered'],
        'declared': table.declared,
    } -%}
    {%- set values = linker.join_values(side, reads_text) -%}
    {%- set names = ['value_1', 'value_2', 'value_3', 'value_4'][:side.columns | length] -%}
    {{ return({
        'literals': table.name ~ ', ' ~ linker.literal(row[name ~ '_columns']) ~ ', ' ~ table.fingerprint,
        'sample': linker._join_sample(values, names) if name == 'from',
        'key_values': 'select distinct ' ~ names | join(', ') ~ ' from (' ~ values ~ ') as rows_of_table',
        'is_found': linker._join_condition(names) if name == 'to',
        'key_uniqueness': linker._join_key_uniqueness(values, names) if name == 'to',
    }) }}
{%- endmacro %}

{#- Up to join_sample_values distinct values of the newest member, always the same ones: those with the lowest digests. -#}
{% macro _join_sample(values, names) -%}
    {%- set filled = [] -%}
    {%- set texts = [] -%}
    {%- for name in names -%}
        {%- do filled.append(name ~ ' is not null') -%}
        {%- do texts.append('cast(' ~ name ~ ' as ' ~ dbt.type_string() ~ ')') -%}
    {%- endfor -%}
    {{ return(
        'select ' ~ names | join(', ') ~ ' from (select distinct ' ~ names | join(', ') ~ ' from (' ~ values ~ ') as rows_of_table where '
        ~ filled | join(' and ') ~ ') as distinct_values order by ' ~ linker.digest(texts | join(" || ' ' || ")) ~ ' limit '
        ~ var('join_sample_values', 1000)
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

{#- A select of the values of a side's columns as value_1, value_2 …, of all its relations. -#}
{% macro join_values(side, reads_text) -%}
    {%- set selects = [] -%}
    {%- for relation in side.relations -%}
        {%- do selects.append(
            linker._join_values_inside(side, relation)
            if side.is_discovered or linker._is_nested_path(side.columns[0])
            else linker._join_values_of_columns(side, relation, reads_text)
        ) -%}
    {%- endfor -%}
    {{ return(selects | join(' union all ')) }}
{%- endmacro %}

{% macro _is_nested_path(path) -%}
    {{ return('.' in modules.re.sub('"(?:[^"]|"")*"', '', path)) }}
{%- endmacro %}

{% macro _join_values_of_columns(side, relation, reads_text) -%}
    {%- set selected = [] -%}
    {%- for path in side.columns -%}
        {%- set name = linker.identifier(path[1:-1].replace('""', '"') if path.startswith('"') else path) -%}
        {%- set kind = side.kinds[loop.index0] -%}
        {%- do selected.append((name if kind == 'integer' and not reads_text else linker.as_text(name, kind)) ~ ' as value_' ~ loop.index) -%}
    {%- endfor -%}
    {{ return('select ' ~ selected | join(', ') ~ ' from ' ~ relation) }}
{%- endmacro %}

{#- Inside a struct, a list or a document, where there is one path. Documents are taken apart for some thousand rows only. -#}
{% macro _join_values_inside(side, relation) -%}
    {%- set path = side.columns[0] -%}
    {%- set ancestors = [] -%}
    {%- for row in side.declared -%}
        {%- if row.column_path == path or path.startswith(row.column_path ~ '.') -%}
            {%- do ancestors.append(dict(row, privacy='show')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set place = linker.scan_columns(ancestors, false).columns[-1] -%}
    {%- set source = '(select ' ~ linker.identifier(ancestors[0].column_name) ~ ' as b1 from ' ~ relation
        ~ (' limit ' ~ var('join_documents', 5000) if side.is_discovered else '') ~ ') as source' -%}
    {%- if place.elements -%}
        {%- set source = source ~ ' ' ~ linker.unnest_list(place.elements) -%}
    {%- endif -%}
    {%- if not side.is_discovered -%}
        {%- set kind = side.kinds[0] -%}
        {{ return('select ' ~ (place.value if kind == 'integer' else linker.as_text(place.value, kind)) ~ ' as value_1 from ' ~ source) }}
    {%- endif -%}
    {{ return(
        'select value as value_1 from (with documents as (select 1 as column_number, '
        ~ linker.as_text(place.value, place.value_kind) ~ ' as value from ' ~ source
        ~ ') select sub_path, value from (' ~ linker.json_leaves() ~ ') as leaves) as inner_values where sub_path = '
        ~ linker.literal(path[ancestors[-1].column_path | length + 1:])
    ) }}
{%- endmacro %}

{#- Measures of pairs that are no candidates any more, or whose tables changed since. -#}
{% macro outdated_join_measures(journal, candidates) -%}
delete from {{ journal }}
where not exists (
    select 1
    from {{ candidates }} as candidates
    where {{ linker.same_join(journal.include(database=false, schema=false), 'candidates') }}
)
{%- endmacro %}

{#- The condition that two relations speak of the same pair in the same state of its tables. -#}
{% macro same_join(one, other) -%}
    {%- for name in linker.join_measure_columns()[:10] -%}
    {{ one }}.{{ name }} = {{ other }}.{{ name }}{{ ' and ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
