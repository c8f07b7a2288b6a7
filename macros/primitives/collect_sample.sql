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

{#- One list of rows in their own types: one list a column costs twice as much, and casts would be worked out for every
    row, not only for those of the sample. So would the bounds on what is long, but for the `case`.
    https://duckdb.org/docs/stable/sql/functions/aggregates#listarg -#}
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

{#- Nulls are left out of an aggregated array. https://docs.snowflake.com/en/sql-reference/functions/array_agg -#}
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

{#- A row holds at most 100 MB.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions#array_agg
    https://cloud.google.com/bigquery/quotas#query_jobs -#}
{% macro bigquery__collect_sample(base_numbers, columns, has_members) -%}
    {%- set fields = ['row_order as row_order'] + (['member_place as member_place'] if has_members else []) -%}
    {%- for number in base_numbers -%}
        {%- set base = 'b' ~ number -%}
        {%- do fields.append((linker._bounded_base(base, columns) or base) ~ ' as ' ~ base) -%}
    {%- endfor -%}
    {{ return(['array_agg(if(is_in_sample, struct(' ~ fields | join(', ') ~ '), null) ignore nulls) as collected']) }}
{%- endmacro %}

{#- A source column of which only so much goes along as its values need: of a long text what shows that it is long, and no
    long document. None where it is known to be short or its type bounds it, and where it is a list or a struct. -#}
{% macro _bounded_base(base, columns) -%}
    {%- for column in columns if column.value == base and not column.is_short -%}
        {%- if column.value_kind == 'json' -%}
            {{ return(linker.fitting_document(base, linker.as_text(base, 'json'))) }}
        {%- elif column.value_kind == 'text' and not linker.is_written_as_text(column.data_type) -%}
            {{ return('left(' ~ base ~ ', ' ~ (linker.longest_value() + 1) ~ ')') }}
        {%- elif column.value_kind == 'other' and column.is_collected -%}
            {{ return('left(' ~ linker.as_text(base, 'other') ~ ', ' ~ (linker.longest_value() + 1) ~ ')') }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{%- endmacro %}

{#-
    How many rows were collected, over `collected`; none where the condition that lets a row in may be asked twice. DuckDB's
    is a digest, and Postgres works a volatile column of a subquery out once a row.
    https://www.postgresql.org/docs/current/xfunc-volatility.html
-#}
{% macro sampled_rows() -%}
    {{ return(adapter.dispatch('sampled_rows', 'linker')()) }}
{%- endmacro %}

{% macro default__sampled_rows() -%}
    {{ return(none) }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/random: nobody promises that two uses are one draw. -#}
{% macro snowflake__sampled_rows() -%}
    {{ return('coalesce(array_size(collected), 0)') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#rand -#}
{% macro bigquery__sampled_rows() -%}
    {{ return('coalesce(array_length(collected), 0)') }}
{%- endmacro %}
