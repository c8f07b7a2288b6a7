{#-
    Whether a text is an International Bank Account Number: a country, its length, and the remainder 1 (ISO 13616).
    Where `hint` is 'iban' the remainder is not asked for: invented numbers seldom have the right one.
    https://www.swift.com/standards/data-standards/iban-international-bank-account-number
-#}
{% macro is_iban(value, hint) -%}
    {%- set compact = "upper(replace(replace(" ~ value ~ ", ' ', ''), '-', ''))" -%}
    {%- set rearranged = 'substr(' ~ compact ~ ', 5) || left(' ~ compact ~ ', 4)' -%}
    case
        when length({{ value }}) > 48 then false
        when not {{ linker.regex_matches(compact, linker._iban_shapes()) }} then false
        when {{ hint }} = 'iban' then true
        else {{ linker._remainder_by_97(rearranged) }} = 1
    end
{%- endmacro %}

{#- The countries, by the number of characters that follow their two check digits. -#}
{% macro _iban_shapes() -%}
    {%- set countries = {
        11: 'NO', 12: 'BE', 14: 'DK|FI|FK|FO|GL|NL|SD', 15: 'MK|SI', 16: 'AT|BA|EE|KZ|LT|LU|MN|XK',
        17: 'CH|CR|HR|LI|LV', 18: 'BG|BH|DE|GB|GE|IE|ME|RS|VA', 19: 'AE|GI|IL|IQ|OM|SO|TL',
        20: 'AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG', 21: 'LY|PT|ST', 22: 'IS|TR', 23: 'BI|DJ|FR|GR|IT|MC|MR|SM',
        24: 'AL|AZ|BY|CY|DO|GT|HN|HU|LB|NI|PL|SV', 25: 'BR|EG|PS|QA|UA', 26: 'JO|KW|MU|YE', 27: 'MT|SC', 28: 'LC',
        29: 'RU',
    } -%}
    {%- set shapes = [] -%}
    {%- for length, codes in countries.items() -%}
        {%- do shapes.append('(' ~ codes ~ ')[0-9]{2}[A-Z0-9]{' ~ length ~ '}') -%}
    {%- endfor -%}
    {{ return('^(' ~ shapes | join('|') ~ ')$') }}
{%- endmacro %}

{#- Of up to 34 digits and letters, where A counts 10 and Z counts 35: 68 digits at most, taken 36 at a time. -#}
{% macro _remainder_by_97(characters) -%}
    {%- set tens = namespace(sql=characters) -%}
    {%- for letters in ['A-J', 'K-T', 'U-Z'] -%}
        {%- set tens.sql = linker.regex_replace(tens.sql, '([' ~ letters ~ '])', loop.index ~ '\\1') -%}
    {%- endfor -%}
    {%- set digits = "translate(" ~ tens.sql ~ ", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345')" -%}
    {%- set padded = 'lpad(' ~ digits ~ ", 72, '0')" -%}
    {%- set high = linker.try_cast('left(' ~ padded ~ ', 36)', 'wide_integer') -%}
    {%- set low = linker.try_cast('right(' ~ padded ~ ', 36)', 'wide_integer') -%}
    {#- 10 to the power of 36 leaves 64. -#}
    {{ return('mod(mod(' ~ high ~ ', 97) * 64 + mod(' ~ low ~ ', 97), 97)') }}
{%- endmacro %}
