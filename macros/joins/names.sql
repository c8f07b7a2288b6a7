{#- Parses names of columns and tables for join inference. -#}

{#- A name in lower case with `_` between its words: `billingCustomerId` and `Billing Customer-ID` are `billing_customer_id`. -#}
{% macro snake_case(name) -%}
    {%- set opened = linker.regex_replace(name, '([a-z0-9])([A-Z])', '\\1_\\2') -%}
    {%- set parted = linker.regex_replace('lower(' ~ opened ~ ')', '[ !"#$%&()*+,./:;<=>?@^_{|}~-]+', '_') -%}
    {{ return(linker.dialect().trimmed.format(text=parted, characters="'_'")) }}
{%- endmacro %}

{#- The words of a column's name, lower-cased and between underscores: `billing.customerId` becomes `_customer_id_`. -#}
{% macro name_words(path) -%}
    {%- set step = linker.regex_replace(path, '^.*[.]', '') -%}
    {%- set parted = linker.regex_replace(step, '([a-z0-9])([A-Z])', '\\1_\\2') -%}
    {{ return("'_' || " ~ linker.regex_replace('lower(' ~ parted ~ ')', '[^a-z0-9]+', '_') ~ " || '_'") }}
{%- endmacro %}

{#- The singular of the last word, by English rules; both sides of a comparison are converted. -#}
{% macro join_singular(words) -%}
    {%- set shorter = linker.regex_replace(words, 'ies$', 'y') -%}
    {%- set shorter = linker.regex_replace(shorter, '(ss|x|ch|sh)es$', '\\1') -%}
    {{ return(linker.regex_replace(shorter, '([^s])s$', '\\1')) }}
{%- endmacro %}

{#- The condition that a name is one of these words, or ends with one. -#}
{% macro join_ends_with(name, words) -%}
    {{ return(linker.regex_matches(name, '(^|_)(' ~ words | join('|') ~ ')$')) }}
{%- endmacro %}

{#-
    The condition that a name abbreviates another (`cust`, `emp`, `dept`): its letters occur in order, the first two at the
    start; or the project lists the abbreviation.
-#}
{% macro join_abbreviates(short, long) -%}
    {%- set said = [] -%}
    {%- for word, meaning in linker.join_words('abbreviation').items() -%}
        {%- do said.append(word ~ ' ' ~ meaning) -%}
    {%- endfor -%}
    {%- set letters = 'left(' ~ short ~ ', 2) = left(' ~ long ~ ', 2) and ' ~ long ~ ' like '
        ~ linker.regex_replace(short, '([a-z0-9])', '\\1%')
        ~ ' and length(' ~ short ~ ') between 2 and 0.8 * length(' ~ long ~ ')' -%}
    {%- if said -%}
        {{ return('((' ~ letters ~ ') or ' ~ short ~ " || ' ' || " ~ long ~ ' in (' ~ linker._literals(said) ~ '))') }}
    {%- endif -%}
    {{ return('(' ~ letters ~ ')') }}
{%- endmacro %}
