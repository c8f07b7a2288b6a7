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
                {{ linker.regex_matches(compact, '^[A-Z0-9]{6,20}$') }} and {{ linker.regex_matches(digits, '^[0-9]{4}') }}
        else false
    end
{%- endmacro %}

{#-
    Whether a text may be one, by a check that one number in ten passes, or a shape that codes have, too: the British number
    without spaces, the tax number of a person in Germany (or Croatia's OIB), India's Aadhaar, the numbers of China and the
    Nordic countries, which begin with or hold a date of birth. It counts where most values of a column are like that.
-#}
{% macro may_be_national_id(value) -%}
    {%- set compact = "replace(replace(" ~ value ~ ", ' ', ''), '-', '')" -%}
    {%- set month, day = '(0[1-9]|1[0-2])', '(0[1-9]|[12][0-9]|3[01])' -%}
    case
        when {{ linker.regex_matches(value, '^ *[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D] *$') }} then true
        when {{ linker.regex_matches(value, '^ *[1-9][0-9]{5}(19|20)[0-9]{2}' ~ month ~ day ~ '[0-9]{3}[0-9Xx] *$') }} then true
        when {{ linker.regex_matches(value, '^ *((19|20)?[0-9]{2}' ~ month ~ day ~ '|' ~ day ~ month ~ '[0-9]{2})[-+A][0-9]{3}[0-9A-Y] *$') }} then true
        when {{ linker.regex_matches(value, '^ *[1-9][0-9]([0-9]{9}| [0-9]{3} [0-9]{3} [0-9]{3}) *$') }}
            then {{ linker._passes_mod_11_10(compact) }}
        when {{ linker.regex_matches(value, '^ *[2-9][0-9]{3}([ -]?)[0-9]{4}([ -]?)[0-9]{4} *$') }}
            then {{ linker._passes_verhoeff(compact) }}
        else false
    end
{%- endmacro %}

{#- ISO 7064, MOD 11,10 over eleven digits: to the product so far, 10 at the start, the next digit is added modulo 10, where 0
    counts 10; the sum is doubled modulo 11. Product and check digit make 11, or 1. -#}
{% macro _passes_mod_11_10(digits) -%}
    {%- set product = namespace(sql='10') -%}
    {%- for place in range(1, 11) -%}
        {%- set digit = linker.try_cast('substr(' ~ digits ~ ', ' ~ place ~ ', 1)', 'integer') -%}
        {%- set product.sql = 'mod(2 * mod(' ~ product.sql ~ ' + ' ~ digit ~ ' + 9, 10) + 2, 11)' -%}
    {%- endfor -%}
    {%- set check = linker.try_cast('substr(' ~ digits ~ ', 11, 1)', 'integer') -%}
    {{ return('mod(' ~ product.sql ~ ' + ' ~ check ~ ', 10) = 1') }}
{%- endmacro %}

{#- J. Verhoeff, Error Detecting Decimal Codes, 1969: the digits from the last to the first, each replaced by a permutation of
    its place, make the product 0 in the group of the pentagon's symmetries. Products are multiplied two by two, since a
    parser of SQL goes no deeper than it must. -#}
{% macro _passes_verhoeff(digits) -%}
    {%- set permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] -%}
    {%- set placed = namespace(digits=range(10) | list) -%}
    {%- set products = namespace(sql=[]) -%}
    {%- for place in range(12, 0, -1) -%}
        {%- set digit = 'substr(' ~ digits ~ ', ' ~ place ~ ', 1)' -%}
        {%- do products.sql.append(
            linker.try_cast('translate(' ~ digit ~ ", '0123456789', '" ~ placed.digits | join('') ~ "')", 'integer')
        ) -%}
        {%- set next = [] -%}
        {%- for digit in placed.digits -%}
            {%- do next.append(permutation[digit]) -%}
        {%- endfor -%}
        {%- set placed.digits = next -%}
    {%- endfor -%}
    {%- for step in range(4) -%}
        {%- set multiplied = [] -%}
        {%- for pair in products.sql | batch(2) -%}
            {%- do multiplied.append(linker._product_of_symmetries(pair[0], pair[1]) if pair | length == 2 else pair[0]) -%}
        {%- endfor -%}
        {%- set products.sql = multiplied -%}
    {%- endfor -%}
    {{ return(products.sql[0] ~ ' = 0') }}
{%- endmacro %}

{#- Of turns (0 to 4) and reflections (5 to 9), read from a text that holds all hundred. -#}
{% macro _product_of_symmetries(first, second) -%}
    {%- set products = [] -%}
    {%- for before in range(10) -%}
        {%- for after in range(10) -%}
            {%- if before < 5 -%}
                {%- do products.append((before + after) % 5 + (5 if after >= 5 else 0)) -%}
            {%- else -%}
                {%- do products.append((before - after) % 5 + (0 if after >= 5 else 5)) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(
        "cast(substr('" ~ products | join('') ~ "', cast(10 * (" ~ first ~ ') + (' ~ second ~ ') + 1 as integer), 1) as integer)'
    ) }}
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
