{#-
    Dialect of Snowflake.
    - `try_cast`: accepts texts only. https://docs.snowflake.com/en/sql-reference/functions/try_cast
    - `as_text`: explicit, since session formats affect dates.
      https://docs.snowflake.com/en/sql-reference/functions/to_char
    - `lists_other_types`: GEOGRAPHY, GEOMETRY, VECTOR, FILE and MAP cannot be cast to text.
      https://docs.snowflake.com/en/sql-reference/data-type-conversion
    - `regex_…`: POSIX patterns, in which every group captures, so the extracted group must come first. They have neither
      Unicode classes nor escapes for code points.
      https://docs.snowflake.com/en/sql-reference/functions-regexp#general-usage-notes
      `regexp_like` is anchored at both ends, so `regexp_instr` is used.
      https://docs.snowflake.com/en/sql-reference/functions/regexp_like
      'e' extracts the group. https://docs.snowflake.com/en/sql-reference/functions/regexp_substr
      All matches are replaced. https://docs.snowflake.com/en/sql-reference/functions/regexp_replace
    - `digest`: https://docs.snowflake.com/en/sql-reference/functions/md5
    - `value_length`: https://docs.snowflake.com/en/sql-reference/functions/length,
      https://docs.snowflake.com/en/sql-reference/functions/array_size
    - `approx_distinct`: https://docs.snowflake.com/en/sql-reference/functions/approx_count_distinct
    - `finite`: https://docs.snowflake.com/en/sql-reference/data-types-numeric#special-values
    - `quantile`: one share per call. https://docs.snowflake.com/en/sql-reference/functions/percentile_disc
    - `now_utc`: https://docs.snowflake.com/en/sql-reference/functions/sysdate
    - `seconds_since_1970`:
      https://docs.snowflake.com/en/sql-reference/functions/year#label-date-part-function-specify-part-to-extract
    - `field`: https://docs.snowflake.com/en/user-guide/querying-semistructured
    - `unnest_list`, `json_texts`: https://docs.snowflake.com/en/sql-reference/functions/flatten
    - `text_list`: https://docs.snowflake.com/en/sql-reference/functions/array_agg
    - `counted_list`: pairs with a null value are omitted.
      https://docs.snowflake.com/en/sql-reference/functions/object_construct
    - `list_number`: https://docs.snowflake.com/en/sql-reference/functions/get
    - `sample_condition`: https://docs.snowflake.com/en/sql-reference/functions/uniform
    - `sampled_rows`: two uses of a random number may differ.
      https://docs.snowflake.com/en/sql-reference/functions/random
    - `table_sample`: https://docs.snowflake.com/en/sql-reference/constructs/sample
    - `materialized`: Snowflake has no such keyword. https://docs.snowflake.com/en/user-guide/queries-cte
    - `stage`: https://docs.snowflake.com/en/user-guide/tables-temp-transient
    - `guarded`: a literal, since a name in the warehouse could end $$.
      https://docs.snowflake.com/en/developer-guide/snowflake-scripting/exceptions
    - `time_limit`: the lower limit of session and warehouse applies, so only the session's own is read.
      https://docs.snowflake.com/en/sql-reference/parameters#statement-timeout-in-seconds
    - `statement_limits`: 1 MB, including the text that dbt adds around a statement.
      https://docs.snowflake.com/en/user-guide/query-size-limits
-#}
{% macro snowflake__dialect() -%}
    {{ return({
        'cast_types': {
            'integer': 'number(38, 0)',
            'wide_integer': 'number(38, 0)',
            'number': 'double',
            'date': 'date',
            'timestamp': 'timestamp_ntz',
            'boolean': 'boolean',
        },
        'as_text': {
            'any': 'cast({value} as varchar)',
            'date': "to_char({value}, 'YYYY-MM-DD')",
            'timestamp':
                "regexp_replace(to_char(cast({value} as timestamp_ntz), 'YYYY-MM-DD HH24:MI:SS.FF6'), '[.]?0*$', '')",
            'json': 'to_json({value})',
            'list': 'to_json({value})',
        },
        'lists_other_types': false,

        'regex_matches': '(regexp_instr({text}, {pattern}) > 0)',
        'regex_extract': "regexp_substr({text}, {pattern}, 1, 1, 'e', 1)",
        'spelled_in_patterns': {'(?:': '('},
        'character': none,
        'value_length': {'any': 'length({value})', 'list': 'array_size({value})'},

        'finite':
            "case when {number} not in (cast('inf' as double), cast('-inf' as double), cast('NaN' as double)) then {number} end",
        'quantile': 'percentile_disc({share}) within group (order by {number})',
        'quantiles': 'to_json(array_construct({quantiles}))',
        'now_utc': 'cast(sysdate() as timestamp_ntz)',
        'seconds_since_1970': 'cast(date_part(epoch_microsecond, cast({moment} as timestamp_ntz)) as double) / 1000000',

        'field': 'get({struct}, {text})',
        'unnest_list': 'cross join lateral (select value as element from table(flatten(input => {list}))) as elements',
        'text_list': 'to_json(array_agg({text}) within group (order by {order}))',
        'counted_list':
            "to_json(array_agg(object_construct('value', {value}, 'count', {count}))"
            ~ ' within group (order by {count} desc, {value}))',
        'counted_list_with_members':
            "to_json(array_agg(object_construct('value', {value}, 'count', {count}, 'members', parse_json({members})))"
            ~ ' within group (order by {count} desc, {value}))',
        'json_text': 'cast(elements.value as varchar) as element',
        'json_texts': 'cross join lateral flatten(input => parse_json({json})) as elements',
        'list_number': 'cast(get(parse_json({list}), {place}) as double)',

        'sample_condition': {'any': 'uniform(0::float, 1::float, random()) < {share}'},
        'sampled_rows': 'coalesce(array_size(collected), 0)',

        'stage': {'create': 'create or replace temporary table', 'table': '{schema}.linker_stage_{thread}'},
        'shows_keys': true,

        'replaces_tables': true,
        'guarded': {
            'block': 'begin\n{statements};\nexception when other then\n{on_error};\nend;',
            'statement': 'execute immediate {block}',
            'message': ':sqlerrm',
            'over_time': ":sqlerrm like '%timeout of {seconds} second%'",
        },
        'time_limit': {
            'own': "show parameters like 'statement_timeout_in_seconds' in session",
            'per_second': 1,
            'set': 'alter session set statement_timeout_in_seconds = {limit}',
            'unset': 'alter session unset statement_timeout_in_seconds',
            'statement': '{statement}',
            'message': 'timeout of {seconds} second',
        },
        'statement_limits': {'bytes': 900000, 'columns': none},
    }) }}
{%- endmacro %}

{% macro snowflake__literal(content) -%}
    {%- if content is none -%}
        {{ return('null') }}
    {%- endif -%}
    {{ return("'" ~ (content | string).replace('\\', '\\\\').replace("'", "''") ~ "'") }}
{%- endmacro %}

{#- An aggregated array omits nulls. https://docs.snowflake.com/en/sql-reference/functions/array_agg -#}
{% macro snowflake__collect_sample(base_numbers, columns, has_members) -%}
    {%- set slots = [] -%}
    {%- for column in columns -%}
        {%- do slots.append('to_variant(' ~ column.text ~ ')') -%}
        {%- do slots.append('to_variant(' ~ column.number ~ ')') -%}
    {%- endfor -%}
    {%- if has_members -%}
        {%- do slots.append('to_variant(member_place)') -%}
    {%- endif -%}
    {{ return(['array_agg(case when is_in_sample then array_construct(' ~ slots | join(', ') ~ ') end) as collected']) }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/flatten,
    https://docs.snowflake.com/en/user-guide/querying-semistructured#retrieving-a-single-instance-of-a-repeating-element -#}
{% macro snowflake__unnest_sample(relation, base_numbers, columns, has_members) %}
    select
        numbers.column_number,
        cast(null as double) as row_order,
        {{ 'cast(sampled.value[' ~ columns | length * 2 ~ '] as integer)' if has_members else 1 }} as member_place,
        case numbers.column_number
            {%- for column in columns %}
            when {{ column.column_number }} then cast(sampled.value[{{ loop.index0 * 2 }}] as varchar)
            {%- endfor %}
        end as value,
        case numbers.column_number
            {%- for column in columns %}
            when {{ column.column_number }} then cast(sampled.value[{{ loop.index0 * 2 + 1 }}] as double)
            {%- endfor %}
        end as number
    from {{ relation }} as scan
    cross join lateral flatten(input => scan.collected) as sampled
    cross join (
        {%- for column in columns %}
        select {{ column.column_number }} as column_number{{ ' union all' if not loop.last }}
        {%- endfor %}
    ) as numbers
{% endmacro %}
