-- Texts that would escape from literals or patterns if they could, as literals, pattern matches and one list. BigQuery's columns
-- cannot have such names; a reserved word replaces them.
{{ config(materialized='table', schema='linker') }}
{%- set texts = [
    "it's", 'a "quote"', 'back\\slash', '\\', 'back`tick', 'line\nbreak', 'tab\there', "'; drop table orders; --", '$$ $1 %s',
    'ünï ✓ 漢字', '', '/* no comment */', '\\n'
] %}
{%- set name = linker.identifier('select' if target.type == 'bigquery' else 'sel"ect`\\ ; --') %}
with texts as (
    {%- for text in texts %}
    select {{ loop.index }} as place, {{ linker.literal(text) }} as {{ name }}{{ ' union all' if not loop.last }}
    {%- endfor %}
),

lists as (
    select {{ linker.text_list(name, 'place') }} as all_texts
    from texts
)

select
    texts.place,
    texts.{{ name }} as content,
    {{ linker.regex_extract('texts.' ~ name, '^[^a-z]*((?:[a-z])+)') }} as first_word,
    {{ linker.literal(none) }} as nothing,
    lists.all_texts
from texts
cross join lists
