{#- The entropy in bits of a group of values, of which `count` says how often each occurs. -#}
{% macro entropy(count) -%}
    {{ return(
        '(ln(sum(' ~ count ~ ')) - sum(' ~ count ~ ' * ln(' ~ count ~ ')) / sum(' ~ count ~ ')) / ln(2)'
    ) }}
{%- endmacro %}
