{#-
    Whether a text is the number of a person with a state. Without a hint: shapes that nothing else has, and numbers that
    pass a check of at least 1 in 20. Where `hint` is 'national_id' the shape suffices: one number in ten passes the
    checks of the Netherlands (BSN) or Germany (Steuer-ID), so they would not tell more.
-#}
{% macro is_national_id(value, hint) -%}
    {%- set compact = linker.regex_replace('upper(' ~ value ~ ')', '[ ./-]', '') -%}
    {%- set digits = linker.regex_replace(value, '[^0-9]', '') -%}
    case
        when length({{ value }}) > 24 then false
        when {{ linker.regex_matches(value, linker._unmistakable_national_ids()) }} then true
        when {{ linker.regex_matches(compact, '^[0-9XYZ][0-9]{7}[A-Z]$') }} and {{ linker._passes_dni(compact) }} then true
        when
            {{ linker.regex_matches(compact, '^[1-478][0-9]{2}(0[1-9]|1[0-2]|[2-9][0-9])(2[AB]|[0-9]{2})[0-9]{8}$') }}
            and {{ linker._passes_nir(compact) }}
            then true
        when
            {{ linker.regex_matches(value, '^ *[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2} *$') }}
            and {{ linker._passes_cpf(digits) }}
            then true
        when {{ hint }} = 'national_id'
            then
                {{ linker.regex_matches(compact, '^[A-Z0-9]{8,18}$') }} and {{ linker.regex_matches(digits, '^[0-9]{6}') }}
        else false
    end
{%- endmacro %}

{#- https://secure.ssa.gov/poms.nsf/lnx/0110201035 for the numbers that the United States never issue,
    https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110,
    codice fiscale (letters stand for digits where two persons would share one), CURP of Mexico, AHV of Switzerland. -#}
{% macro _unmistakable_national_ids() -%}
    {%- set digit = '[0-9LMNPQRSTUV]' -%}
    {{ return('^ *(' ~ [
        '(00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-(0[1-9]|[1-9][0-9])-(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})',
        '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D]',
        '[A-Za-z]{6}' ~ digit ~ '{2}[ABCDEHLMPRSTabcdehlmprst]' ~ digit ~ '{2}[A-Za-z]' ~ digit ~ '{3}[A-Za-z]',
        '[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{5}[A-Z0-9][0-9]',
        '756[.][0-9]{4}[.][0-9]{4}[.][0-9]{2}',
    ] | join('|') ~ ') *$') }}
{%- endmacro %}

{#- Spain: the letter is the remainder by 23; X, Y and Z count 0, 1 and 2 in front of a foreigner's number. -#}
{% macro _passes_dni(compact) -%}
    {%- set digits = "replace(replace(replace(left(" ~ compact ~ ", 8), 'X', '0'), 'Y', '1'), 'Z', '2')" -%}
    {{ return(
        "substr('TRWAGMYFPDXBNJZSQVHLCKE', cast(mod(" ~ linker.try_cast(digits, 'integer') ~ ', 23) + 1 as integer), 1) = '
        ~ 'substr(' ~ compact ~ ', 9, 1)'
    ) }}
{%- endmacro %}

{#- France: the last two digits complete the remainder by 97; Corsica's 2A and 2B count 19 and 18. -#}
{% macro _passes_nir(compact) -%}
    {%- set digits = "replace(replace(left(" ~ compact ~ ", 13), '2A', '19'), '2B', '18')" -%}
    {{ return(
        'mod(' ~ linker.try_cast(digits, 'integer') ~ ', 97) + '
        ~ linker.try_cast('substr(' ~ compact ~ ', 14, 2)', 'integer') ~ ' = 97'
    ) }}
{%- endmacro %}

{#- Brazil: two check digits, each of which completes a sum with falling weights to a multiple of 11; a 10 is written
    as 0, so a remainder of 1 may stand in front of it. The same digit eleven times passes, and is no number. -#}
{% macro _passes_cpf(digits) -%}
    {%- set first = linker._weighted_sum('left(' ~ digits ~ ', 10)', '', range(10, 1, -1)) -%}
    {%- set second = linker._weighted_sum(digits, '[0-9]', range(10, 1, -1)) -%}
    {{ return(
        'mod(' ~ first ~ ', 11) <= ' ~ linker._one_before_zero(digits, 10)
        ~ ' and mod(' ~ second ~ ', 11) <= ' ~ linker._one_before_zero(digits, 11)
        ~ ' and not ' ~ linker.regex_matches(digits, '^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+)$')
    ) }}
{%- endmacro %}

{% macro _one_before_zero(digits, place) -%}
    {{ return('case when substr(' ~ digits ~ ', ' ~ place ~ ", 1) = '0' then 1 else 0 end") }}
{%- endmacro %}

{#- After `start`, which is left out, nine digits are written as often as they weigh; those that follow weigh 1. -#}
{% macro _weighted_sum(digits, start, weights) -%}
    {%- set repeated = [] -%}
    {%- for weight in weights -%}
        {%- do repeated.append(('\\' ~ loop.index) * weight) -%}
    {%- endfor -%}
    {{ return(linker._sum_of_digits(
        linker.regex_replace(digits, '^' ~ start ~ '([0-9])' * (weights | length), repeated | join(''))
    )) }}
{%- endmacro %}
