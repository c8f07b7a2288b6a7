{#- Notes a failed try at pairs of columns in the journal: rows without numbers. Enters what `join_pairs` leaves. -#}
{% macro join_tries(journal, pairs) -%}
insert into {{ journal }} ({{ linker.join_measure_columns()[:11] | join(', ') }})
with {{ linker.names_of_sides(linker.numbered_sides(pairs)) }}

select {{ linker.join_measure_columns()[:10] | join(', ') }}, {{ linker.now_utc() }}
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side
{%- endmacro %}
