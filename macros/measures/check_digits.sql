{#- Numbers with check digits: payment cards, IBANs and national IDs. -#}

{#-
    Whether a text is a payment card number: 13 to 19 digits, grouped or not, with an issuer's prefix and a valid Luhn checksum
    (ISO/IEC 7812-1). With the `hint` 'card' digits suffice: made-up numbers have neither, and cards of 13 digits look like
    article numbers (EAN).
-#}
{% macro is_card(value, hint) -%}
    {#- Visa, Mastercard, American Express, Diners Club, Discover, JCB, UnionPay, Mir, Maestro, RuPay, with their lengths. -#}
    {%- set prefixes = '^(' ~ [
        '4[0-9]{15}([0-9]{3})?',
        '(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}',
        '3[47][0-9]{13}',
        '3(0[0-59]|[689][0-9])[0-9]{11}([0-9]{2})?',
        '(6011|64[4-9][0-9]|65[0-9]{2}|35(2[89]|[3-8][0-9])|62[0-9]{2}|220[0-4])[0-9]{12,15}',
        '(5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{10,15}',
        '(60[0-9]{2}|508[5-9]|8[12][0-9]{2})[0-9]{12}',
    ] | join('|') ~ ')$' -%}
    {%- set compact = "replace(replace(" ~ value ~ ", ' ', ''), '-', '')" -%}
    {#- Luhn over up to 20 digits: with a fixed length, every second digit is doubled. Without casts, so it cannot fail. -#}
    {%- set padded = 'lpad(' ~ compact ~ ", 20, '0')" -%}
    {%- set doubled = linker.regex_replace(padded, '([0-9])[0-9]', '\\1') -%}
    {%- set single = linker.regex_replace(padded, '[0-9]([0-9])', '\\1') -%}
    {%- set counted = 'translate(' ~ doubled ~ ", '0123456789', '0246813579') || " ~ single -%}
    case
        when not {{ linker.regex_matches(value, '^ *[0-9]+([ -][0-9]+)* *$') }} then false
        when {{ hint }} = 'card' then {{ linker.regex_matches(compact, '^[1-9][0-9]{12,18}$') }}
        when {{ linker.regex_matches(compact, prefixes) }} then mod({{ linker._sum_of_digits(counted) }}, 10) = 0
        else false
    end
{%- endmacro %}

{#-
    Each digit is repeated as often as its weight, and the length is the sum: this costs a fifth of adding, and a
    warehouse plans these expressions once per table.
-#}
{% macro _sum_of_digits(digits) -%}
    {%- set tally = namespace(sql="replace(" ~ digits ~ ", '0', '')") -%}
    {%- for digit in range(2, 10) -%}
        {%- set tally.sql = "replace(" ~ tally.sql ~ ", '" ~ digit ~ "', '" ~ '1' * digit ~ "')" -%}
    {%- endfor -%}
    {{ return('length(' ~ tally.sql ~ ')') }}
{%- endmacro %}

{#-
    Whether a text is an International Bank Account Number: a country, its length, and the remainder 1 (ISO 13616). With the
    `hint` 'iban' the remainder is not checked: made-up numbers seldom have the right one.
    https://www.swift.com/standards/data-standards/iban-international-bank-account-number
-#}
{% macro is_iban(value, hint) -%}
    {#- The countries, by the number of characters that follow their two check digits. -#}
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
    {%- set shape_of_country = '^(' ~ shapes | join('|') ~ ')$' -%}
    {%- set compact = "upper(replace(replace(" ~ value ~ ", ' ', ''), '-', ''))" -%}
    {#-
        The remainder modulo 97 of up to 34 digits and letters, where A is 10 and Z is 35: at most 68 digits,
        processed 36 at a time, since 10 to the power of 36 modulo 97 is 64.
    -#}
    {%- set tens = namespace(sql='substr(' ~ compact ~ ', 5) || left(' ~ compact ~ ', 4)') -%}
    {%- for letters in ['A-J', 'K-T', 'U-Z'] -%}
        {%- set tens.sql = linker.regex_replace(tens.sql, '([' ~ letters ~ '])', loop.index ~ '\\1') -%}
    {%- endfor -%}
    {%- set digits = "translate(" ~ tens.sql ~ ", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345')" -%}
    {%- set padded = 'lpad(' ~ digits ~ ", 72, '0')" -%}
    {%- set high = linker.try_cast('left(' ~ padded ~ ', 36)', 'wide_integer') -%}
    {%- set low = linker.try_cast('right(' ~ padded ~ ', 36)', 'wide_integer') -%}
    case
        when length({{ value }}) > 48 then false
        when not {{ linker.regex_matches(compact, shape_of_country) }} then false
        when {{ hint }} = 'iban' then true
        else mod(mod({{ high }}, 97) * 64 + mod({{ low }}, 97), 97) = 1
    end
{%- endmacro %}

{#-
    Whether a text is a national identity number. Without a hint: unique shapes, and numbers that pass a check of at least 1
    in 20. With the `hint` 'national_id' the shape suffices: one number in ten passes the checks of the Netherlands (BSN) or
    Germany (Steuer-ID), so they would add nothing.
-#}
{% macro is_national_id(value, hint) -%}
    {#-
        https://secure.ssa.gov/poms.nsf/lnx/0110201035: numbers that the United States never issue;
        https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110;
        codice fiscale (letters replace digits to distinguish two persons), CURP of Mexico, AHV of Switzerland.
    -#}
    {%- set digit = '[0-9LMNPQRSTUV]' -%}
    {%- set unmistakable = '^ *(' ~ [
        '(00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-(0[1-9]|[1-9][0-9])-(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})',
        '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D]',
        '[A-Za-z]{6}' ~ digit ~ '{2}[ABCDEHLMPRSTabcdehlmprst]' ~ digit ~ '{2}[A-Za-z]' ~ digit ~ '{3}[A-Za-z]',
        '[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{5}[A-Z0-9][0-9]',
        '756[.][0-9]{4}[.][0-9]{4}[.][0-9]{2}',
    ] | join('|') ~ ') *$' -%}
    {%- set compact = linker.regex_replace('upper(' ~ value ~ ')', '[ ./-]', '') -%}
    {%- set digits = linker.regex_replace(value, '[^0-9]', '') -%}
    {%- set checks = linker._checks_of_national_ids(compact, digits) -%}
    case
        when length({{ value }}) > 24 then false
        when {{ linker.regex_matches(value, unmistakable) }} then true
        when {{ linker.regex_matches(compact, '^[0-9XYZ][0-9]{7}[A-Z]$') }} and {{ checks.dni }} then true
        when
            {{ linker.regex_matches(compact, '^[1-478][0-9]{2}(0[1-9]|1[0-2]|[2-9][0-9])(2[AB]|[0-9]{2})[0-9]{8}$') }}
            and {{ checks.nir }}
            then true
        when
            {{ linker.regex_matches(value, '^ *[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2} *$') }}
            and {{ checks.cpf }}
            then true
        when {{ hint }} = 'national_id'
            then
                {{ linker.regex_matches(compact, '^[A-Z0-9]{6,20}$') }} and {{ linker.regex_matches(digits, '^[0-9]{4}') }}
        else false
    end
{%- endmacro %}

{#- Conditions: the checks of national numbers. `compact` is the text without spaces, `digits` its digits alone. -#}
{% macro _checks_of_national_ids(compact, digits) -%}
    {#- Spain: the letter is the remainder by 23; X, Y and Z count 0, 1 and 2 in front of a foreigner's number. -#}
    {%- set of_dni = "replace(replace(replace(left(" ~ compact ~ ", 8), 'X', '0'), 'Y', '1'), 'Z', '2')" -%}
    {%- set dni = "substr('TRWAGMYFPDXBNJZSQVHLCKE', cast(mod(" ~ linker.try_cast(of_dni, 'integer')
        ~ ', 23) + 1 as integer), 1) = substr(' ~ compact ~ ', 9, 1)' -%}
    {#- France: the last two digits complete the remainder by 97; Corsica's 2A and 2B count 19 and 18. -#}
    {%- set of_nir = "replace(replace(left(" ~ compact ~ ", 13), '2A', '19'), '2B', '18')" -%}
    {%- set nir = 'mod(' ~ linker.try_cast(of_nir, 'integer') ~ ', 97) + '
        ~ linker.try_cast('substr(' ~ compact ~ ', 14, 2)', 'integer') ~ ' = 97' -%}
    {#-
        Brazil: two check digits, each of which completes a sum with falling weights to a multiple of 11; a 10
        is written as 0, so a remainder of 1 may precede it. Nine digits are repeated by weight, from 10 to 2;
        the next check digit has weight 1, and the second sum omits the first digit.
    -#}
    {%- set repeated = [] -%}
    {%- for weight in range(10, 1, -1) -%}
        {%- do repeated.append(('\\' ~ loop.index) * weight) -%}
    {%- endfor -%}
    {%- set cpf = [] -%}
    {%- for summed, left_out, place in [('left(' ~ digits ~ ', 10)', '', 10), (digits, '[0-9]', 11)] -%}
        {%- set weighed = linker.regex_replace(summed, '^' ~ left_out ~ '([0-9])' * 9, repeated | join('')) -%}
        {%- do cpf.append(
            'mod(' ~ linker._sum_of_digits(weighed) ~ ', 11) <= case when substr(' ~ digits ~ ', ' ~ place
            ~ ", 1) = '0' then 1 else 0 end"
        ) -%}
    {%- endfor -%}
    {#- The same digit eleven times passes the check but is not assigned. -#}
    {%- do cpf.append('not ' ~ linker.regex_matches(digits, '^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+)$')) -%}
    {{ return({'dni': dni, 'nir': nir, 'cpf': cpf | join(' and ')}) }}
{%- endmacro %}

{#-
    Whether a text may be a national identity number, by a check that one number in ten passes, or a shape that codes share:
    the British number without spaces, a person's tax number in Germany (or Croatia's OIB), India's Aadhaar, the numbers of
    China and the Nordic countries, which contain a date of birth. It counts if most values of a column match.
-#}
{% macro may_be_national_id(value) -%}
    {%- set compact = "replace(replace(" ~ value ~ ", ' ', ''), '-', '')" -%}
    {%- set month, day = '(0[1-9]|1[0-2])', '(0[1-9]|[12][0-9]|3[01])' -%}
    {#-
        ISO 7064, MOD 11,10 over eleven digits. The product starts at 10; each digit is added modulo 10, where 0 counts as 10, and
        the sum is doubled modulo 11. Product and check digit add up to 1 or 11.
    -#}
    {%- set product = namespace(sql='10') -%}
    {%- for place in range(1, 11) -%}
        {%- set digit = linker.try_cast('substr(' ~ compact ~ ', ' ~ place ~ ', 1)', 'integer') -%}
        {%- set product.sql = 'mod(2 * mod(' ~ product.sql ~ ' + ' ~ digit ~ ' + 9, 10) + 2, 11)' -%}
    {%- endfor -%}
    {%- set check = linker.try_cast('substr(' ~ compact ~ ', 11, 1)', 'integer') -%}
    case
        when {{ linker.regex_matches(value, '^ *[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D] *$') }} then true
        when {{ linker.regex_matches(value, '^ *[1-9][0-9]{5}(19|20)[0-9]{2}' ~ month ~ day ~ '[0-9]{3}[0-9Xx] *$') }} then true
        when {{ linker.regex_matches(value, '^ *((19|20)?[0-9]{2}' ~ month ~ day ~ '|' ~ day ~ month ~ '[0-9]{2})[-+A][0-9]{3}[0-9A-Y] *$') }} then true
        when {{ linker.regex_matches(value, '^ *[1-9][0-9]([0-9]{9}| [0-9]{3} [0-9]{3} [0-9]{3}) *$') }}
            then mod({{ product.sql }} + {{ check }}, 10) = 1
        when {{ linker.regex_matches(value, '^ *[2-9][0-9]{3}([ -]?)[0-9]{4}([ -]?)[0-9]{4} *$') }}
            then {{ linker._passes_verhoeff(compact) }}
        else false
    end
{%- endmacro %}

{#-
    J. Verhoeff, Error Detecting Decimal Codes, 1969: digits from last to first, each permuted by its position, multiply to 0 in
    the dihedral group of the pentagon. Products are combined pairwise, since SQL parsers limit nesting.
-#}
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
    {#- The products of rotations (0 to 4) and reflections (5 to 9), looked up in a text of all hundred. -#}
    {%- set table = [] -%}
    {%- for before in range(10) -%}
        {%- for after in range(10) -%}
            {%- if before < 5 -%}
                {%- do table.append((before + after) % 5 + (5 if after >= 5 else 0)) -%}
            {%- else -%}
                {%- do table.append((before - after) % 5 + (0 if after >= 5 else 5)) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for step in range(4) -%}
        {%- set multiplied = [] -%}
        {%- for pair in products.sql | batch(2) -%}
            {%- if pair | length == 2 -%}
                {%- set place = 'cast(10 * (' ~ pair[0] ~ ') + (' ~ pair[1] ~ ') + 1 as integer)' -%}
                {%- do multiplied.append("cast(substr('" ~ table | join('') ~ "', " ~ place ~ ', 1) as integer)') -%}
            {%- else -%}
                {%- do multiplied.append(pair[0]) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set products.sql = multiplied -%}
    {%- endfor -%}
    {{ return(products.sql[0] ~ ' = 0') }}
{%- endmacro %}
