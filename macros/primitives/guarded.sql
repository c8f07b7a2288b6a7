{#-
    The statements that run a scan so that its error is handled and the next table comes to its turn, where the
    warehouse can catch one. `on_error` is the statement that then runs, with __error__ where the error's text goes.
    A warehouse quotes the value that it could not read, which may be one that nobody should see: it is recorded without.
-#}
{% macro guarded(statements, on_error) -%}
    {{ return(adapter.dispatch('guarded', 'linker')(statements, on_error)) }}
{%- endmacro %}

{#- Where the dialect says that it does not catch errors. -#}
{% macro default__guarded(statements, on_error) -%}
    {{ return(statements) }}
{%- endmacro %}

{#- A literal, not a dollar quote, which a name in the warehouse could end. A column may be called `found`, as a variable
    of PL/pgSQL is. `others` does not stand for a statement that took too long.
    https://www.postgresql.org/docs/current/plpgsql-control-structures.html#PLPGSQL-ERROR-TRAPPING
    https://www.postgresql.org/docs/current/plpgsql-implementation.html#PLPGSQL-VAR-SUBST -#}
{% macro postgres__guarded(statements, on_error) -%}
    {{ return([
        linker.with_time_limit('do ' ~ linker.literal(
            '\n#variable_conflict use_column\nbegin\n' ~ statements | join(';\n')
            ~ ';\nexception when query_canceled or others then\n' ~ on_error.replace('__error__', linker._postgres_error()) ~ ';\nend\n'
        ))
    ]) }}
{%- endmacro %}

{#- A statement that is ended for its time and one that somebody ends have the same code, and words in the server's language. -#}
{% macro _postgres_error() -%}
    {{ return(
        "case when sqlstate = '57014' and clock_timestamp() - statement_timestamp() >= interval '" ~ linker._scan_seconds()
        ~ " seconds' then " ~ linker.literal(linker.time_limit_words()) ~ ' else ' ~ linker._without_values('sqlerrm') ~ ' end'
    ) }}
{%- endmacro %}

{#- A literal, not $$, which a name in the warehouse could end.
    https://docs.snowflake.com/en/developer-guide/snowflake-scripting/exceptions -#}
{% macro snowflake__guarded(statements, on_error) -%}
    {{ return([
        'execute immediate ' ~ linker.literal(
            'begin\n' ~ statements | join(';\n') ~ ';\nexception when other then\n'
            ~ on_error.replace('__error__', linker._snowflake_error()) ~ ';\nend;'
        )
    ]) }}
{%- endmacro %}

{% macro _snowflake_error() -%}
    {{ return(
        "case when :sqlerrm like '%timeout of " ~ linker._scan_seconds() ~ " second%' then "
        ~ linker.literal(linker.time_limit_words()) ~ ' else ' ~ linker._without_values(':sqlerrm') ~ ' end'
    ) }}
{%- endmacro %}

{#- BigQuery says what is wrong, then a colon, and then often the value, without quotes: `Bad int64 value: …`.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#beginexceptionend -#}
{% macro bigquery__guarded(statements, on_error) -%}
    {{ return([
        'begin\n' ~ statements | join(';\n') ~ ';\nexception when error then\n'
        ~ on_error.replace('__error__', linker.regex_replace(
            linker._without_values('@@error.message'), '^((Query error: )?[^:]*: ).*$', '\\1...'
        )) ~ ';\nend;'
    ]) }}
{%- endmacro %}

{#- The text of an error in one line, without what stands from its first quote to its last, and without numbers. Whatever
    a value holds, quotes of its own too, lies between those two; a quote that nothing closes takes the rest along.
    `linker profile` does the same to errors that reach it (linker/dbt_process.py). -#}
{% macro _without_values(message) -%}
    {%- set quote = '["`' ~ "'" ~ linker.character_ranges(linker._other_quotes()) ~ ']' -%}
    {%- set text = namespace(value=message) -%}
    {%- for pattern, replacement in [
        ('[[:space:]]+', ' '), (quote ~ '.*' ~ quote, '...'), (quote ~ '.*', '...'), ('([Vv]alue:).*', '\\1 ...'),
        ('(^|[^a-zA-Z0-9_])[0-9][^ ]*', '\\1...'),
    ] -%}
        {%- set text.value = linker.regex_replace(text.value, pattern, replacement) -%}
    {%- endfor -%}
    {{ return(text.value) }}
{%- endmacro %}

{#- As servers that speak other languages quote: « », ‘ ’ ‚ ‛ “ ” „ ‟, ‹ ›, 「 」 『 』. -#}
{% macro _other_quotes() -%}
    {{ return([('00ab', none), ('00bb', none), ('2018', '201f'), ('2039', '203a'), ('300c', '300f')]) }}
{%- endmacro %}
