{#- Whether a text is or contains an e-mail address. Not `@handle`, `package@1.2.0`, nor `git@host.com:path`. -#}
{% macro is_email(value) -%}
    {{ return(linker.regex_matches(
        value, '[^][ @(){}<>,;:"/]@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])'
    )) }}
{%- endmacro %}
