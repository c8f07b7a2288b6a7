{#- Notes a failed try at pairs of columns in the journal: rows without numbers. Enters what `join_pairs` leaves. -#}
{% macro join_tries(journal, pairs) -%}
{%- set tried_at = linker.now_utc() -%}
insert into {{ journal }} ({{ linker.join_measure_columns()[:11] | join(', ') }})
{%- for pair in pairs %}
{{ 'union all ' if not loop.first }}select {{ pair.literals }}, {{ tried_at }}
{%- endfor %}
{%- endmacro %}
