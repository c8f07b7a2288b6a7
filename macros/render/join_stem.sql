{#- Words without what says that they are a key: `customer_id`, `customer_no` and `id_customer` are `customer`; `id` is ''. -#}
{% macro join_stem(words) -%}
    {%- set ended = linker.regex_replace(words, '(^|_)(' ~ linker.join_vocabulary('key') | join('|') ~ ')$', '') -%}
    {{ return(linker.regex_replace(ended, '^(id|fk|pk|sk)_', '')) }}
{%- endmacro %}
