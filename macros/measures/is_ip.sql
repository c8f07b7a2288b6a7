{#-
    Whether a text is an address of the Internet, of either version, with or without a prefix and a port. Where no `hint`
    says so, one of version 4 has eight digits and more: `1.2.3.4` is the version of a program.
-#}
{% macro is_ip(value, hint) -%}
    {%- set octet = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])' -%}
    {%- set group = '[0-9A-Fa-f]{1,4}' -%}
    {%- set groups = '(' ~ group ~ '(:' ~ group ~ '){0,6})?' -%}
    {%- set tail = ')(:' ~ octet ~ '([.]' ~ octet ~ '){3})?(/[0-9]{1,3})? *$' -%}
    case
        when {{ linker.regex_matches(value, '^ *' ~ octet ~ '([.]' ~ octet ~ '){3}(:[0-9]{1,5}|/[0-9]{1,2})? *$') }}
            then {{ hint }} = 'ip' or length({{ linker.regex_replace(value, '[^0-9]', '') }}) >= 8
        else
            {{ linker.regex_matches(value, '^ *((' ~ group ~ ':){7}' ~ group ~ '|' ~ groups ~ '::' ~ groups ~ tail) }}
            and {{ linker.regex_matches(value, '[0-9A-Fa-f]') }}
    end
{%- endmacro %}
