{#-
    Whether a text is the number of a payment card: 13 to 19 digits, in groups or not, the prefix of an issuer and the
    checksum of Luhn (ISO/IEC 7812-1). Where `hint` is 'card' the digits suffice: invented numbers are wrong in both,
    and cards of 13 digits cannot be told from articles (EAN).
-#}
{% macro is_card(value, hint) -%}
    {%- set compact = "replace(replace(" ~ value ~ ", ' ', ''), '-', '')" -%}
    case
        when not {{ linker.regex_matches(value, '^ *[0-9]+([ -][0-9]+)* *$') }} then false
        when {{ hint }} = 'card' then {{ linker.regex_matches(compact, '^[1-9][0-9]{12,18}$') }}
        when {{ linker.regex_matches(compact, linker._card_prefixes()) }} then {{ linker._passes_luhn(compact) }}
        else false
    end
{%- endmacro %}

{#- Visa, Mastercard, American Express, Diners Club, Discover, JCB, UnionPay, Mir, Maestro, RuPay, with their lengths. -#}
{% macro _card_prefixes() -%}
    {{ return('^(' ~ [
        '4[0-9]{15}([0-9]{3})?',
        '(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}',
        '3[47][0-9]{13}',
        '3(0[0-59]|[689][0-9])[0-9]{11}([0-9]{2})?',
        '(6011|64[4-9][0-9]|65[0-9]{2}|35(2[89]|[3-8][0-9])|62[0-9]{2}|220[0-4])[0-9]{12,15}',
        '(5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{10,15}',
        '(60[0-9]{2}|508[5-9]|8[12][0-9]{2})[0-9]{12}',
    ] | join('|') ~ ')$') }}
{%- endmacro %}

{#- Luhn over up to 20 digits: with a fixed length each second digit is doubled. No cast, so nothing can fail. -#}
{% macro _passes_luhn(digits) -%}
    {%- set padded = 'lpad(' ~ digits ~ ", 20, '0')" -%}
    {%- set doubled = linker.regex_replace(padded, '([0-9])[0-9]', '\\1') -%}
    {%- set single = linker.regex_replace(padded, '[0-9]([0-9])', '\\1') -%}
    {%- set counted = 'translate(' ~ doubled ~ ", '0123456789', '0246813579') || " ~ single -%}
    {{ return('mod(' ~ linker._sum_of_digits(counted) ~ ', 10) = 0') }}
{%- endmacro %}

{#- Each digit is written as many times as it counts, and the length is the sum: a fifth of what it takes to add them,
    and a warehouse plans these expressions once a table. -#}
{% macro _sum_of_digits(digits) -%}
    {%- set tally = namespace(sql="replace(" ~ digits ~ ", '0', '')") -%}
    {%- for digit in range(2, 10) -%}
        {%- set tally.sql = "replace(" ~ tally.sql ~ ", '" ~ digit ~ "', '" ~ '1' * digit ~ "')" -%}
    {%- endfor -%}
    {{ return('length(' ~ tally.sql ~ ')') }}
{%- endmacro %}
