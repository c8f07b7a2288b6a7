{#- The clauses that find measures of pairs that are no candidates any more, or whose tables changed since. -#}
{% macro outdated_join_measures(journal, candidates) -%}
from {{ journal }}
where not exists (
    select 1
    from {{ candidates }} as candidates
    where {{ linker.same_join(journal.include(database=false, schema=false), 'candidates') }}
)
{%- endmacro %}
