{#-
    The statement that measures pairs of columns and adds what it finds to the journal. Enters what `join_pairs` leaves.
    Each side is read once: pairs that are compared alike look the samples of all up in the keys of all, at once.
-#}
{% macro measure_joins_statement(journal, pairs) -%}
insert into {{ journal }} ({{ linker.join_measure_columns() | join(', ') }})
{%- if pairs[0].compared %}
{{ linker._measures_of_alike(pairs) }}
{%- else %}
{{ linker._measures_one_by_one(pairs) }}
{%- endif %}
{%- endmacro %}

{% macro _measures_one_by_one(pairs) -%}
    {%- set samples = {} -%}
    {%- set sample_names = [] -%}
    {%- for pair in pairs -%}
        {%- do sample_names.append(samples.setdefault(linker._join_sample(pair['from']), 'sample_' ~ (samples | length + 1))) -%}
    {%- endfor -%}
    {%- set measured_at = linker.now_utc() -%}
with {% for sample, name in samples.items() -%}
{{ name }} as {{ linker.materialized() }}(
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
    {{ linker._join_key_uniqueness(pair.to) }}
from {{ sample_names[loop.index0] }} as pointing
left join (select distinct {{ names | join(', ') }} from ({{ pair.to['values'] }}) as rows_of_table) as keys
    on {{ linker._join_condition(names) }}
{%- endfor %}
{%- endmacro %}

{#- Sides are numbered, and their values lie in two relations, so that the warehouse plans one join for all pairs. -#}
{% macro _measures_of_alike(pairs) -%}
    {%- set numbered = linker.numbered_sides(pairs) -%}
with pointing as {{ linker.materialized() }}(
    {{- linker._values_of_sides(numbered.from_sides) }}
),

keys as {{ linker.materialized() }}(
    {{- linker._values_of_sides(numbered.to_sides) }}
),

{{ linker.names_of_sides(numbered) }},

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
    cast(null as {{ linker.double_type() }})
from measured
inner join from_sides on measured.from_side = from_sides.side
inner join to_sides on measured.to_side = to_sides.side
{%- endmacro %}

{#- The distinct values of all sides are found at once: that is planned and run in less than each by itself. -#}
{% macro _values_of_sides(sides) %}
    select distinct side, value_1
    from (
        {%- for side in sides %}
        select {{ loop.index }} as side, value_1 from ({{ linker._join_sample(side) if side.is_sampled else side['values'] }}) as side_{{ loop.index }}
        {{- ' union all' if not loop.last }}
        {%- endfor %}
    ) as values_of_sides
    where value_1 is not null
{% endmacro %}

{#- The sides of pairs, each once, and the pairs as the numbers of their sides: {from_sides, to_sides, pairs}. -#}
{% macro numbered_sides(pairs) -%}
    {%- set numbers, from_sides, to_sides, rows = {}, [], [], [] -%}
    {%- for pair in pairs -%}
        {%- set from_side, to_side = pair['from'], pair['to'] -%}
        {%- if from_side['number'] not in numbers -%}
            {%- do from_sides.append(from_side) -%}
            {%- do numbers.update({from_side['number']: from_sides | length}) -%}
        {%- endif -%}
        {%- if to_side['number'] not in numbers -%}
            {%- do to_sides.append(to_side) -%}
            {%- do numbers.update({to_side['number']: to_sides | length}) -%}
        {%- endif -%}
        {%- do rows.append({'from_side': numbers[from_side['number']], 'to_side': numbers[to_side['number']]}) -%}
    {%- endfor -%}
    {{ return({'from_sides': from_sides, 'to_sides': to_sides, 'pairs': rows}) }}
{%- endmacro %}

{#- Common table expressions of what `numbered_sides` leaves: pairs, from_sides and to_sides, as the journal names them. -#}
{% macro names_of_sides(numbered) -%}
pairs as (
    {{- linker.plain_rows({'from_side': 'integer', 'to_side': 'integer'}, numbered.pairs) }}
)
    {%- for name in ['from', 'to'] %}
    {%- set columns = linker.join_measure_columns()[:5] if name == 'from' else linker.join_measure_columns()[5:10] %}
    {%- set types, rows = {'side': 'integer'}, [] %}
    {%- for column in columns %}
        {%- do types.update({column: dbt.type_string()}) %}
    {%- endfor %}
    {%- for side in numbered[name ~ '_sides'] %}
        {%- do rows.append(dict(zip(columns, side.named), side=loop.index)) %}
    {%- endfor %},

{{ name }}_sides as (
    {{- linker.plain_rows(types, rows) }}
)
    {%- endfor %}
{%- endmacro %}
