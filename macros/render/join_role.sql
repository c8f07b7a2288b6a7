{#- The condition that a column names a person by a role: `approved_by`, `manager_id` (`who` is 'worker'), `requester_id` ('person'). -#}
{% macro join_role(words, who) -%}
    {%- set roles = '(^|_)(' ~ linker.join_vocabulary(who ~ 's role') | join('|') ~ ')(_(id|no|nr|key|code|ref))?' -%}
    {{ return(linker.regex_matches(words, '(_by|_by_id|' ~ roles ~ ')$' if who == 'worker' else roles ~ '$')) }}
{%- endmacro %}
