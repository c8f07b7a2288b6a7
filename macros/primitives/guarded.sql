{#-
    The statements that run a scan so that its error is recorded and the next table comes to its turn, where the
    warehouse can catch one. `failed` is the statement that records it, with __error__ where the error's text goes.
-#}
{% macro guarded(statements, failed) -%}
    {{ return(adapter.dispatch('guarded', 'linker')(statements, failed)) }}
{%- endmacro %}

{#- DuckDB has no exception block: an error ends the run red, and what was finished stays. -#}
{% macro default__guarded(statements, failed) -%}
    {{ return(statements) }}
{%- endmacro %}

{#- A literal, not a dollar quote, which a name in the warehouse could end. A column may be called `found`, as a variable
    of PL/pgSQL is. `others` does not stand for a statement that took too long.
    https://www.postgresql.org/docs/current/plpgsql-control-structures.html#PLPGSQL-ERROR-TRAPPING
    https://www.postgresql.org/docs/current/plpgsql-implementation.html#PLPGSQL-VAR-SUBST -#}
{% macro postgres__guarded(statements, failed) -%}
    {{ return([
        'do ' ~ linker.literal(
            '\n#variable_conflict use_column\nbegin\n' ~ statements | join(';\n')
            ~ ';\nexception when query_canceled or others then\n' ~ failed.replace('__error__', 'sqlerrm') ~ ';\nend\n'
        )
    ]) }}
{%- endmacro %}

{#- A literal, not $$, which a name in the warehouse could end.
    https://docs.snowflake.com/en/developer-guide/snowflake-scripting/exceptions -#}
{% macro snowflake__guarded(statements, failed) -%}
    {{ return([
        'execute immediate ' ~ linker.literal(
            'begin\n' ~ statements | join(';\n') ~ ';\nexception when other then\n'
            ~ failed.replace('__error__', ':sqlerrm') ~ ';\nend;'
        )
    ]) }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#beginexceptionend -#}
{% macro bigquery__guarded(statements, failed) -%}
    {{ return([
        'begin\n' ~ statements | join(';\n') ~ ';\nexception when error then\n'
        ~ failed.replace('__error__', '@@error.message') ~ ';\nend;'
    ]) }}
{%- endmacro %}
