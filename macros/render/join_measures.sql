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
    (select count(*) from {{ samples[pair.sample] }}),
    (
        select count(*)
        from {{ samples[pair.sample] }} as pointing
        where exists (select 1 from ({{ pair.key_values }}) as keys where {{ pair.is_found }})
    ),
    {{ pair.key_uniqueness }}
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
    {sample, literals, key_values, is_found, key_uniqueness}. What sides have in common is rendered once.
-#}
{% macro join_pairs(due, declared) -%}
    {%- set rendered = {} -%}
    {%- set pairs = [] -%}
    {%- for row in due -%}
        {%- set reads_text = row['from_discovered'] or row['from_kinds'] != row['to_kinds'] -%}
        {%- set from_key = ('from', row['from_database'], row['from_schema'], row['from_table'], row['from_columns'], reads_text) -%}
        {%- set to_key = ('to', row['to_database'], row['to_schema'], row['to_table'], row['to_columns'], reads_text) -%}
        {%- if from_key not in rendered -%}
            {%- do rendered.update({from_key: linker._join_side(row, 'from', declared, reads_text)}) -%}
        {%- endif -%}
        {%- if to_key not in rendered -%}
            {%- do rendered.update({to_key: linker._join_side(row, 'to', declared, reads_text)}) -%}
        {%- endif -%}
        {%- set from, to = rendered[from_key], rendered[to_key] -%}
        {%- do pairs.append(dict(to, sample=from.sample, literals=from.literals ~ ', ' ~ to.literals)) -%}
    {%- endfor -%}
    {{ return(pairs) }}
{%- endmacro %}

{% macro _join_side(row, name, declared, reads_text) -%}
    {%- set members = fromjson(row[name ~ '_members']) -%}
    {%- set database, schema = row[name ~ '_database'], row[name ~ '_schema'] -%}
    {%- set columns = fromjson(row[name ~ '_columns']) -%}
    {%- set side = {
        'database_name': database,
        'schema_name': schema,
        'columns': columns,
        'kinds': fromjson(row[name ~ '_kinds']),
        'is_discovered': name == 'from' and row['from_discovered'],
        'declared': declared.get(database ~ '\n' ~ schema ~ '\n' ~ members[0], []),
    } -%}
    {%- set literals = [] -%}
    {%- for field in ['database', 'schema', 'table', 'columns', 'fingerprint'] -%}
        {%- do literals.append(linker.literal(row[name ~ '_' ~ field])) -%}
    {%- endfor -%}
    {%- set values = linker.join_values(side, members[:1] if name == 'from' else members, reads_text) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append('value_' ~ loop.index) -%}
    {%- endfor -%}
    {{ return({
        'literals': literals | join(', '),
        'sample': linker._join_sample(values, names) if name == 'from',
        'key_values': values,
        'is_found': linker._join_condition(names),
        'key_uniqueness': linker._join_key_uniqueness(values, names),
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

{#- A select of the values of a side's columns as value_1, value_2 …, of all given members. -#}
{% macro join_values(side, members, reads_text) -%}
    {%- set selects = [] -%}
    {%- for member in members -%}
        {%- set relation = linker.relation_name(side.database_name, side.schema_name, member) -%}
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
    where {{ linker.same_join(journal, 'candidates') }}
)
{%- endmacro %}

{#- The condition that two relations speak of the same pair in the same state of its tables. -#}
{% macro same_join(one, other) -%}
    {%- for name in linker.join_measure_columns()[:10] -%}
    {{ one }}.{{ name }} = {{ other }}.{{ name }}{{ ' and ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
