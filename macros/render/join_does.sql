{#- The condition that a name says what the holder of another does: `ship_via` and `shipped_by` of a `shipper`, `supplied_by` of a `supplier`. -#}
{% macro join_does(words, doer) -%}
    {%- set verb = linker.regex_replace(linker.regex_extract(words, '^([a-z]+)_(via|by|with|through)(_id|_no|_code)?$'), '(ied|y|ed|e|s)$', '') -%}
    {%- set noun = linker.regex_replace(doer, '(ier|er|or)$', '') -%}
    {{ return(
        '(' ~ noun ~ ' <> ' ~ doer ~ ' and length(' ~ verb ~ ') >= 3 and ' ~ noun ~ ' in (' ~ verb ~ ', ' ~ verb ~ ' || right(' ~ verb ~ ', 1)))'
    ) }}
{%- endmacro %}
