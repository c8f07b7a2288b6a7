{#-
    Dialect of BigQuery.
    - `double_type`: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#floating_point_types
    - `cast_types`: a datetime is a timestamp without a zone.
    - `try_cast`: https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#safe_casting
    - `as_text`: https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_string
      https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#format_string
    - `regex_matches`: https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_contains
    - `regex_extract`: https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_extract
    - `regex_replace`: replaces all matches.
      https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_replace
    - `character`, `capital_letters`: https://github.com/google/re2/wiki/Syntax
    - `digest`: md5 returns bytes. https://cloud.google.com/bigquery/docs/reference/standard-sql/hash_functions#md5
    - `value_length`: characters or bytes by type.
      https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#length
    - `approx_distinct`:
      https://cloud.google.com/bigquery/docs/reference/standard-sql/approximate_aggregate_functions#approx_count_distinct
    - `finite`: tests NUMERIC as FLOAT64, and returns it unchanged.
      https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#is_inf
    - `quantiles`:
      https://cloud.google.com/bigquery/docs/reference/standard-sql/approximate_aggregate_functions#approx_quantiles
    - `now_utc`: https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#current_timestamp
    - `seconds_since_1970`: `unix_seconds` would truncate the fraction.
      https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#unix_micros
    - `field_of_elements`: BigQuery has no arrays of arrays.
      https://cloud.google.com/bigquery/docs/arrays#query_structs_in_an_array
    - `unnest_list`: https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#unnest_operator
    - `text_list`, `counted_list`:
      https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#to_json_string
    - `json_texts`: https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_value_array
    - `list_number`: https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_value
    - `sample_condition`, `sampled_rows`: `rand` is evaluated at each use.
      https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#rand
    - `table_sample`: https://cloud.google.com/bigquery/docs/table-sampling
    - `materialized`: BigQuery has no such keyword.
      https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#with_clause
    - `stage`: https://cloud.google.com/bigquery/docs/multi-statement-queries#temporary_tables
    - `guarded`: a message has the error, a colon, and often the value without quotes: `Bad int64 value: …`.
      https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#beginexceptionend
    - `time_limit`: `job_execution_timeout_seconds` of the target limits jobs.
      https://docs.getdbt.com/docs/core/connect-data-platform/bigquery-setup#timeouts-and-retries
    - `statement_limits`: 1,024K characters, and 10,000 columns of a temporary table.
      https://cloud.google.com/bigquery/quotas#query_jobs
-#}
{% macro bigquery__dialect() -%}
    {{ return({
        'double_type': 'float64',
        'cast_types': {
            'integer': 'int64',
            'wide_integer': 'bignumeric',
            'number': 'float64',
            'date': 'date',
            'timestamp': 'datetime',
            'boolean': 'bool',
        },
        'try_cast': 'safe_cast({text} as {type})',
        'as_text': {
            'any': 'cast({value} as string)',
            'json': 'to_json_string({value})',
            'other': "format('%t', {value})",
        },

        'regex_matches': 'regexp_contains({text}, {pattern})',
        'character': '\\x{{{code}}}',
        'capital_letters': '\\p{Lu}\\p{Lt}',
        'digest': 'to_hex(md5({text}))',
        'value_length': {'any': 'length({value})', 'list': 'array_length({value})'},

        'finite': 'if(is_inf(cast({number} as float64)) or is_nan(cast({number} as float64)), null, {number})',
        'quantiles': 'to_json_string(approx_quantiles({number}, 20))',
        'now_utc': 'current_timestamp()',
        'seconds_since_1970': 'unix_micros(cast({moment} as timestamp)) / 1000000',

        'field_of_elements': {
            'any': 'array(select element.{name} from unnest({list}) as element)',
            'list':
                'array(select inner_element from unnest({list}) as element, unnest(element.{name}) as inner_element)',
        },
        'unnest_list': 'cross join unnest({list}) as element',
        'reads_lists_as_json': false,
        'text_list': 'to_json_string(array_agg({text} order by {order}))',
        'counted_list':
            'to_json_string(array_agg(struct({value} as value, {count} as count) order by {count} desc, {value}))',
        'counted_list_with_members':
            "'[' || string_agg('{{\"value\":' || to_json_string({value}) || ',\"count\":' || cast({count} as string)"
            ~ " || coalesce(',\"members\":' || {members}, '') || '}}', ',' order by {count} desc, {value}) || ']'",
        'json_text': 'element',
        'json_texts': 'cross join unnest(json_value_array({json})) as element',
        'list_number': "cast(json_value({list}, '$[{place}]') as float64)",

        'sample_condition': {'any': 'rand() < {share}'},
        'table_sample': 'tablesample system ({percent} percent)',
        'storage_order': {'any': 'cast(null as float64)'},
        'sampled_rows': 'coalesce(array_length(collected), 0)',

        'stage': {'create': 'create or replace temp table', 'table': 'linker_stage'},

        'replaces_tables': true,
        'guarded': {
            'block': 'begin\n{statements};\nexception when error then\n{on_error};\nend;',
            'message': '@@error.message',
            'value_follows': '^((Query error: )?[^:]*: ).*$',
        },
        'statement_limits': {'bytes': 900000, 'columns': 9000},
    }) }}
{%- endmacro %}

{#-
    Backticks, with the escape sequences of strings.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#quoted_identifiers
-#}
{% macro bigquery__identifier(name) -%}
    {{ return('`' ~ name.replace('\\', '\\\\').replace('`', '\\`').replace('\n', '\\n') ~ '`') }}
{%- endmacro %}

{#-
    Backslashes escape in strings of BigQuery and Snowflake.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#string_and_bytes_literals
    https://docs.snowflake.com/en/sql-reference/data-types-text#escape-sequences-in-single-quoted-string-constants
-#}
{% macro bigquery__literal(content) -%}
    {%- if content is none -%}
        {{ return('null') }}
    {%- endif -%}
    {{ return("'" ~ (content | string).replace('\\', '\\\\').replace("'", "\\'").replace('\n', '\\n') ~ "'") }}
{%- endmacro %}

{#-
    A row is limited to 100 MB.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions#array_agg
    https://cloud.google.com/bigquery/quotas#query_jobs
-#}
{% macro bigquery__collect_sample(base_numbers, columns, has_members) -%}
    {%- set fields = ['row_order as row_order'] + (['member_place as member_place'] if has_members else []) -%}
    {%- for number in base_numbers -%}
        {%- set base = 'b' ~ number -%}
        {%- do fields.append((linker._bounded_base(base, columns) or base) ~ ' as ' ~ base) -%}
    {%- endfor -%}
    {{ return(['array_agg(if(is_in_sample, struct(' ~ fields | join(', ') ~ '), null) ignore nulls) as collected']) }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#unnest_operator -#}
{% macro bigquery__unnest_sample(relation, base_numbers, columns, has_members) %}
    {%- set plain = columns | rejectattr('elements') | list %}
    {%- set listed = columns | selectattr('elements') | list %}
    with sample_rows as (
        select
            sampled.row_order as row_order,
            {{ 'sampled.member_place' if has_members else 1 }} as member_place
            {%- for number in base_numbers %},
            sampled.b{{ number }} as b{{ number }}
            {%- endfor %}
        from {{ relation }} as scan
        cross join unnest(scan.collected) as sampled
    )

    {% if plain -%}
    select
        slots.column_number,
        sample_rows.row_order,
        sample_rows.member_place,
        slots.value,
        slots.number
    from sample_rows
    cross join unnest([
        {%- for column in plain %}
        struct(
            {{ column.column_number }} as column_number,
            {{ column.text }} as value,
            {{ column.number }} as number
        ){{ ',' if not loop.last }}
        {%- endfor %}
    ]) as slots
    {%- endif %}
    {%- for column in listed %}
    {{ 'union all' if plain or not loop.first }}
    select
        {{ column.column_number }} as column_number,
        sample_rows.row_order,
        sample_rows.member_place,
        {{ column.text }} as value,
        {{ column.number }} as number
    from sample_rows
    cross join unnest({{ column.elements }}) as element
    {%- endfor %}
{% endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/arrays#constructing_arrays -#}
{% macro bigquery__inline_rows(column_names, rows) %}
    select {{ column_names | join(', ') }}
    from unnest([
        {%- for row in rows %}
        {%- set first = loop.first %}
        struct(
            {%- for value in row -%}
            {{ value }}{{ ' as ' ~ column_names[loop.index0] if first }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ){{ ',' if not loop.last }}
        {%- endfor %}
    ])
{% endmacro %}
