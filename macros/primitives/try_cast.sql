{#-
    A text as a value of another kind, null where it is none: the cast that cannot fail.
    `kind` is one of our value kinds, 'integer', 'number', 'date', 'timestamp' or 'boolean', or 'wide_integer' for whole
    numbers of up to 36 digits.
    Every warehouse reads `-12`, `1.5e3`, `2025-01-31`, `2025-01-31 08:15:00`, `true`; what else it reads is its own.
-#}
{% macro try_cast(expression, kind) -%}
    {%- if kind not in ['integer', 'wide_integer', 'number', 'date', 'timestamp', 'boolean'] -%}
        {{ exceptions.raise_compiler_error("linker: try_cast knows no kind '" ~ kind ~ "'") }}
    {%- endif -%}
    {{ return(adapter.dispatch('try_cast', 'linker')(expression, kind)) }}
{%- endmacro %}

{#- Postgres has no cast that cannot fail (pg_input_is_valid came with 16, and raises for some types it cannot judge):
    the spelling is tested before the cast, and `case` decides in that order.
    https://www.postgresql.org/docs/current/sql-expressions.html#SYNTAX-EXPRESS-EVAL -#}
{% macro default__try_cast(expression, kind) -%}
    {%- set types = {
        'integer': 'bigint',
        'wide_integer': 'numeric',
        'number': 'double precision',
        'date': 'date',
        'timestamp': 'timestamp',
        'boolean': 'boolean',
    } -%}
    {{ return(
        'case when ' ~ linker.regex_matches(expression, linker._spelling(kind))
        ~ ' then cast(' ~ expression ~ ' as ' ~ types[kind] ~ ') end'
    ) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/expressions/cast#try_cast -#}
{% macro duckdb__try_cast(expression, kind) -%}
    {%- set types = {
        'integer': 'bigint',
        'wide_integer': 'hugeint',
        'number': 'double',
        'date': 'date',
        'timestamp': 'timestamp',
        'boolean': 'boolean',
    } -%}
    {{ return('try_cast(' ~ expression ~ ' as ' ~ types[kind] ~ ')') }}
{%- endmacro %}

{#- Takes texts only. https://docs.snowflake.com/en/sql-reference/functions/try_cast -#}
{% macro snowflake__try_cast(expression, kind) -%}
    {%- set types = {
        'integer': 'number(38, 0)',
        'wide_integer': 'number(38, 0)',
        'number': 'double',
        'date': 'date',
        'timestamp': 'timestamp_ntz',
        'boolean': 'boolean',
    } -%}
    {{ return('try_cast(' ~ expression ~ ' as ' ~ types[kind] ~ ')') }}
{%- endmacro %}

{#- A datetime is the timestamp without a zone.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#safe_casting -#}
{% macro bigquery__try_cast(expression, kind) -%}
    {%- set types = {
        'integer': 'int64',
        'wide_integer': 'bignumeric',
        'number': 'float64',
        'date': 'date',
        'timestamp': 'datetime',
        'boolean': 'bool',
    } -%}
    {{ return('safe_cast(' ~ expression ~ ' as ' ~ types[kind] ~ ')') }}
{%- endmacro %}

{#- The spellings that a cast surely takes: dates of the real calendar, integers and exponents within the type. -#}
{% macro _spelling(kind) -%}
    {%- set days = '(((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))|((0[469]|11)-(0[1-9]|[12][0-9]|30))'
        ~ '|(02-(0[1-9]|1[0-9]|2[0-8])))' -%}
    {%- set leap_years = '((([0-9]{2})(0[48]|[2468][048]|[13579][26]))|(([2468][048]|[13579][26]|0[48])00))' -%}
    {%- set years = '(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})' -%}
    {%- set date = '((' ~ years ~ '-' ~ days ~ ')|(' ~ leap_years ~ '-02-29))' -%}
    {%- set time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?' -%}
    {%- set spellings = {
        'integer': '^ *[-+]?[0-9]{1,18} *$',
        'wide_integer': '^ *[-+]?[0-9]{1,36} *$',
        'number': '^ *[-+]?([0-9]{1,200}(\\.[0-9]{0,200})?|\\.[0-9]{1,200})([eE][-+]?[0-9]{1,2})? *$',
        'date': '^' ~ date ~ '$',
        'timestamp': '^' ~ date ~ '([ T]' ~ time ~ '(Z|[-+][01][0-9](:?[0-5][0-9])?)?)?$',
        'boolean': '^(true|false|TRUE|FALSE|True|False|t|f)$',
    } -%}
    {{ return(spellings[kind]) }}
{%- endmacro %}
