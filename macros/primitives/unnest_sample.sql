{#-
    The sampled values, one a row, out of what `collect_sample` put into the one row of a relation:
    a select of column_number, row_order, member_place, value, number.
-#}
{% macro unnest_sample(relation, base_numbers, columns, has_members) -%}
    {{ return(adapter.dispatch('unnest_sample', 'linker')(relation, base_numbers, columns, has_members)) }}
{%- endmacro %}

{#- An array of arrays is unnested row by row, and the rows come as they were read.
    https://www.postgresql.org/docs/current/functions-array.html -#}
{% macro default__unnest_sample(relation, base_numbers, columns, has_members) %}
    select
        (array[{{ columns | map(attribute='column_number') | join(', ') }}])[1 + (place - 1) % {{ columns | length }}] as column_number,
        cast((place - 1) / {{ columns | length }} as double precision) as row_order,
        {{ 'collected_members[1 + (place - 1) / ' ~ columns | length ~ ']' if has_members else 1 }} as member_place,
        value,
        number
    from {{ relation }} as scan
    cross join lateral unnest(collected_texts, collected_numbers) with ordinality as slots (value, number, place)
{% endmacro %}

{#- https://duckdb.org/docs/stable/sql/query_syntax/unnest: lists in one select are unnested side by side. -#}
{% macro duckdb__unnest_sample(relation, base_numbers, columns, has_members) %}
    {%- set plain = columns | rejectattr('elements') | list %}
    {%- set listed = columns | selectattr('elements') | list %}
    with sample_rows as {{ linker.materialized() }}(
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
