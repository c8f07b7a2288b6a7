{#-
    Dialect of Spark 4, and of Databricks except for databricks.sql.
    Functions: https://spark.apache.org/docs/latest/api/sql/
    - `double_type`, `timestamp_type`: https://spark.apache.org/docs/latest/sql-ref-datatypes.html
      Timestamps without a zone, since plain ones depend on the session's zone.
    - `cast_types`: a decimal has at most 38 digits.
    - `as_text`: maps and variants as JSON.
    - `trimmed`: the first argument of `trim(a, b)` is the set of characters.
    - `regex_…`: Java patterns: `$1` is the first group, spaces are \s, and brackets within brackets need a backslash.
      `nullif` around `regexp_extract` would be planned twice at each level of a chain.
      https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/util/regex/Pattern.html
    - `digest`: md5 returns hexadecimal digits.
    - `quantiles`: exact, since the accuracy exceeds the rows of a sample.
      https://spark.apache.org/docs/latest/api/sql/index.html#percentile_approx
    - `seconds_since_1970`: independent of the session's zone.
    - `text_list`, `counted_list`: sorted, since collected rows have no guaranteed order. JSON omits pairs with a null value.
      https://spark.apache.org/docs/latest/sql-data-sources-json.html
    - `plain_rows`: ten thousand literals would be planned one by one; one JSON text is not.
    - `unnests_rows`: a `case` with a branch per column takes minutes to compile.
    - `table_sample`: https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-sampling.html
    - `stage`: Spark evaluates a common table expression at each use. A cached view would be evaluated once, but planned again
      with each statement that reads it; a table is not.
    - `plain_planning`: statements over profile tables are long and read few rows. Spark would compile them, often in vain (its
      limit is 64 KB of code), start two hundred tasks per shuffle, and plan again after each stage. The excluded rules inline
      expressions into every condition on their results, recursively.
      https://spark.apache.org/docs/latest/configuration.html#runtime-sql-configuration
    - `guarded`: handlers cannot read the error's text, so an error ends the run, and the next run continues after it.
      https://spark.apache.org/docs/latest/sql-ref-scripting.html
    - `time_limit`: Spark has none.
    - `only_appends`: Parquet files are immutable. https://spark.apache.org/docs/latest/sql-ref-syntax-dml-insert-table.html
-#}
{% macro spark__dialect() -%}
    {{ return({
        'double_type': 'double',
        'timestamp_type': 'timestamp_ntz',
        'cast_types': {
            'integer': 'bigint',
            'wide_integer': 'decimal(36, 0)',
            'number': 'double',
            'date': 'date',
            'timestamp': 'timestamp_ntz',
            'boolean': 'boolean',
        },
        'as_text': {
            'any': 'cast({value} as string)',
            'json': 'to_json({value})',
            'list': 'to_json({value})',
        },

        'regex_extract': 'get(regexp_extract_all({text}, {pattern}, 1), 0)',
        'spelled_in_patterns': {'[:space:]': '\\s', '[][': '[\\]\\[', '[^][': '[^\\]\\['},
        'group_sign': '$',
        'trimmed': 'trim(both {characters} from {text})',
        'character': '\\x{{{code}}}',
        'capital_letters': '\\p{Lu}\\p{Lt}',

        'finite':
            "case when cast({number} as double) not in (cast('Infinity' as double), cast('-Infinity' as double), cast('NaN' as double))"
            ~ ' then {number} end',
        'quantiles': 'to_json(percentile_approx({number}, array({quantiles}), 1000000))',
        'now_utc': 'cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz)',
        'seconds_since_1970':
            "timestampdiff(microsecond, timestamp_ntz'1970-01-01 00:00:00', cast({moment} as timestamp_ntz)) / 1000000",

        'field_of_elements': {'any': 'transform({list}, element -> element.{name})'},
        'flattened': 'flatten(filter({list}, element -> element is not null))',
        'unnest_list': 'lateral view explode({list}) elements as element',
        'reads_lists_as_json': false,
        'text_list':
            'to_json(transform(array_sort(collect_list(struct({order}, {text} as written))), listed -> listed.written))',
        'counted_list':
            'to_json(transform(array_sort(collect_list(struct(-{count} as place, {value} as value))),'
            ~ " listed -> named_struct('value', listed.value, 'count', -listed.place)))",
        'counted_list_with_members':
            'to_json(transform(array_sort(collect_list(struct(-{count} as place, {value} as value, {members} as members))),'
            ~ " listed -> named_struct('value', listed.value, 'count', -listed.place,"
            ~ " 'members', from_json(listed.members, 'array<string>'))))",
        'json_text': 'element',
        'json_texts': "lateral view explode(from_json({json}, 'array<string>')) elements as element",
        'number_list': "from_json({json}, 'array<double>')",
        'list_number': 'get({list}, {place})',
        'unnests_rows': 'lateral view inline(array({rows})) measured as {names}',
        'plain_rows': '\n    select inline(from_json({rows}, {fields}))\n',

        'sample_condition': {'any': 'rand() < {share}'},
        'table_sample': 'tablesample ({percent} percent)',
        'storage_order': {'any': 'cast(null as double)'},
        'sampled_rows': 'coalesce(cardinality(collected), 0)',

        'stage': {
            'create': 'create table', 'table': '{schema}.linker_stage_{thread}', 'drop': 'drop table if exists {table}',
        },
        'plain_planning': {
            'spark.sql.optimizer.excludedRules':
                'org.apache.spark.sql.catalyst.optimizer.PushDownPredicates,'
                ~ 'org.apache.spark.sql.catalyst.optimizer.CollapseProject,'
                ~ 'org.apache.spark.sql.catalyst.optimizer.InferFiltersFromConstraints,'
                ~ 'org.apache.spark.sql.catalyst.optimizer.PruneFilters',
            'spark.sql.codegen.wholeStage': 'false',
            'spark.sql.codegen.factoryMode': 'NO_CODEGEN',
            'spark.sql.shuffle.partitions': '1',
            'spark.sql.adaptive.enabled': 'false',
        },
        'tells_by_query': false,
        'only_appends': true,
    }) }}
{%- endmacro %}

{#- https://spark.apache.org/docs/latest/sql-ref-identifier.html -#}
{% macro spark__identifier(name) -%}
    {{ return('`' ~ name.replace('`', '``') ~ '`') }}
{%- endmacro %}

{#-
    Backslashes escape, and `${…}` would be replaced as a variable, in strings too.
    https://spark.apache.org/docs/latest/sql-ref-literals.html#string-literal,
    https://spark.apache.org/docs/latest/configuration.html: spark.sql.variable.substitute
-#}
{% macro spark__literal(content) -%}
    {%- if content is none -%}
        {{ return('null') }}
    {%- endif -%}
    {%- set escaped = (content | string).replace('\\', '\\\\').replace("'", "\\'").replace('${', '\\u0024{') -%}
    {{ return("'" ~ escaped ~ "'") }}
{%- endmacro %}

{#- A collected list omits nulls. -#}
{% macro spark__collect_sample(base_numbers, columns, has_members) -%}
    {%- set fields = ['row_order as row_order'] + (['member_place as member_place'] if has_members else []) -%}
    {%- for number in base_numbers -%}
        {%- set base = 'b' ~ number -%}
        {%- do fields.append((linker._bounded_base(base, columns) or base) ~ ' as ' ~ base) -%}
    {%- endfor -%}
    {{ return(['collect_list(case when is_in_sample then struct(' ~ fields | join(', ') ~ ') end) as collected']) }}
{%- endmacro %}

{#- https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-lateral-view.html -#}
{% macro spark__unnest_sample(relation, base_numbers, columns, has_members) %}
    {%- set plain = columns | rejectattr('elements') | list %}
    {%- set listed = columns | selectattr('elements') | list %}
    with sample_rows as (
        select
            sampled.row_order as row_order,
            {{ 'sampled.member_place' if has_members else 1 }} as member_place
            {%- for number in base_numbers %},
            sampled.b{{ number }} as b{{ number }}
            {%- endfor %}
        from {{ relation }}
        lateral view explode(collected) unnested as sampled
    )

    {% if plain -%}
    select slots.column_number, row_order, member_place, slots.value, slots.number
    from sample_rows
    lateral view inline(array(
        {%- for column in plain %}
        struct({{ column.column_number }} as column_number, {{ column.text }} as value, {{ column.number }} as number)
        {{- ',' if not loop.last }}
        {%- endfor %}
    )) slots as column_number, value, number
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
    {{ linker.dialect().unnest_list.format(list=column.elements) }}
    {%- endfor %}
{% endmacro %}
