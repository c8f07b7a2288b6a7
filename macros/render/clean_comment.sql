{#-
    A comment, as SQL or text, with e-mail addresses, phone numbers and credentials masked, since comments are indexed and
    included in prompts.
-#}
{% macro clean_comment(comment, is_sql=true) -%}
    {#-
        A match is masked to the end of its word, a private key to the end of the text. After the word `password`, a word
        with a digit or a sign counts as one.
    -#}
    {%- set sign = '[0-9!$%&*+=#]' -%}
    {%- set end = '[^ ,;"\'()<>]' -%}
    {%- set forms = linker._credential_forms() -%}
    {%- set patterns = [
        '(^|[^-])-----BEGIN [A-Z ]*PRIVATE KEY(.|\\n)*',
        '(^|[^A-Za-z0-9])(' ~ forms.issued | join('|') ~ ')[A-Za-z0-9+/=_.-]*',
        '()(' ~ forms.password_hashes | join('|') ~ ')[A-Za-z0-9+/=_.$,-]*',
        '((^|[^A-Za-z])([Pp]ass(word|wort|wd|phrase)|PASSWORD|[Kk]ennwort|[Pp]wd|[Ss]ecret|[Tt]oken|(api|API|Api|access)[ _-]?[Kk]ey)( is| ist)?[ :=]+["\']?)'
            ~ '(' ~ end ~ '{4,}' ~ sign ~ end ~ '*|' ~ end ~ '*' ~ sign ~ end ~ '{4,})',
        '(^|[][ @(){}<>,;:"/])[^][ @(){}<>,;:"/]+@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}',
        '(^|[^0-9A-Za-z+.-])([+][1-9][0-9]{0,3}[ ./-]?[(]?[0-9][0-9 ()/-]{5,16}[0-9]|[(]?[2-9][0-9]{2}[)]?[ .-][2-9][0-9]{2}[.-][0-9]{4}'
            ~ '|0[1-9]([ .][0-9]{2}){4}|[(]?0[1-9][0-9]{1,4}[)]?( ?[/-] ?| )[0-9]{3,8}([ -][0-9]{1,4}){0,3}|00[1-9][0-9]{1,2} [0-9][0-9 ()/-]{6,16}[0-9])',
    ] -%}
    {%- set cleaned = namespace(text=comment) -%}
    {%- for pattern in patterns -%}
        {%- if is_sql -%}
            {%- set cleaned.text = linker.regex_replace(cleaned.text, pattern, '\\1(masked)') -%}
        {%- else -%}
            {%- set cleaned.text = modules.re.sub(pattern, '\\1(masked)', cleaned.text) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return('cast(' ~ cleaned.text ~ ' as ' ~ dbt.type_string() ~ ')' if is_sql else cleaned.text) }}
{%- endmacro %}
