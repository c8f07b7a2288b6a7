{#-
    The dialect of a warehouse by name: expression templates, words and flags, with ANSI defaults.
    A template is the SQL of one expression; the primitive of its name fills in what stands in `{…}`, and a brace of SQL itself
    is doubled. A dict of templates is by kind of value, or by kind of table; `any` stands for all other kinds.
    Here stands what holds where a warehouse says nothing else: standard SQL where there is some, or else what most of them read.
    `<warehouse>__dialect` gives what it says itself. What takes a loop is no template, but a macro: `<warehouse>__<primitive>`.
    - `cast_types`: by kind, what `try_cast` casts to; that is none where no cast answers null.
    - `lists_other_types`: values of the kind 'other' have a text that says something.
    - `spelled_in_patterns`: what stands in a pattern of ours, and how it is spelled there.
    - `group_sign`: what stands in a replacement before the number of a group.
    - `trimmed`: a text without these characters at both ends.
    - `character`: one of a pattern, by its code point; none where the character itself stands there.
    - `capital_letters`: their class in a pattern; none where those of the larger languages are listed.
    - `approx_distinct`: none where the scan estimates from its sample, see `_decided_paths`.
    - `quantile`: one of the 21 that stand in `quantiles`.
    - `reads_lists_as_json`: the elements of a list come into the sample as one JSON text, for want of a way to collect lists.
    - `json_text`, `json_texts`: an element of a JSON array, and the clause in `from` that gives it, none where it needs none.
    - `field_of_elements`: of a list of structs, and of one whose fields are lists; none where such lists are read as JSON.
    - `flattened`: a list of lists as one; none where there is no such list.
    - `unnests_side_by_side`: lists in one select are unnested side by side, see `unnest_row`.
    - `unnests_rows`: what follows a relation in `from` so that its row becomes many, see `unnest_row`.
    - `plain_rows`: none where each value is a literal of its own.
    - `rows_as_json`: none where rows are read as they are.
    - `sampled_rows`: counts what was collected; none where the condition that lets a row in may be asked twice.
    - `scans_as_cells`: small tables are scanned together, see `cells`; elsewhere each has an aggregate row of its own.
    - `reads_for_changes`: whether a table changed is told by its rows alone, which `discover_changes` reads.
    - `knows_longest_texts`: the statistics of storage tell how long the longest text of a column is, see `short_columns`.
    - `asks_for_filters`: a table may be read by parts alone, see `discover_refusals`.
    - `tells_by_query`: whether anything changed can be told by queries over the catalogue, which `linker refresh` repeats.
    - `shows_keys`: the columns of keys are told by `show`, which is no query, see `queried_keys`.
    - `joins_by_hash`: a statement after which the transaction joins by hashing.
    - `plain_planning`: statements that begin and end a planning without rules that take minutes for long expressions.
    - `counts_apart`: the distinct values of each column are counted in a select of its own.
    - `guarded`: the block that runs statements and, for an error, what it is told to; none where nothing catches an error, which
      then ends the run. `statement`: what runs the block as a literal, none where the block is a statement. `message`: the
      error's text; `over_time`: whether it is our limit that was met; `value_follows`: a value that stands without quotes.
    - `time_limit`: `set`, by the session, and `unset`, where another level has a limit too; `statement`, where each brings its
      own; `own`: the query that gives the limit in force, in units of which a second has `per_second`; `message`: the words of
      a statement that met a limit. None of them where no limit can be set in SQL.
    - `only_appends`: rows of our tables are never deleted or updated there, and a table is emptied as a whole.
    - `changes_by_merge`: rows are deleted and updated by `merge`, where `delete` and `update` take no query within a query.
    - `replaces_tables`: `create_table_as` of dbt replaces a table that is there; elsewhere it is dropped before.
    - `stage`: how tables are made, named and dropped that rows go through where there is no word for `materialized`.
    - `statement_limits`: the bytes of a statement's text, and the columns of one of its selects.
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
        'asks_for_filters': false,
        'tells_by_query': true,
        'shows_keys': false,

        'materialized': '',
        'joins_by_hash': '',
        'plain_planning': [],
        'counts_apart': false,
        'guarded': none,
        'time_limit': {'set': none, 'statement': '{statement}', 'message': none},
        'only_appends': false,
        'changes_by_merge': false,
        'replaces_tables': false,
        'stage': none,
        'statement_limits': {'bytes': none, 'columns': none},
    } -%}
    {%- do dialect.update(adapter.dispatch('dialect', 'linker')()) -%}
    {{ return(dialect) }}
{%- endmacro %}

{#- A warehouse that nobody taught this package: each model of ours that would run says so. -#}
{% macro default__dialect() -%}
    {%- do linker.refuse_warehouse() -%}
    {{ return({}) }}
{%- endmacro %}
