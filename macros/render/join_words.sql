{#- A name in lower case with `_` between its words: `billingCustomerId` and `Billing Customer-ID` are `billing_customer_id`. -#}
{% macro join_words(name) -%}
    {%- set opened = linker.regex_replace(name, '([a-z0-9])([A-Z])', '\\1_\\2') -%}
    {%- set parted = linker.regex_replace('lower(' ~ opened ~ ')', '[ !"#$%&()*+,./:;<=>?@^_{|}~-]+', '_') -%}
    {{ return('trim(' ~ parted ~ ", '_')") }}
{%- endmacro %}
