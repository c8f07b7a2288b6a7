{#-
    Whether a text is a telephone number. Without a hint: `+` and 8 to 15 digits (ITU-T E.164), or an area code of North
    America in brackets. Where `hint` is 'phone' also what people write for their own country, but no dates, addresses
    of networks, decimals, nor plain integers of fewer than 9 digits.
-#}
{% macro is_phone(value, hint) -%}
    {%- set number = linker._without_extension(value) -%}
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

{#-
    Whether a text is what people write for their own country, and without a hint at least looks like it: codes look so, too,
    so it counts where most values of a column are like that.
-#}
{% macro is_phone_at_home(value) -%}
    {%- set number = linker._without_extension(value) -%}
    {%- set compact = linker.regex_replace(number, '[ ()./-]', '') -%}
    (
        {{ linker.regex_matches(number, '^ *(' ~ linker._phones_at_home() | join('|') ~ ') *$') }}
        and {{ linker.regex_matches(compact, '^(00[1-9][0-9]{8,13}|[1-9][0-9]{8,11}|0[1-9][0-9]{7,10})$') }}
        and not {{ linker.regex_matches(number, '(^|[ ./-])((19|20)[0-9]{2}[ ./-]|[0-9]{4}-[0-9]{4}-[0-9]{2} *$|^0[0-9]{4}-[0-9]{5} *$)') }}
    )
{%- endmacro %}

{% macro _without_extension(value) -%}
    {{ return(linker.regex_replace(value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '')) }}
{%- endmacro %}

{#- North America; after 00 the code of a country; after 0 that of an area, in Germany and most of the world; France and
    Switzerland by pairs; mobile numbers that begin otherwise, of Italy, Spain, China, India, Brazil and Russia; mobile
    numbers without any space, as programs write them. -#}
{% macro _phones_at_home() -%}
    {{ return([
        '(1[ .-])?[2-9][0-9]{2}[-. ][2-9][0-9]{2}[-. ][0-9]{4}',
        '(001|011)[-. ][2-9][0-9]{2}[-. ][2-9][0-9]{2}[-. ][0-9]{4}',
        '00[1-9][0-9]{0,2}[ /-][0-9 ()/-]{7,16}',
        '[(]0[1-9][0-9]{0,4}[)][ /-]?[0-9][0-9 /-]{4,11}',
        '0[1-9][0-9]{1,4} ?[/-] ?[0-9]{3,9}([ -][0-9]{1,5}){0,3}',
        '0[1-9][0-9]{0,4} [0-9]{2,9}([ -][0-9]{1,5}){0,4}',
        '0[1-9][-/][0-9]{2,4}[ -]?[0-9]{2,4}([ -][0-9]{2,4})?',
        '0[1-9]([ .-][0-9]{2}){4}',
        '0[1-9][0-9][.][0-9]{3}([.][0-9]{2}){2}',
        '3[2-9][0-9][ /-][0-9]{6,7}|3[2-9][0-9] [0-9]{3} [0-9]{3,4}',
        '[679][0-9]{2}( [0-9]{2}){3}',
        '1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}',
        '[6-9][0-9]{4} [0-9]{5}',
        '[(]?[1-9][1-9][)]? ?9[0-9]{4}-[0-9]{4}|[(][1-9][1-9][)] ?[2-5][0-9]{3}-[0-9]{4}',
        '8[ -]?[(]?[3-9][0-9]{2}[)]?[ -][0-9]{3}-[0-9]{2}-[0-9]{2}',
        '(015[0-9]|016[023]|017[0-9])[0-9]{7,8}|07[3-9][0-9]{8}|0[67][0-9]{8}',
    ]) }}
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
