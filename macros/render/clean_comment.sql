{#-
    A comment of the warehouse, as SQL, with what nobody should read in it masked: e-mail addresses and credentials.
    People write them there for other people, and a comment goes into indexes and prompts.
-#}
{% macro clean_comment(comment) -%}
    {%- set cleaned = namespace(sql=comment) -%}
    {%- for pattern in linker._kept_out_of_comments() -%}
        {%- set cleaned.sql = linker.regex_replace(cleaned.sql, pattern, '\\1(masked)') -%}
    {%- endfor -%}
    {{ return('cast(' ~ cleaned.sql ~ ' as ' ~ dbt.type_string() ~ ')') }}
{%- endmacro %}

{#- The same of a text that dbt holds. -#}
{% macro clean_text(text) -%}
    {%- set cleaned = namespace(text=text) -%}
    {%- for pattern in linker._kept_out_of_comments() -%}
        {%- set cleaned.text = modules.re.sub(pattern, '\\1(masked)', cleaned.text) -%}
    {%- endfor -%}
    {{ return(cleaned.text) }}
{%- endmacro %}

{#- What is matched is masked to the end of its word. Of a private key the whole rest goes. -#}
{% macro _kept_out_of_comments() -%}
    {{ return([
        '(^|[^-])-----BEGIN [A-Z ]*PRIVATE KEY(.|\\n)*',
        '(^|[^A-Za-z0-9])(' ~ linker._credential_forms() | join('|') ~ ')[A-Za-z0-9+/=_.-]*',
        '(^|[][ @(){}<>,;:"/])[^][ @(){}<>,;:"/]+@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}',
    ]) }}
{%- endmacro %}
