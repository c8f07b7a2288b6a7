{#- Literal rows, and rows derived from others. -#}

{#- Literal rows as a select. `rows` is a list of lists of SQL. -#}
{% macro inline_rows(column_names, rows) -%}
    {{ return(adapter.dispatch('inline_rows', 'linker')(column_names, rows)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/queries-values.html, https://docs.snowflake.com/en/sql-reference/constructs/values -#}
{% macro default__inline_rows(column_names, rows) %}
    select {{ column_names | join(', ') }}
    from (
        values
        {%- for row in rows %}
        ({{ row | join(', ') }}){{ ',' if not loop.last }}
        {%- endfor %}
    ) as inline_rows ({{ column_names | join(', ') }})
{% endmacro %}

{#-
    Literal rows of plain values as a select: texts, integers, true, false and none.
    `types` are the SQL types of the columns by name; each of `rows` is a dict with these names.
-#}
{% macro plain_rows(types, rows) -%}
    {%- set template = linker.dialect().plain_rows -%}
    {%- if template -%}
        {%- set fields = [] -%}
        {%- for name, data_type in types.items() -%}
            {%- do fields.append(name ~ ': ' ~ data_type) -%}
        {%- endfor -%}
        {{ return(template.format(
            rows=linker.literal(tojson(rows)), types=linker.literal(tojson([types])),
            fields=linker.literal('array<struct<' ~ fields | join(', ') ~ '>>'),
        )) }}
    {%- endif -%}
    {%- set written = [] -%}
    {%- for row in rows -%}
        {%- set values = [] -%}
        {%- for name, data_type in types.items() -%}
            {%- set value = row[name] -%}
            {%- set plain = value is none or value is string -%}
            {%- do values.append('cast(' ~ (linker.literal(value) if plain else value | string | lower) ~ ' as ' ~ data_type ~ ')') -%}
        {%- endfor -%}
        {%- do written.append(values) -%}
    {%- endfor -%}
    {{ return(linker.inline_rows(types.keys() | list, written)) }}
{%- endmacro %}

{#-
    Unpivots one wide row: a select of column_number and one column per measure.
    `measured` is a list of {column_number, values: {measure: SQL over that row}}, the same measures in each.
-#}
{% macro unnest_row(relation, measured) %}
    {%- if linker.dialect().unnests_side_by_side %}
    select
        unnest([{{ measured | map(attribute='column_number') | join(', ') }}]) as column_number
        {%- for name in measured[0]['values'] %},
        unnest([
            {%- for row in measured %}{{ row['values'][name] }}{{ ', ' if not loop.last }}{% endfor -%}
        ]) as {{ name }}
        {%- endfor %}
    from {{ relation }}
    {%- elif linker.dialect().unnests_rows %}
    {%- set names = ['column_number'] + measured[0]['values'].keys() | list %}
    {%- set rows = [] %}
    {%- for row in measured %}
        {%- set values = [row.column_number ~ ' as column_number'] %}
        {%- for name, value in row['values'].items() %}
            {%- do values.append(value ~ ' as ' ~ name) %}
        {%- endfor %}
        {%- do rows.append('struct(' ~ values | join(', ') ~ ')') %}
    {%- endfor %}
    select measured.*
    from {{ relation }}
    {{ linker.dialect().unnests_rows.format(rows=rows | join(',\n        '), names=names | join(', ')) }}
    {%- else %}
    {#- `case` over the numbers reads the row once in every warehouse. #}
    select
        numbers.column_number
        {%- for name in measured[0]['values'] %},
        case numbers.column_number
            {%- for row in measured %}
            when {{ row.column_number }} then {{ row['values'][name] }}
            {%- endfor %}
        end as {{ name }}
        {%- endfor %}
    from {{ relation }}
    cross join (
        {%- for row in measured %}
        select {{ row.column_number }} as column_number{{ ' union all' if not loop.last }}
        {%- endfor %}
    ) as numbers
    {%- endif %}
{% endmacro %}

{#-
    The shapes of texts, see `mask`: a select of the columns `keys`, `shape` and `value_count`, from a relation with these
    keys, `value` and `value_count`. A shape occurs once per text.
-#}
{% macro text_shapes(relation, keys) -%}
    {{ return(adapter.dispatch('text_shapes', 'linker')(relation, keys)) }}
{%- endmacro %}

{% macro default__text_shapes(relation, keys) %}
    select {{ keys | join(', ') }}, {{ linker.mask('value') }} as shape, value_count
    from {{ relation }}
{% endmacro %}
