{#- The condition that a name is one of the words of a meaning (see `join_vocabulary`), or ends in one. -#}
{% macro join_ends_with(words, meaning) -%}
    {{ return(linker.regex_matches(words, '(^|_)(' ~ linker.join_vocabulary(meaning) | join('|') ~ ')$')) }}
{%- endmacro %}
