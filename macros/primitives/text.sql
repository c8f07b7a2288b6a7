{#- Texts: casts to text, length, and patterns. -#}

{#- A value as text: dates as 2025-01-31, timestamps as 2025-01-31 08:15:00, booleans as true and false. -#}
{% macro as_text(expression, kind) -%}
    {%- set as_text = linker.dialect().as_text -%}
    {{ return(as_text.get(kind, as_text.any).format(value=expression)) }}
{%- endmacro %}

{#- The length of a value: characters of a text, bytes of a binary, elements of a list. -#}
{% macro value_length(expression, kind) -%}
    {%- set length = linker.dialect().value_length -%}
    {{ return(length.get(kind, length.any).format(value=expression)) }}
{%- endmacro %}

{#- A text's MD5, as 32 hexadecimal digits. -#}
{% macro digest(expression) -%}
    {{ return(linker.dialect().digest.format(text=expression)) }}
{%- endmacro %}

{#-
    Whether a pattern occurs in a text; null if the text is null. Patterns use the POSIX subset that all warehouses support:
    brackets, groups, `|`, `{1,3}`, `^`, `$`; no `\b`, no `(?i)`, no look-around, and letter classes only by `capital_letters`.
-#}
{% macro regex_matches(expression, pattern) -%}
    {%- set dialect = linker.dialect() -%}
    {{ return(dialect.regex_matches.format(text=expression, pattern=linker._pattern(pattern, dialect))) }}
{%- endmacro %}

{#- The first group of a pattern in a text; null without a match. -#}
{% macro regex_extract(expression, pattern) -%}
    {%- set dialect = linker.dialect() -%}
    {{ return(dialect.regex_extract.format(text=expression, pattern=linker._pattern(pattern, dialect))) }}
{%- endmacro %}

{#- A text with every match of a pattern replaced; `\1` stands for the first group. Patterns as for `regex_matches`. -#}
{% macro regex_replace(expression, pattern, replacement) -%}
    {%- set dialect = linker.dialect() -%}
    {{ return(dialect.regex_replace.format(
        text=expression, pattern=linker._pattern(pattern, dialect),
        replacement=linker.literal(replacement.replace('\\', dialect.group_sign)),
    )) }}
{%- endmacro %}

{#- A pattern as a string literal. -#}
{% macro _pattern(pattern, dialect) -%}
    {%- set spelled = namespace(text=pattern) -%}
    {%- for ours, its in dialect.spelled_in_patterns.items() -%}
        {%- set spelled.text = spelled.text.replace(ours, its) -%}
    {%- endfor -%}
    {{ return(linker.literal(spelled.text)) }}
{%- endmacro %}

{#-
    Ranges of characters inside the brackets of a pattern, as pairs of a first and a last code point, or none: '2010', '2027' are
    hyphen to bullet, '0141', none is Ł. As escapes if the warehouse reads them, since not every database can store every
    character.
-#}
{% macro character_ranges(pairs) -%}
    {%- set character = linker.dialect().character -%}
    {%- set escape = character or '\\u{code}' -%}
    {%- set ranges = [] -%}
    {%- for first, last in pairs -%}
        {%- do ranges.append(escape.format(code=first) ~ ('-' ~ escape.format(code=last) if last else '')) -%}
    {%- endfor -%}
    {%- set written = ranges | join('') -%}
    {{ return(written if character else written.encode('ascii').decode('unicode_escape')) }}
{%- endmacro %}

{#-
    Capital letters inside the brackets of a pattern: all, or those of Latin, Greek and Cyrillic. In Latin Extended-A capitals
    and small letters alternate; those of the larger languages are listed.
-#}
{% macro capital_letters() -%}
    {%- set all_of_them = linker.dialect().capital_letters -%}
    {%- if all_of_them -%}
        {{ return(all_of_them) }}
    {%- endif -%}
    {%- set pairs = [('00c0', '00d6'), ('00d8', '00de'), ('0391', '03a9'), ('0400', '042f')] -%}
    {%- for letter in [
        '0100', '0102', '0104', '0106', '010c', '010e', '0110', '0112', '0116', '0118', '011a', '011e', '0122', '012a',
        '012e', '0130', '0136', '0139', '013b', '013d', '0141', '0143', '0145', '0147', '0150', '0152', '0158', '015a',
        '015e', '0160', '0162', '0164', '016a', '016e', '0170', '0172', '0178', '0179', '017b', '017d'
    ] -%}
        {%- do pairs.append((letter, none)) -%}
    {%- endfor -%}
    {{ return('A-Z' ~ linker.character_ranges(pairs)) }}
{%- endmacro %}
