{#- The words of a column's name, lower-cased and between underscores: `billing.customerId` becomes `_customer_id_`. -#}
{% macro name_words(path) -%}
    {%- set step = linker.regex_replace(path, '^.*[.]', '') -%}
    {%- set parted = linker.regex_replace(step, '([a-z0-9])([A-Z])', '\\1_\\2') -%}
    {{ return("'_' || " ~ linker.regex_replace('lower(' ~ parted ~ ')', '[^a-z0-9]+', '_') ~ " || '_'") }}
{%- endmacro %}
