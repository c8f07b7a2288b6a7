{#- Capital letters inside the brackets of a pattern: all of them, or those of Latin, Greek and Cyrillic. -#}
{% macro capital_letters() -%}
    {{ return(adapter.dispatch('capital_letters', 'linker')()) }}
{%- endmacro %}

{#- `[:upper:]` depends on the collation, and is ASCII in that which our patterns name.
    https://www.postgresql.org/docs/current/functions-matching.html#POSIX-BRACKET-EXPRESSIONS -#}
{% macro default__capital_letters() -%}
    {{ return(linker._listed_capital_letters()) }}
{%- endmacro %}

{#- https://github.com/google/re2/wiki/Syntax -#}
{% macro duckdb__capital_letters() -%}
    {{ return('\\p{Lu}\\p{Lt}') }}
{%- endmacro %}

{#- Has no classes of Unicode. https://docs.snowflake.com/en/sql-reference/functions-regexp#general-usage-notes -#}
{% macro snowflake__capital_letters() -%}
    {{ return(linker._listed_capital_letters()) }}
{%- endmacro %}

{#- https://github.com/google/re2/wiki/Syntax -#}
{% macro bigquery__capital_letters() -%}
    {{ return('\\p{Lu}\\p{Lt}') }}
{%- endmacro %}

{#- In Latin Extended-A capitals and small letters take turns; those of the larger languages are listed. -#}
{% macro _listed_capital_letters() -%}
    {%- set listed = ['A-Z'] -%}
    {%- for first, last in [('00c0', '00d6'), ('00d8', '00de'), ('0391', '03a9'), ('0400', '042f')] -%}
        {%- do listed.append(linker.character_range(first, last)) -%}
    {%- endfor -%}
    {%- for letter in [
        '0100', '0102', '0104', '0106', '010c', '010e', '0110', '0112', '0116', '0118', '011a', '011e', '0122', '012a',
        '012e', '0130', '0136', '0139', '013b', '013d', '0141', '0143', '0145', '0147', '0150', '0152', '0158', '015a',
        '015e', '0160', '0162', '0164', '016a', '016e', '0170', '0172', '0178', '0179', '017b', '017d'
    ] -%}
        {%- do listed.append(linker.character_range(letter)) -%}
    {%- endfor -%}
    {{ return(listed | join('')) }}
{%- endmacro %}
