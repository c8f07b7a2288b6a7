{#-
    Statements that run a scan and catch its error, if the warehouse can, so that the next table follows. `on_error` runs after
    an error; __error__ in it becomes the error's text, without the value that warehouses quote, since it may be private.
-#}
{% macro guarded(statements, on_error) -%}
    {%- set guarded = linker.dialect().guarded -%}
    {%- if not guarded -%}
        {{ return(statements) }}
    {%- endif -%}
    {%- set error = linker._without_values(guarded.message) -%}
    {%- if guarded.value_follows -%}
        {%- set error = linker.regex_replace(error, guarded.value_follows, '\\1...') -%}
    {%- endif -%}
    {%- if guarded.over_time -%}
        {%- set error =
            'case when ' ~ guarded.over_time.format(seconds=linker._scan_seconds()) ~ ' then '
            ~ linker.literal(linker.time_limit_words()) ~ ' else ' ~ error ~ ' end'
        -%}
    {%- endif -%}
    {%- set block = guarded.block.format(
        statements=statements | join(';\n'), on_error=on_error.replace('__error__', error)
    ) -%}
    {%- if guarded.statement -%}
        {%- set block = guarded.statement.format(block=linker.literal(block)) -%}
    {%- endif -%}
    {{ return([linker.with_time_limit(block)]) }}
{%- endmacro %}

{#-
    An error text in one line, without everything between its first and last quote, and without numbers. Quotes inside a
    value are between these two; an unclosed quote removes the rest.
    `linker profile` does the same to errors that reach it (linker/dbt/runner.py).
-#}
{% macro _without_values(message) -%}
    {#- Quotes of servers in other languages: « », ‘ ’ ‚ ‛ “ ” „ ‟, ‹ ›, 「 」 『 』. -#}
    {%- set others = [('00ab', none), ('00bb', none), ('2018', '201f'), ('2039', '203a'), ('300c', '300f')] -%}
    {%- set quote = '["`' ~ "'" ~ linker.character_ranges(others) ~ ']' -%}
    {%- set text = namespace(value=message) -%}
    {%- for pattern, replacement in [
        ('[[:space:]]+', ' '), (quote ~ '.*' ~ quote, '...'), (quote ~ '.*', '...'), ('([Vv]alue:).*', '\\1 ...'),
        ('(^|[^a-zA-Z0-9_])[0-9][^ ]*', '\\1...'),
    ] -%}
        {%- set text.value = linker.regex_replace(text.value, pattern, replacement) -%}
    {%- endfor -%}
    {{ return(text.value) }}
{%- endmacro %}
