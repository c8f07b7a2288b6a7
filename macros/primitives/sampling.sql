{#- Sampling: values as cells, and those of a sample from the row of aggregates. -#}

{#-
    The values of a table, one per row: a select of column_number, row_order, value, number. `columns` have a `column_number`, a
    `column_name`, and `text` and `number`, expressions over `__value__`. In DuckDB's SQL, since only DuckDB `scans_as_cells`.
    Names are quoted here as in `identifier`: a call per column would take longer than the rest.
    Lists in one select are unnested in parallel: https://duckdb.org/docs/stable/sql/query_syntax/unnest
-#}
{% macro cells(relation, columns) %}
    {%- set texts, numbers = [], [] %}
    {%- for column in columns %}
    {%- set name = 'scanned."' ~ column['column_name'] | replace('"', '""') ~ '"' %}
    {%- do texts.append(column['text'] | replace('__value__', name)) %}
    {%- do numbers.append(column['number'] | replace('__value__', name)) %}
    {%- endfor %}
    select
        unnest([{{ columns | map(attribute='column_number') | join(', ') }}]) as column_number,
        cast(scanned.rowid as double) as row_order,
        unnest([{{ texts | join(', ') }}]) as value,
        unnest([{{ numbers | join(', ') }}]) as number
    from {{ relation }} as scanned
{% endmacro %}

{#-
    The aggregates that collect the sampled rows, as select items; `unnest_sample` is the inverse.
    `base_numbers`: source columns b1, b2 … with values. `columns`: collected ones, with `text` and `number`, expressions over
    the source, and `elements`, the list that they refer to, if any. `has_members`: several shards are read together, so each row
    has the shard's position.
-#}
{% macro collect_sample(base_numbers, columns, has_members) -%}
    {{ return(adapter.dispatch('collect_sample', 'linker')(base_numbers, columns, has_members)) }}
{%- endmacro %}

{#-
    Postgres cannot unpack a record, so texts and numbers are collected as two arrays of arrays.
    https://www.postgresql.org/docs/current/functions-aggregate.html
-#}
{% macro default__collect_sample(base_numbers, columns, has_members) -%}
    {{ return([
        'array_agg(array[' ~ columns | map(attribute='text') | join(', ')
        ~ ']) filter (where is_in_sample) as collected_texts',
        'array_agg(array[' ~ columns | map(attribute='number') | join(', ')
        ~ ']) filter (where is_in_sample) as collected_numbers',
    ] + (['array_agg(member_place) filter (where is_in_sample) as collected_members'] if has_members else [])) }}
{%- endmacro %}

{#-
    A source column as it is collected: a long text truncated, a long document as null. None if values are known to be short, or
    are no text or document.
-#}
{% macro _bounded_base(base, columns) -%}
    {%- for column in columns if column.value == base and not column.is_short -%}
        {%- if column.value_kind == 'json' -%}
            {%- set longest = linker.longest('document') -%}
            {{ return('case when length(' ~ linker.as_text(base, 'json') ~ ') <= ' ~ longest ~ ' then ' ~ base ~ ' end') }}
        {%- elif column.value_kind == 'text' and not linker.is_of_type(column.data_type, 'written as text') -%}
            {{ return('left(' ~ base ~ ', ' ~ (linker.longest('value') + 1) ~ ')') }}
        {%- elif column.value_kind == 'other' and column.is_collected -%}
            {{ return('left(' ~ linker.as_text(base, 'other') ~ ', ' ~ (linker.longest('value') + 1) ~ ')') }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{%- endmacro %}

{#-
    The sampled values, one per row, from what `collect_sample` put into the aggregate row:
    a select of column_number, row_order, member_place, value, number.
-#}
{% macro unnest_sample(relation, base_numbers, columns, has_members) -%}
    {{ return(adapter.dispatch('unnest_sample', 'linker')(relation, base_numbers, columns, has_members)) }}
{%- endmacro %}

{#-
    An array of arrays is unnested row by row, in the order read.
    https://www.postgresql.org/docs/current/functions-array.html
-#}
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
