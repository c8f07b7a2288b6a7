{#-
    The dialect of a warehouse by name: expression templates, keywords and flags. The defaults are standard SQL, or else what
    most warehouses support; `<warehouse>__dialect` overrides them.
    A template is the SQL of one expression; the primitive of its name, or else its only caller, fills in the `{…}` placeholders,
    and literal braces are doubled. Dicts of templates are by value kind or table kind; `any` stands for all others. An expression that needs a loop is
    a macro instead: `<warehouse>__<primitive>`.
    - `double_type`: the 8-byte floating-point type.
    - `materialized`: the keyword that materializes a common table expression; empty if there is none.
    - `cast_types`: target types of `try_cast` by kind; none if no cast returns null for invalid texts.
    - `place_in_order`, `value_at_place`: an enumeration value in a form that has a minimum and a maximum, and the conversion back.
    - `lists_other_types`: values of the kind 'other' have a useful text.
    - `spelled_in_patterns`: replacements of parts of our patterns.
    - `group_sign`: the prefix of a group number in a replacement.
    - `trimmed`: a text without these characters at both ends.
    - `character`: a character of a pattern by code point; none for the character itself.
    - `capital_letters`: their class in a pattern; none to list those of the larger languages.
    - `approx_distinct`: the estimate of distinct values, in one pass; none to estimate from the sample, see `judged_paths`.
    - `quantile`: one of the 21 arguments of `quantiles`.
    - `reads_lists_as_json`: list elements are sampled as one JSON text, since lists cannot be collected.
    - `field`: a field of a struct.
    - `unnest_list`: the clause after a relation in `from` that makes each list element a row, with the column `element`.
    - `number_list`: a JSON array of numbers in text form, as `list_number` reads it.
    - `json_text`, `json_texts`: an element of a JSON array, and the `from` clause that produces it, if any.
    - `field_of_elements`: for a list of structs, and one with list fields; none if such lists are read as JSON.
    - `flattened`: a list of lists as one list; none without lists of lists.
    - `unnests_side_by_side`: several lists in one select are unnested in parallel, see `unnest_row`.
    - `unnests_rows`: the clause after a relation in `from` that turns its row into many, see `unnest_row`.
    - `most_frequent`: the most frequent values of each column, ties by the smallest value: a select of column_number, place, value
      and value_count, from a relation with column_number, value, value_count and `condition`: `more` values for columns that
      satisfy it, `fewer` for the others.
    - `plain_rows`: none if each value is a separate literal.
    - `rows_as_json`: all rows of a query as one text, a JSON array of objects; none if rows are read directly.
    - `sample_condition`: includes a row in the sample; `share` is an expression for a view.
    - `table_sample`: the clause after a table's name that reads about `percent` of it, by blocks.
    - `storage_order`: a number that increases in storage order; null if the warehouse has none, and for views.
    - `sampled_rows`: counts collected rows; none if the sample condition may be evaluated twice.
    - `scans_as_cells`: small tables are scanned together, see `cells`; else each has an aggregate row.
    - `reads_for_changes`: only rows show changes, so `discover_changes` reads them.
    - `knows_longest_texts`: storage statistics contain the longest text of a column, see `short_columns`.
    - `has_databases`: names of relations have three parts; else the schema comes first.
    - `tells_by_query`: catalogue queries detect changes; `linker refresh` repeats them.
    - `shows_keys`: only SHOW commands, not queries, return key columns, see `watched_keys`.
    - `planning`: statements that set the planner for the transaction which builds a profile table.
    - `plain_planning`: session settings for long statements over few rows.
    - `counts_apart`: distinct values of each column are counted in a separate select.
    - `guarded`: the block that runs statements and catches an error; none if the warehouse cannot, so that the error ends the
      run. `statement`: executes the block as a literal, none if the block is a statement. `message`: the error's text;
      `over_time`: whether our limit was exceeded; `value_follows`: marks an unquoted value.
    - `time_limit`: `set` and `unset` (if another level has a limit too) for a session; `statement` for statements with their
      own limit; `own`: the query for the current limit, in units of 1 / `per_second` seconds; `message`: the error of a timeout.
      All none if SQL cannot set a limit.
    - `only_appends`: rows of profile tables cannot be deleted or updated; tables are emptied as a whole.
    - `changes_by_merge`: `merge` deletes and updates rows, since `delete` and `update` allow no subquery.
    - `replaces_tables`: dbt's `create_table_as` replaces an existing table, which is dropped first otherwise.
    - `runs_several_statements`: a text may contain several statements, separated by semicolons.
    - `stage`: statements and names of staging tables, for warehouses without the keyword `materialized`.
    - `statement_limits`: maximum bytes of a statement, and columns of a select.
-#}
{% macro dialect() -%}
    {%- set dialect = {
        'double_type': 'double precision',
        'timestamp_type': 'timestamp',
        'cast_types': {
            'integer': 'bigint',
            'wide_integer': 'numeric(36, 0)',
            'number': 'double precision',
            'date': 'date',
            'timestamp': 'timestamp',
            'boolean': 'boolean',
        },
        'try_cast': 'try_cast({text} as {type})',
        'as_text': {'any': 'cast({value} as varchar)'},
        'plain_value': {},
        'place_in_order': '{value}',
        'value_at_place': '{place}',
        'lists_other_types': true,

        'regex_matches': 'regexp_like({text}, {pattern})',
        'regex_extract': 'regexp_extract({text}, {pattern})',
        'regex_replace': 'regexp_replace({text}, {pattern}, {replacement})',
        'spelled_in_patterns': {},
        'group_sign': '\\',
        'trimmed': 'trim({text}, {characters})',
        'character': '\\u{code}',
        'capital_letters': none,
        'digest': 'md5({text})',
        'value_length': {'any': 'length({value})', 'binary': 'octet_length({value})', 'list': 'cardinality({value})'},

        'approx_distinct': 'approx_count_distinct({value})',
        'finite': "case when {number} not in ('Infinity', '-Infinity', 'NaN') then {number} end",
        'quantile': '{share}',
        'quantiles': 'cast(to_json(percentile_disc(array[{quantiles}]) within group (order by {number})) as text)',
        'now_utc': "cast(current_timestamp at time zone 'UTC' as timestamp)",
        'seconds_since_1970': 'case when isfinite({moment}) then cast(extract(epoch from {moment}) as double precision) end',

        'field': '({struct}).{name}',
        'field_of_elements': none,
        'flattened': none,
        'unnest_list': 'cross join unnest({list}) as elements (element)',
        'reads_lists_as_json': true,
        'text_list':
            "'[' || string_agg(coalesce(cast(to_json({text}) as text), 'null'), ',' order by {order}) || ']'",
        'counted_list':
            "'[' || string_agg('{{\"value\":' || to_json({value}) || ',\"count\":' || {count}"
            ~ " || '}}', ',' order by {count} desc, {value}) || ']'",
        'counted_list_with_members':
            "'[' || string_agg('{{\"value\":' || to_json({value}) || ',\"count\":' || {count}"
            ~ " || coalesce(',\"members\":' || {members}, '') || '}}', ',' order by {count} desc, {value}) || ']'",
        'json_text': 'elements.element',
        'json_texts': 'cross join lateral json_array_elements_text(cast({json} as json)) as elements (element)',
        'number_list': '{json}',
        'list_number': 'cast(cast({list} as json) ->> {place} as double precision)',
        'unnests_side_by_side': false,
        'most_frequent':
            '\n    select column_number, place, value, value_count'
            ~ '\n    from ('
            ~ '\n        select *, row_number() over (partition by column_number order by value_count desc, value) as place'
            ~ '\n        from {relation}'
            ~ '\n    ) as numbered'
            ~ '\n    where place <= case when {condition} then {more} else {fewer} end\n',
        'unnests_rows': none,
        'plain_rows': none,
        'rows_as_json': none,

        'sample_condition': {'any': 'random() < {share}'},
        'table_sample': 'tablesample system ({percent})',
        'storage_order': {'any': 'cast(null as double precision)'},
        'sampled_rows': none,
        'scans_as_cells': false,
        'reads_for_changes': false,
        'knows_longest_texts': false,
        'has_databases': true,
        'tells_by_query': true,
        'shows_keys': false,

        'materialized': '',
        'planning': '',
        'plain_planning': {},
        'counts_apart': false,
        'guarded': none,
        'time_limit': {'set': none, 'statement': '{statement}', 'message': none},
        'only_appends': false,
        'changes_by_merge': false,
        'replaces_tables': false,
        'runs_several_statements': false,
        'stage': none,
        'statement_limits': {'bytes': none, 'columns': none},
    } -%}
    {%- do dialect.update(adapter.dispatch('dialect', 'linker')()) -%}
    {{ return(dialect) }}
{%- endmacro %}

{#- For an unsupported warehouse: each model of this package that would run raises the error. -#}
{% macro default__dialect() -%}
    {%- do linker.refuse_warehouse() -%}
    {{ return({}) }}
{%- endmacro %}
