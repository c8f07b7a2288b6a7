{#-
    The statements that scan several small tables as cells, the values of all their columns one a row, and leave what they
    measured in `journal`. Each of `portions` is {attempt_id, table, cells}: cells is what `cell_columns` leaves, numbered on
    from those of the portion before. Each table is read once, and every row is in the sample. Renders with no connection.
-#}
{% macro cells_statement(journal, portions) -%}
    {{ return([
        'insert into ' ~ journal ~ ' (' ~ linker.scan_column_names() | join(', ') ~ ')\n' ~ linker._measured_cells(portions)
    ]) }}
{%- endmacro %}

{% macro _measured_cells(portions) -%}
    {%- set schemas = {} -%}
with cells as {{ linker.materialized() }}(
    {%- for portion in portions %}
    {%- set table = portion.table %}
    {{ linker.cells(
        linker.relation_name(table.database_name, table.schema_name, table.members[0], schemas),
        portion.cells | selectattr('is_read') | list
    ) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

{{ linker._cell_names(portions) }},

{{ linker.cell_measures() }},

{{ linker._measured_paths() }},

{{ linker.judged_paths() }}
{%- endmacro %}

{#- The tables, and their columns with what is known before they are read. -#}
{% macro _cell_names(portions) -%}
    {%- set tables, columns, paths, table_names = [], [], [], [] -%}
    {%- for portion in portions -%}
        {%- do paths.extend(portion.cells | map(attribute='column_path')) -%}
        {%- do table_names.extend([portion.table.table_name] * (portion.cells | length)) -%}
    {%- endfor -%}
    {%- set hints = linker.personal_data_hints(paths, table_names) -%}
    {%- for portion in portions -%}
        {%- set table_number = loop.index -%}
        {%- do tables.append({
            'table_number': table_number,
            'attempt_id': portion.attempt_id,
            'database_name': portion.table.database_name,
            'schema_name': portion.table.schema_name,
            'table_name': portion.table.table_name,
            'fingerprint': portion.table.fingerprint,
        }) -%}
        {%- for column in portion.cells -%}
            {%- do columns.append({
                'table_number': table_number,
                'column_number': column['column_number'],
                'column_path': column['column_path'],
                'value_kind': column['value_kind'],
                'privacy': column['privacy'],
                'personal_data_hint': hints[columns | length],
                'is_read': column['is_read'],
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set text = dbt.type_string() -%}
table_names as {{ linker.materialized() }}(
    {{- linker.plain_rows({
        'table_number': 'integer', 'attempt_id': text, 'database_name': text, 'schema_name': text, 'table_name': text,
        'fingerprint': text,
    }, tables) -}}
),

names as {{ linker.materialized() }}(
    {{- linker.plain_rows({
        'table_number': 'integer', 'column_number': 'integer', 'column_path': text, 'value_kind': text, 'privacy': text,
        'personal_data_hint': text, 'is_read': 'boolean',
    }, columns) -}}
)
{%- endmacro %}

{#- One row a column, as `judged_paths` reads them. -#}
{% macro _measured_paths() -%}
    {%- set double = linker.double_type() -%}
gathered as (
    select
        table_names.attempt_id,
        table_names.database_name,
        table_names.schema_name,
        table_names.table_name,
        table_names.fingerprint,
        false as is_discovered,
        cast(null as {{ dbt.type_string() }}) as seen_in,
        measured.value_kind,
        measured.privacy as said_privacy,
        measured.sample_row_count,
        {{ linker._found_personal_data() }} as personal_data,
        measured.column_path,
        measured.row_count,
        measured.value_count,
        totals.value_count as sample_value_count,
        totals.distinct_count as sample_distinct_count,
        totals.single_count as sample_single_count,
        false as is_sampled,
        {{ linker.has_long_texts() }} as has_long_texts,
        measured.min_value,
        measured.max_value,
        case when measured.value_kind in ('integer', 'number') then spreads.mean end as mean,
        case when measured.value_kind in ('integer', 'number') then spreads.deviation end as deviation,
        measured.min_length,
        measured.max_length,
        measured.mean_length,
        cast(null as bigint) as distinct_estimate,
        tops.top_values,
        shapes.patterns,
        spreads.quantiles,
        spreads.monotonicity,
        totals.top_value_share,
        totals.entropy,
        days.day_count,
        days.largest_gap_days
    from measured
    inner join table_names on measured.table_number = table_names.table_number
    inner join (select column_number, '' as sub_path from names) as paths on measured.column_number = paths.column_number
    {%- for relation in ['totals', 'tops', 'shapes', 'personal', 'spreads', 'days'] %}
    left join {{ relation }} on measured.column_number = {{ relation }}.column_number
    {%- endfor %}
)
{%- endmacro %}
