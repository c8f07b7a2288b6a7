{#-
    Dialect of DuckDB.
    - `try_cast`: https://duckdb.org/docs/stable/sql/expressions/cast#try_cast
    - `plain_value`: a variant's text is not JSON. https://duckdb.org/docs/stable/sql/data_types/variant
    - `regex_…`: https://duckdb.org/docs/stable/sql/functions/regular_expressions. `regexp_matches` matches anywhere.
      `regexp_extract` returns '' without a match; no pattern of ours matches ''. Without 'g' only the first match is replaced.
      `character`, `capital_letters`: https://github.com/google/re2/wiki/Syntax
    - `value_length`: https://duckdb.org/docs/stable/sql/functions/blob,
      https://duckdb.org/docs/stable/sql/functions/list#lenlist
    - `finite`: https://duckdb.org/docs/stable/sql/functions/numeric#isfinitex
    - `quantiles`: https://duckdb.org/docs/stable/sql/functions/aggregates#quantile_discx-pos
    - `now_utc`: a literal, since DuckDB's now() is constant within a transaction.
    - `seconds_since_1970`: https://duckdb.org/docs/stable/sql/functions/timestamp#epochtimestamp
    - `field`: https://duckdb.org/docs/stable/sql/functions/struct#struct_extractstruct-entry
    - `field_of_elements`: https://duckdb.org/docs/stable/sql/functions/lambda
    - `counted_list`: a list of records is faster than concatenated text, but includes nulls, which would show in `members`.
      https://duckdb.org/docs/stable/data/json/json_functions
    - `number_list`: parsed once; parsing the text for each number would take a third of L3 and twice the memory.
      https://duckdb.org/docs/stable/data/json/json_type,
      https://duckdb.org/docs/stable/sql/data_types/list#retrieving-from-lists
    - `unnests_side_by_side`: planned in a tenth of the time of a `case` with a branch per column.
      https://duckdb.org/docs/stable/sql/query_syntax/unnest
    - `most_frequent`: sorts only the requested number of values, in a third of the time.
      https://duckdb.org/docs/stable/sql/functions/aggregates#minarg-n
    - `plain_rows`: each literal is planned separately, a hundred rows in six milliseconds; one JSON text is not.
      https://duckdb.org/docs/stable/data/json/json_functions#transforming-json-to-nested-types
    - `rows_as_json`: dbt inspects each value of a result to infer column types, a second for 20,000 rows.
      https://duckdb.org/docs/stable/sql/functions/aggregates#order-by-clause-in-aggregate-functions
    - `sample_condition`: a digest of the row number gives a repeatable sample; views have no row numbers.
      https://duckdb.org/docs/stable/sql/functions/utility#hashvalue,
      https://duckdb.org/docs/stable/sql/statements/select#row-ids
    - `table_sample`: https://duckdb.org/docs/stable/sql/samples
    - `scans_as_cells`: planning the aggregates of a column takes longer than reading its thousand values.
    - `materialized`: https://duckdb.org/docs/stable/sql/query_syntax/with#cte-materialization
    - `counts_apart`: columns are stored separately, so no more is read, and only one set of values is in memory. Four columns of
      two million rows took 1.5 s of processor and 565 MB together, 0.9 s and 308 MB separately.
      https://duckdb.org/docs/stable/internals/storage
    - `guarded`: DuckDB has no exception block: an error ends the run, and finished statements keep their effect.
    - `time_limit`: since DuckDB 2.0; older versions lack the row. 0 means no limit.
      https://duckdb.org/docs/stable/configuration/overview
-#}
{% macro duckdb__dialect() -%}
    {{ return({
        'cast_types': {
            'integer': 'bigint',
            'wide_integer': 'hugeint',
            'number': 'double',
            'date': 'date',
            'timestamp': 'timestamp',
            'boolean': 'boolean',
        },
        'as_text': {'any': 'cast({value} as TEXT)'},
        'plain_value': {'variant': 'to_json({value})'},

        'regex_matches': 'regexp_matches({text}, {pattern})',
        'regex_extract': "nullif(regexp_extract({text}, {pattern}, 1), '')",
        'regex_replace': "regexp_replace({text}, {pattern}, {replacement}, 'g')",
        'character': '\\x{{{code}}}',
        'capital_letters': '\\p{Lu}\\p{Lt}',
        'value_length': {'any': 'length({value})', 'binary': 'octet_length({value})', 'list': 'len({value})'},

        'finite': 'case when isfinite({number}) then {number} end',
        'quantiles': 'cast(to_json(quantile_disc({number}, [{quantiles}])) as varchar)',
        'now_utc': "cast('{moment}' as timestamp)",
        'seconds_since_1970': 'case when isfinite({moment}) then cast(epoch({moment}) as double) end',

        'field': 'struct_extract({struct}, {text})',
        'field_of_elements': {'any': 'list_transform({list}, lambda element: struct_extract(element, {text}))'},
        'flattened': 'flatten({list})',
        'reads_lists_as_json': false,
        'text_list': 'cast(to_json(list({text} order by {order})) as varchar)',
        'counted_list':
            "cast(to_json(list({{'value': {value}, 'count': cast({count} as bigint)}} order by {count} desc, {value})) as varchar)",
        'json_text': "unnest(from_json({json}, '[\"VARCHAR\"]')) as element",
        'json_texts': none,
        'number_list': 'cast(cast({json} as json) as double[])',
        'list_number': '{list}[{place_from_1}]',
        'unnests_side_by_side': true,
        'most_frequent':
            "\n    select column_number, place, one.value as value, -one.before as value_count"
            ~ "\n    from ("
            ~ "\n        select"
            ~ "\n            column_number,"
            ~ "\n            unnest(found) as one,"
            ~ "\n            generate_subscripts(found, 1) as place"
            ~ "\n        from ("
            ~ "\n            select"
            ~ "\n                column_number,"
            ~ "\n                coalesce("
            ~ "\n                    min({{'before': -value_count, 'value': value}}, {more}) filter (where {condition}),"
            ~ "\n                    min({{'before': -value_count, 'value': value}}, {fewer}) filter (where not {condition})"
            ~ "\n                ) as found"
            ~ "\n            from {relation}"
            ~ "\n            group by column_number"
            ~ "\n        ) as grouped"
            ~ "\n    ) as unnested\n",
        'plain_rows': '\n    select unnest(from_json({rows}, {types}), recursive := true)\n',
        'rows_as_json':
            '\n    select cast(to_json(coalesce(list(found order by {order}), [])) as varchar) as found'
            ~ '\n    from (\n{query}\n    ) as found\n',

        'sample_condition': {'any': 'random() < {share}', 'table': 'hash(rowid) % 1000000 < {millionths}'},
        'table_sample': 'tablesample system ({percent}%)',
        'storage_order': {'any': 'cast(null as double)', 'table': 'cast(rowid as double)'},
        'scans_as_cells': true,
        'reads_for_changes': true,
        'knows_longest_texts': true,

        'materialized': 'materialized ',
        'counts_apart': true,
        'time_limit': {
            'own': "select value from duckdb_settings() where name = 'max_execution_time'",
            'per_second': 1000,
            'set': 'set max_execution_time = {limit}',
            'statement': '{statement}',
            'message': 'exceeded maximum execution time',
        },
    }) }}
{%- endmacro %}

{#-
    One list of rows in their own types: one list per column costs twice as much, and casts would be computed for every row,
    not only for those of the sample. So would length limits without the `case`.
    https://duckdb.org/docs/stable/sql/functions/aggregates#listarg
-#}
{% macro duckdb__collect_sample(base_numbers, columns, has_members) -%}
    {%- set fields = ["'row_order': row_order"] + (["'member_place': member_place"] if has_members else []) -%}
    {%- for number in base_numbers -%}
        {%- set bounded = linker._bounded_base('b' ~ number, columns) -%}
        {%- do fields.append(
            "'b" ~ number ~ "': " ~ ('case when is_in_sample then ' ~ bounded ~ ' end' if bounded else 'b' ~ number)
        ) -%}
    {%- endfor -%}
    {{ return(['list({' ~ fields | join(', ') ~ '}) filter (where is_in_sample) as collected']) }}
{%- endmacro %}

{#- Lists in one select are unnested in parallel: https://duckdb.org/docs/stable/sql/query_syntax/unnest -#}
{% macro duckdb__unnest_sample(relation, base_numbers, columns, has_members) %}
    {%- set plain = columns | rejectattr('elements') | list %}
    {%- set listed = columns | selectattr('elements') | list %}
    with sample_rows as {{ linker.dialect().materialized }}(
        select
            sampled.row_order as row_order,
            {{ 'sampled.member_place' if has_members else 1 }} as member_place
            {%- for number in base_numbers %},
            sampled.b{{ number }} as b{{ number }}
            {%- endfor %}
        from (select unnest(collected) as sampled from {{ relation }})
    )

    {% if plain -%}
    select
        unnest([{{ plain | map(attribute='column_number') | join(', ') }}]) as column_number,
        row_order,
        member_place,
        unnest([{{ plain | map(attribute='text') | join(', ') }}]) as value,
        unnest([{{ plain | map(attribute='number') | join(', ') }}]) as number
    from sample_rows
    {%- endif %}
    {%- for column in listed %}
    {{ 'union all' if plain or not loop.first }}
    select
        {{ column.column_number }} as column_number,
        row_order,
        member_place,
        {{ column.text }} as value,
        {{ column.number }} as number
    from sample_rows
    cross join unnest({{ column.elements }}) as elements (element)
    {%- endfor %}
{% endmacro %}

{#-
    `translate` builds its mapping for each text, which dominates the time. So all texts of a group are joined by a separator,
    which becomes a letter if it occurs in a text. Plain ASCII texts need no translation.
    https://duckdb.org/docs/stable/sql/functions/list, https://duckdb.org/docs/stable/sql/functions/text
-#}
{% macro duckdb__text_shapes(relation, keys) %}
    {%- set between = 'chr(31)' %}
    select
        {{ keys | join(', ') }},
        unnest(string_split(
            case
                when {{ linker.regex_matches('joined', '[^\\t\\n\\r' ~ linker.character_ranges([('001f', none)]) ~ ' -~]') }}
                    then {{ linker._shape('joined', linker.character_ranges([('001f', none)])) }}
                else {{ linker._ascii_shape('joined') }}
            end,
            {{ between }}
        )) as shape,
        unnest(list_transform(texts, lambda one: one.value_count)) as value_count
    from (
        select
            *,
            array_to_string(list_transform(texts, lambda one: one.start), {{ between }}) as joined
        from (
            select
                {{ keys | join(', ') }},
                list({
                    'start': replace(left(value, 32), {{ between }}, 'a') || case when length(value) > 32 then '...' else '' end,
                    'value_count': value_count
                }) as texts
            from {{ relation }}
            group by {{ keys | join(', ') }}
        ) as grouped
    ) as listed
{% endmacro %}
