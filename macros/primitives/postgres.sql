{#-
    Dialect of Postgres.
    - `try_cast`: none (pg_input_is_valid came with 16, and raises for some types it cannot judge), so the spelling is tested.
      https://www.postgresql.org/docs/current/sql-expressions.html#SYNTAX-EXPRESS-EVAL
    - `as_text`: an array's own text is not JSON. https://www.postgresql.org/docs/current/functions-json.html
    - `plain_value`: where the type says no scale, each numeric keeps its own. The text of money is that of the server's country,
      and neither money nor an oid can be cast to a float. https://www.postgresql.org/docs/current/functions-math.html
      https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-NUMERIC-DECIMAL
      https://www.postgresql.org/docs/current/datatype-money.html, https://www.postgresql.org/docs/current/datatype-oid.html
    - `place_in_order`: there is no `min` over a domain of an enumeration, and in a family they may be texts: the place among
      the labels counts. https://www.postgresql.org/docs/current/functions-array.html
    - `regex_…`: https://www.postgresql.org/docs/current/functions-matching.html#FUNCTIONS-POSIX-REGEXP
      The collation is named since two columns' may contradict each other, and some admit no patterns at all.
      https://www.postgresql.org/docs/current/collation.html#COLLATION-NONDETERMINISTIC
      `substring` gives the first group, or null. Without 'g' only the first match is replaced.
    - `character`: https://www.postgresql.org/docs/current/functions-matching.html#POSIX-CHARACTER-ENTRY-ESCAPES-TABLE
    - `capital_letters`: `[:upper:]` depends on the collation, and is ASCII in that which our patterns name.
      https://www.postgresql.org/docs/current/functions-matching.html#POSIX-BRACKET-EXPRESSIONS
    - `approx_distinct`: there is no sketch.
    - `now_utc`: not `now()`, which stands still within a transaction.
      https://www.postgresql.org/docs/current/functions-datetime.html#FUNCTIONS-DATETIME-CURRENT
    - `materialized`: https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-CTE-MATERIALIZATION
    - `guarded`: a literal, not a dollar quote, which a name in the warehouse could end. A column may be called `found`, as a
      variable of PL/pgSQL is. `others` does not stand for a statement that took too long. One that is ended for its time and
      one that somebody ends have the same code, and words in the server's language.
      https://www.postgresql.org/docs/current/plpgsql-control-structures.html#PLPGSQL-ERROR-TRAPPING
      https://www.postgresql.org/docs/current/plpgsql-implementation.html#PLPGSQL-VAR-SUBST
    - `time_limit`: for the transaction alone: behind a pooler the session is that of others, too. What stands in one text with
      it is timed by itself. A server of another language has other words, which are then kept as they are.
      https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-STATEMENT-TIMEOUT
    - `joins_by_hash`: our tables are new, and nobody analyzed them: for 6,000 columns nested loops took minutes, hashes a fifth
      of a second. https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-ENABLE-NESTLOOP
    - `statement_limits`: a select gives 1,664 columns. https://www.postgresql.org/docs/current/limits.html
    What the dialect itself has is Postgres' own in `finite`, `quantiles`, `seconds_since_1970`, `text_list`, `counted_list`,
    `json_texts` and `list_number`, which no standard spells for all.
    https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-FLOAT: NaN equals NaN, numeric has both too.
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
        'joins_by_hash': 'set local enable_nestloop = off;',
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
                "select set_config('statement_timeout', '{limit}', true) from pg_catalog.pg_settings\n"
                ~ "where name = 'statement_timeout' and not cast(setting as bigint) between 1 and {below};\n{statement}",
            'message': 'statement timeout',
        },
        'statement_limits': {'bytes': none, 'columns': 1600},
    }) }}
{%- endmacro %}
