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
    {%- for pair in pairs -%}
        {%- if pair.sample not in samples -%}
            {%- do samples.update({pair.sample: 'sample_' ~ (samples | length + 1)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set measured_at = linker.now_utc() -%}
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

{#- Sides are numbered, and their values lie in two relations, so that the warehouse plans one join for all pairs. -#}
{% macro _measures_of_alike(pairs) -%}
    {%- set numbers = {} -%}
    {%- set sides = [[], []] -%}
    {%- set rows = [] -%}
    {%- for pair in pairs -%}
        {%- set row = [loop.index] -%}
        {%- for side in pair.sides -%}
            {%- set place = loop.index0 -%}
            {%- set key = (place, side.literals) -%}
            {%- if key not in numbers -%}
                {%- do sides[place].append(side) -%}
                {%- do numbers.update({key: sides[place] | length}) -%}
            {%- endif -%}
            {%- do row.append(numbers[key]) -%}
        {%- endfor -%}
        {%- do rows.append(row) -%}
    {%- endfor -%}
with pointing as {{ linker.materialized() }}(
    {%- for side in sides[0] %}
    select {{ loop.index }} as side, value_1 from ({{ side.sample }}) as side_{{ loop.index }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

keys as {{ linker.materialized() }}(
    {%- for side in sides[1] %}
    select {{ loop.index }} as side, value_1 from ({{ side.key_values }}) as side_{{ loop.index }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

pairs as (
    {{- linker.inline_rows(['pair', 'from_side', 'to_side'], rows) }}
),

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
),

{% for name in ['from', 'to'] -%}
{%- set named = [] -%}
{%- for side in sides[loop.index0] -%}
    {%- do named.append([loop.index] + side.named) -%}
{%- endfor -%}
{{ name }}_sides as (
    {{- linker.inline_rows(['side'] + linker._join_side_columns(name), named) }}
){{ ',\n\n' if not loop.last }}
{%- endfor %}

select
    {{ linker._join_side_columns('from') | join(', ') }},
    {{ linker._join_side_columns('to') | join(', ') }},
    {{ linker.now_utc() }},
    measured.sampled_values,
    measured.found_values,
    cast(null as {{ linker.double_type() }})
from measured
inner join from_sides on measured.from_side = from_sides.side
inner join to_sides on measured.to_side = to_sides.side
{%- endmacro %}

{% macro _join_side_columns(name) -%}
    {{ return(linker.join_measure_columns()[:5] if name == 'from' else linker.join_measure_columns()[5:10]) }}
{%- endmacro %}
