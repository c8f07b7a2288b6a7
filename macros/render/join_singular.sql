{#- The last word in the singular, as English writes it; both sides of a comparison go through it. -#}
{% macro join_singular(words) -%}
    {%- set shorter = linker.regex_replace(words, 'ies$', 'y') -%}
    {%- set shorter = linker.regex_replace(shorter, '(ss|x|ch|sh)es$', '\\1') -%}
    {{ return(linker.regex_replace(shorter, '([^s])s$', '\\1')) }}
{%- endmacro %}
