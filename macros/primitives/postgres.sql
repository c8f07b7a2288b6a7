{#-
    Dialect of Postgres.
    - `try_cast`: none, so the spelling is tested (pg_input_is_valid needs Postgres 16, and raises errors for some types).
      https://www.postgresql.org/docs/current/sql-expressions.html#SYNTAX-EXPRESS-EVAL
    - `as_text`: an array's text is not JSON. https://www.postgresql.org/docs/current/functions-json.html
    - `plain_value`: without a scale in the type, each numeric has its own. The text of money depends on the server's locale, and
      neither money nor oid can be cast to a float. https://www.postgresql.org/docs/current/functions-math.html
      https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-NUMERIC-DECIMAL
      https://www.postgresql.org/docs/current/datatype-money.html, https://www.postgresql.org/docs/current/datatype-oid.html
    - `place_in_order`: `min` rejects domains of enumerations, and shards may have them as texts, so enumerations are compared
      by label position. https://www.postgresql.org/docs/current/functions-array.html
    - `regex_…`: https://www.postgresql.org/docs/current/functions-matching.html#FUNCTIONS-POSIX-REGEXP
      The collation is explicit, since collations of two columns may conflict, and some allow no patterns.
      https://www.postgresql.org/docs/current/collation.html#COLLATION-NONDETERMINISTIC
      `substring` returns the first group, or null. Without 'g' only the first match is replaced.
    - `character`: https://www.postgresql.org/docs/current/functions-matching.html#POSIX-CHARACTER-ENTRY-ESCAPES-TABLE
    - `capital_letters`: `[:upper:]` depends on the collation, and is ASCII in that of our patterns.
      https://www.postgresql.org/docs/current/functions-matching.html#POSIX-BRACKET-EXPRESSIONS
    - `approx_distinct`: Postgres has no sketches.
    - `now_utc`: not `now()`, which is constant within a transaction.
      https://www.postgresql.org/docs/current/functions-datetime.html#FUNCTIONS-DATETIME-CURRENT
    - `materialized`: https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-CTE-MATERIALIZATION
    - `guarded`: a literal, since a name in the warehouse could end a dollar quote. PL/pgSQL has a variable `found`, which may
      also be a column. `others` does not catch timeouts; timeouts and cancellations have the same code, and messages in the
      server's language.
      https://www.postgresql.org/docs/current/plpgsql-control-structures.html#PLPGSQL-ERROR-TRAPPING
      https://www.postgresql.org/docs/current/plpgsql-implementation.html#PLPGSQL-VAR-SUBST
    - `time_limit`: for the transaction only, since a pooler shares sessions. Statements in the same text have separate times.
      Messages in other languages are kept as they are.
      https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-STATEMENT-TIMEOUT
    - `planning`: profile tables are new and not analyzed: for 6,000 columns nested loops took minutes, hash joins a fifth
      of a second. https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-ENABLE-NESTLOOP
      https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-JIT: compiling long expressions took 90 seconds for 23
      tables, and running them 4; a scan of 2 million rows of 10 columns took three times as long.
    - `statement_limits`: a select has at most 1,664 columns. https://www.postgresql.org/docs/current/limits.html
    The defaults of `finite`, `quantiles`, `seconds_since_1970`, `text_list`, `counted_list`, `json_texts` and `list_number` are
    those of Postgres, since no standard covers them.
    https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-FLOAT: NaN equals NaN, also as numeric.
    https://www.postgresql.org/docs/current/functions-aggregate.html#FUNCTIONS-ORDEREDSET-TABLE
    https://www.postgresql.org/docs/current/functions-datetime.html#FUNCTIONS-DATETIME-EXTRACT
    https://www.postgresql.org/docs/current/functions-json.html: json_agg would put spaces between the elements.
-#}
{% macro postgres__dialect() -%}
    {{ return({
        'cast_types': {
            'integer': 'bigint',
            'wide_integer': 'numeric',
            'number': 'double precision',
            'date': 'date',
            'timestamp': 'timestamp',
            'boolean': 'boolean',
        },
        'try_cast': none,
        'as_text': {'any': 'cast({value} as text)', 'list': 'cast(to_jsonb({value}) as text)'},
        'plain_value': {
            'numeric': 'trim_scale({value})',
            'money': 'cast({value} as numeric)',
            'money[]': 'cast({value} as numeric[])',
            'oid': 'cast({value} as bigint)',
            'oid[]': 'cast({value} as bigint[])',
        },
        'place_in_order': 'array_position(cast(array[{labels}] as text[]), cast({value} as text))',
        'value_at_place': '(cast(array[{labels}] as text[]))[{place}]',

        'regex_matches': '(({text}) collate "C" ~ {pattern})',
        'regex_extract': 'substring({text} from {pattern})',
        'regex_replace': "regexp_replace(({text}) collate \"C\", {pattern}, {replacement}, 'g')",

        'approx_distinct': none,
        'now_utc': "cast(clock_timestamp() at time zone 'UTC' as timestamp)",

        'materialized': 'materialized ',
        'planning': 'set local enable_nestloop = off; set local jit = off;',
        'runs_several_statements': true,
        'guarded': {
            'block':
                '\n#variable_conflict use_column\nbegin\n{statements};\n'
                ~ 'exception when query_canceled or others then\n{on_error};\nend\n',
            'statement': 'do {block}',
            'message': 'sqlerrm',
            'over_time':
                "sqlstate = '57014' and clock_timestamp() - statement_timestamp() >= interval '{seconds} seconds'",
        },
        'time_limit': {
            'own': "select setting from pg_catalog.pg_settings where name = 'statement_timeout'",
            'per_second': 1000,
            'statement':
                "set local jit = off;\nselect set_config('statement_timeout', '{limit}', true) from pg_catalog.pg_settings\n"
                ~ "where name = 'statement_timeout' and not cast(setting as bigint) between 1 and {below};\n{statement}",
            'message': 'statement timeout',
        },
        'statement_limits': {'bytes': none, 'columns': 1600},
    }) }}
{%- endmacro %}
