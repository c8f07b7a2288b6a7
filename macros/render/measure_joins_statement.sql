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
