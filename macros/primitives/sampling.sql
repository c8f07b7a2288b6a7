{#- Sampling: the rows of a sample, and its values from the row of aggregates. -#}

{#- The condition that admits about `share` of the rows to the sample: a number, or for a view an expression. -#}
{% macro sample_condition(share, table_kind) -%}
    {%- if share is number and share >= 1 -%}
        {{ return('true') }}
    {%- endif -%}
    {%- set condition = linker.dialect().sample_condition -%}
    {%- set millionths = (share * 1000000) | round(0, 'ceil') | int if share is number else none -%}
    {{ return(condition.get(table_kind, condition.any).format(share=share, millionths=millionths)) }}
{%- endmacro %}

{#- The clause after a table's name that reads about `percent` of it, by blocks. -#}
{% macro table_sample(percent) -%}
    {{ return('' if percent >= 100 else ' ' ~ linker.dialect().table_sample.format(percent=percent)) }}
{%- endmacro %}

{#- A number that increases in storage order; null if the warehouse has none, and for views. -#}
{% macro storage_order(table_kind) -%}
    {%- set order = linker.dialect().storage_order -%}
    {{ return(order.get(table_kind, order.any)) }}
{%- endmacro %}

{#-
    The values of a table, one a row: a select of column_number, row_order, value, number. `columns` have a `column_number` and a
    `column_name`, and `text` and `number`, expressions over `__value__`. It is the SQL of DuckDB, which alone scans small tables
    so, see `scans_as_cells`.
    Names are quoted here, as `identifier` would: a call for each column of a warehouse takes longer than the rest.
    https://duckdb.org/docs/stable/sql/query_syntax/unnest: lists in one select are unnested side by side.
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
    The aggregates that carry the sampled rows out of the scan, as select items; `unnest_sample` takes them apart again.
    `base_numbers`: the source columns b1, b2 … that hold values. `columns`: what is measured, with `text` and `number`,
    expressions over the source, and `elements`, the list that they are over, if any. Of several members that are read together
    `has_members` says that their place goes along.
-#}
{% macro collect_sample(base_numbers, columns, has_members) -%}
    {{ return(adapter.dispatch('collect_sample', 'linker')(base_numbers, columns, has_members)) }}
{%- endmacro %}

{#- A record cannot be taken apart in Postgres: texts and numbers travel as two arrays of arrays.
    https://www.postgresql.org/docs/current/functions-aggregate.html -#}
{% macro default__collect_sample(base_numbers, columns, has_members) -%}
    {{ return([
        'array_agg(array[' ~ columns | map(attribute='text') | join(', ')
        ~ ']) filter (where is_in_sample) as collected_texts',
        'array_agg(array[' ~ columns | map(attribute='number') | join(', ')
        ~ ']) filter (where is_in_sample) as collected_numbers',
    ] + (['array_agg(member_place) filter (where is_in_sample) as collected_members'] if has_members else [])) }}
{%- endmacro %}

{#-
    A source column truncated as its values allow: of a long text only what shows its length, and no long document. None if
    it is known to be short, is bounded by its type, or is a struct or list.
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
