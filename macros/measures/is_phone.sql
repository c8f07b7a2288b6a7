{#-
    Whether a text is a telephone number. Without a hint: `+` and 8 to 15 digits (ITU-T E.164), or an area code of North
    America in brackets. Where `hint` is 'phone' also what people write for their own country, but no dates, addresses
    of networks, decimals, nor plain integers of fewer than 9 digits.
-#}
{% macro is_phone(value, hint) -%}
    {%- set number = linker.regex_replace(value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '') -%}
    {%- set compact = linker.regex_replace(number, '[ ()./-]', '') -%}
    {%- set north_american = '^ *([+]?1[ .-]?)?[(][2-9][0-9]{2}[)] ?[2-9][0-9]{2}[-. ][0-9]{4} *$' -%}
    case
        when not {{ linker.regex_matches(number, '^ *[+(]?[0-9][0-9 ()./-]{5,23} *$') }} then false
        when {{ linker.regex_matches(compact, '^[+][1-9][0-9]{7,14}$') }}
            then not {{ linker.regex_matches(number, '^ *[+][0-9]+[.][0-9]+ *$') }}
        when {{ linker.regex_matches(number, north_american) }} then true
        when {{ hint }} = 'phone'
            then
                {{ linker.regex_matches(compact, '^[0-9]{7,15}$') }}
                and not {{ linker.regex_matches(number, linker._numbers_that_are_no_phone()) }}
        else false
    end
{%- endmacro %}

{#- Decimals and short integers, dates in both orders, addresses of networks. -#}
{% macro _numbers_that_are_no_phone() -%}
    {{ return('^ *(' ~ [
        '[0-9]+[.][0-9]+',
        '[0-9]{1,8}',
        '[0-9]{4}[./-][01]?[0-9][./-][0-3]?[0-9]([ 0-9]*)',
        '[0-3]?[0-9][./-][0-3]?[0-9][./-][0-9]{4}([ 0-9]*)',
        '[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}',
    ] | join('|') ~ ') *$') }}
{%- endmacro %}
