{#-
    The shape of a text: `AAA-999` for `XJK-204`, `Aaaaa'a` for `Bernd's`. It contains no letter or digit of the text. Masked
    values are shown as shapes, and patterns of visible values too. All characters but known punctuation and spaces become
    letters, so that no script leaks. Long texts end in three dots, since not every database can store an ellipsis.
-#}
{% macro mask(value, max_length=32) -%}
    {{ return(
        '(' ~ linker._shape('left(' ~ value ~ ', ' ~ max_length ~ ')')
        ~ ' || case when length(' ~ value ~ ') > ' ~ max_length ~ " then '...' else '' end)"
    ) }}
{%- endmacro %}

{#- `kept`: ranges of further characters to keep. -#}
{% macro _shape(value, kept='') -%}
    {#-
        Latin-1 without letters and digits; dashes, quotes and spaces; currencies; arrows and mathematics; lines and blocks;
        Chinese and Japanese punctuation.
    -#}
    {%- set punctuation = [
        ('00a0', '00a9'), ('00ab', '00b1'), ('00b4', none), ('00b6', '00b8'), ('00bb', none), ('00bf', none),
        ('00d7', none), ('00f7', none), ('2000', '200a'), ('2010', '2027'), ('202f', '205f'), ('20a0', '20bf'),
        ('2190', '22ff'), ('2500', '26ff'), ('3000', '3004'), ('3008', '301b'),
    ] -%}
    {#- Superscripts and fractions, Arabic, Persian, Devanagari, Bengali, Thai, wide. -#}
    {%- set digits_elsewhere = [
        ('00b2', '00b3'), ('00b9', none), ('00bc', '00be'), ('0660', '0669'), ('06f0', '06f9'), ('0966', '096f'),
        ('09e6', '09ef'), ('0e50', '0e59'), ('ff10', 'ff19'),
    ] -%}
    {%- set cased = linker.regex_replace(linker._ascii_shape(value), '[' ~ linker.capital_letters() ~ ']', 'A') -%}
    {%- set digits = linker.regex_replace(cased, '[' ~ linker.character_ranges(digits_elsewhere) ~ ']', '9') -%}
    {{ return(linker.regex_replace(digits, '[^\\t\\n\\r -~' ~ linker.character_ranges(punctuation) ~ kept ~ ']', 'a')) }}
{%- endmacro %}

{#- The shape of a text of printable ASCII: unaccented letters and common digits are already replaced. -#}
{% macro _ascii_shape(value) -%}
    {%- set capitals = 'BCDEFGHIJKLMNOPQRSTUVWXYZ' -%}
    {{ return(
        "translate(" ~ value ~ ", '" ~ capitals ~ capitals | lower ~ "012345678', '" ~ 'A' * 25 ~ 'a' * 25 ~ '9' * 9 ~ "')"
    ) }}
{%- endmacro %}
