{#- Scans of small tables as cells: one row per value of any column. -#}

{#-
    How columns of a type are scanned as cells: {value_kind, text, number}, SQL over `__value__`; none if they cannot be, since
    the content of documents, structs and lists needs a separate scan. `number` sorts numbers, dates, timestamps and intervals
    (infinite dates only), whose texts sort differently; it is the length of a text or binary, and 1 for other values.
-#}
{% macro cell_form(data_type, is_hidden) -%}
    {%- set kind = linker.value_kind(data_type) -%}
    {%- set double = linker.dialect().double_type -%}
    {%- set nothing = 'cast(null as ' ~ dbt.type_string() ~ ')' -%}
    {#- Times with zone and enumerations do not sort like their texts. -#}
    {%- set is_out_of_order = kind == 'time' and linker.type_name(data_type) not in ['time', 'time_ns'] -%}
    {%- if kind in ['json', 'struct', 'list'] or is_out_of_order or linker.is_of_type(data_type, 'in an order of its own') -%}
        {{ return(none) }}
    {%- elif is_hidden or (kind == 'other' and not linker.is_listed(data_type)) -%}
        {{ return({'value_kind': kind, 'text': nothing, 'number': 'case when __value__ is not null then cast(1 as ' ~ double ~ ') end'}) }}
    {%- elif kind == 'binary' -%}
        {%- set length = linker.value_length('__value__', kind) -%}
        {{ return({'value_kind': kind, 'text': nothing, 'number': 'cast(' ~ length ~ ' as ' ~ double ~ ')'}) }}
    {%- endif -%}
    {%- set text = linker.as_text(linker.plain_value('__value__', data_type), kind) -%}
    {%- set number = 'cast(null as ' ~ double ~ ')' -%}
    {%- if kind in ['text', 'other'] -%}
        {%- set number = 'cast(' ~ linker.value_length(text, kind) ~ ' as ' ~ double ~ ')' -%}
        {%- set text = 'left(' ~ text ~ ', ' ~ (linker.longest('value') + 1) ~ ')' -%}
    {%- elif kind in ['integer', 'number'] -%}
        {%- set finite = linker.finite('__value__') if linker.is_of_type(data_type, 'floating') else '__value__' -%}
        {%- set number = 'cast(' ~ finite ~ ' as ' ~ double ~ ')' -%}
    {%- elif kind in ['date', 'timestamp'] -%}
        {%- set seconds = linker.seconds_since_1970('__value__') -%}
        {%- set number = 'coalesce(' ~ seconds ~ ', ' ~ linker.try_cast(text, 'number') ~ ')' -%}
    {%- elif kind == 'interval' -%}
        {%- set number = 'cast(epoch(__value__) as ' ~ double ~ ')' -%}
    {%- endif -%}
    {{ return({'value_kind': kind, 'text': text, 'number': number}) }}
{%- endmacro %}

{#-
    Columns of a table as cells: a list of {column_number, column_name, column_path, value_kind, privacy, is_read, text, number}.
    `forms` caches what columns of one type share, see `are_cells`.
-#}
{% macro cell_columns(declared, first_number, forms) -%}
    {%- set columns = [] -%}
    {%- for row in declared -%}
        {%- set form = forms[('cell', row['data_type'], row['privacy'] == 'hide')] -%}
        {%- do columns.append({
            'column_number': loop.index0 + first_number,
            'column_name': row['column_name'],
            'column_path': row['column_path'],
            'value_kind': form['value_kind'],
            'privacy': row['privacy'],
            'is_read': row['privacy'] not in ['exclude', 'refuse'],
            'text': form['text'],
            'number': form['number'],
        }) -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}

{#- Whether all columns of a table can be cells and at least one may be read; fills the cache `forms`. -#}
{% macro are_cells(declared, forms) -%}
    {%- set read = [] -%}
    {%- for row in declared -%}
        {%- set key = ('cell', row['data_type'], row['privacy'] == 'hide') -%}
        {%- if key not in forms -%}
            {%- do forms.update({key: linker.cell_form(row['data_type'], row['privacy'] == 'hide')}) -%}
        {%- endif -%}
        {%- if not forms[key] -%}
            {{ return(false) }}
        {%- elif row['privacy'] not in ['exclude', 'refuse'] -%}
            {%- do read.append(row) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(read | length > 0) }}
{%- endmacro %}

{#-
    Statement that scans several small tables as cells, one row per value of any column, and inserts the measures into
    `journal`. Each of `portions` is {attempt_id, table, cells}, where cells are the result of `cell_columns`, numbered across
    portions. Each table is read once, and every row is in the sample. Renders without a connection.
-#}
{% macro cells_statement(journal, portions) -%}
    {%- set schemas = {} -%}
    {%- set statement -%}
insert into {{ journal }} ({{ linker.scan_column_names() | join(', ') }})
with cells as {{ linker.dialect().materialized }}(
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

{{ linker._cell_measures() }},

{# One row per column, the input of `judged_paths`. -#}
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
),

{{ linker.judged_paths() }}
    {%- endset -%}
    {{ return([statement]) }}
{%- endmacro %}

{#- Tables and their columns, with metadata known before the scan. -#}
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
table_names as {{ linker.dialect().materialized }}(
    {{- linker.plain_rows({
        'table_number': 'integer', 'attempt_id': text, 'database_name': text, 'schema_name': text, 'table_name': text,
        'fingerprint': text,
    }, tables) -}}
),

names as {{ linker.dialect().materialized }}(
    {{- linker.plain_rows({
        'table_number': 'integer', 'column_number': 'integer', 'column_path': text, 'value_kind': text, 'privacy': text,
        'personal_data_hint': text, 'is_read': 'boolean',
    }, columns) -}}
)
{%- endmacro %}

{#-
    Measures of cells, as `sample_measures` computes them for samples: measured (one row per column: names, counts, extremes and
    lengths), totals, tops, shapes, personal, spreads and days.
-#}
{% macro _cell_measures() -%}
    {%- set longest = linker.longest('value') -%}
value_counts as {{ linker.dialect().materialized }}(
    select
        column_number,
        value,
        max(number) as number,
        count(*) as value_count
    from cells
    where length(value) <= {{ longest }}
    group by column_number, value
),

counts as {{ linker.dialect().materialized }}(
    select
        column_number,
        count(*) as row_count,
        count(case when value is not null or number is not null then 1 end) as value_count,
        min(value) as min_text,
        max(value) as max_text,
        min(number) as min_number,
        max(number) as max_number,
        avg(number) as mean_number
    from cells
    group by column_number
),

{#
    The smallest and the largest number, date and timestamp as text. A double has about 16 digits: equal doubles are ordered
    by their texts, numbers by the number of digits first.
-#}
ends as (
    select
        column_number,
        {%- for name, other in [('min', 'max'), ('max', 'min')] %}
        substr(
            case
                when max(case when is_number and {{ name }}_number < 0 then 1 else 0 end) = 1
                    then {{ other }}(case when number = {{ name }}_number then digits || value end)
                else {{ name }}(case when number = {{ name }}_number then digits || value end)
            end,
            49
        ) as {{ name }}_value{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            value_counts.column_number,
            value_counts.value,
            value_counts.number,
            counts.min_number,
            counts.max_number,
            names.value_kind in ('integer', 'number') as is_number,
            lpad(case when names.value_kind in ('integer', 'number') then ltrim(value_counts.value, '-') else '' end, 48, '0') as digits
        from value_counts
        inner join counts on value_counts.column_number = counts.column_number
        inner join names on value_counts.column_number = names.column_number
        where
            names.value_kind in ('integer', 'number', 'date', 'timestamp', 'interval')
            and (value_counts.number = counts.min_number or value_counts.number = counts.max_number)
    ) as candidates
    group by column_number
),

measured as {{ linker.dialect().materialized }}(
    select
        names.*,
        -- A table without rows has no cells, and skipped columns are not counted.
        case when names.is_read then coalesce(counts.row_count, 0) end as row_count,
        case when names.is_read then coalesce(counts.value_count, 0) end as value_count,
        coalesce(max(counts.row_count) over (partition by names.table_number), 0) as sample_row_count,
        {%- for name in ['min', 'max'] %}
        case
            when names.value_kind in ('text', 'time') then left(counts.{{ name }}_text, {{ longest }})
            when names.value_kind not in ('boolean', 'other') then ends.{{ name }}_value
        end as {{ name }}_value,
        {%- endfor %}
        {%- for name, data_type in {'min': 'bigint', 'max': 'bigint', 'mean': linker.dialect().double_type}.items() %}
        case
            when names.value_kind in ('text', 'binary') and names.privacy <> 'hide' then cast(counts.{{ name }}_number as {{ data_type }})
        end as {{ name }}_length{{ ',' if not loop.last }}
        {%- endfor %}
    from names
    left join counts on names.column_number = counts.column_number
    left join ends on names.column_number = ends.column_number
),

totals as {{ linker.dialect().materialized }}(
    select
        column_number,
        cast(sum(value_count) as bigint) as value_count,
        count(*) as distinct_count,
        sum(case when value_count = 1 then 1 else 0 end) as single_count,
        cast(max(value_count) as {{ linker.dialect().double_type }}) / sum(value_count) as top_value_share,
        {{ linker.entropy('value_count') }} as entropy
    from value_counts
    group by column_number
),

{{ linker._cell_texts() }},

spreads as (
    select
        cells.column_number,
        {{ linker.quantiles('cells.number') }} as quantiles,
        {{ linker.finite('corr(cells.row_order, cells.number)') }} as monotonicity,
        avg(cells.number) as mean,
        stddev_samp(cells.number) as deviation
    from cells
    inner join names on cells.column_number = names.column_number
    where abs(cells.number) < 1e150 and names.value_kind in ('integer', 'number', 'date', 'timestamp') and names.privacy <> 'hide'
    group by cells.column_number
),

days as (
    select
        column_number,
        count(*) as day_count,
        cast(max(gap) as bigint) as largest_gap_days
    from (
        select
            column_number,
            day_number - lag(day_number) over (partition by column_number order by day_number) as gap
        from (
            select distinct value_counts.column_number, floor(value_counts.number / 86400) as day_number
            from value_counts
            inner join names on value_counts.column_number = names.column_number
            where names.value_kind in ('date', 'timestamp') and abs(value_counts.number) < 1e150
        ) as distinct_days
    ) as gaps
    group by column_number
)
{%- endmacro %}

{#- Frequent values, shapes of texts, and kinds of PII. -#}
{% macro _cell_texts() -%}
    {%- set from_texts -%}
    from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join totals on value_counts.column_number = totals.column_number
    where names.value_kind = 'text' and totals.distinct_count {% endset -%}
{{ linker.hints_of_names(true) }},

hinted_counts as (
    select
        value_counts.column_number,
        value_counts.value,
        value_counts.value_count,
        hints.is_looked_over or hints.value_kind = 'text' as needs_more
    from value_counts
    inner join hints on value_counts.column_number = hints.column_number
),

-- Few values are needed of numbers and times that are not checked for PII.
placed as (
    {{- linker.dialect().most_frequent.format(
        relation='hinted_counts', condition='needs_more',
        more=[200, var('top_values', 200)] | max, fewer=[1, [25, var('top_values', 200)] | min] | max,
    ) }}
),

frequent_values as {{ linker.dialect().materialized }}(
    select
        placed.column_number,
        '' as sub_path,
        placed.value,
        placed.value_count,
        placed.place,
        hints.value_kind,
        hints.hint,
        case when hints.is_looked_over then {{ linker.personal_data('placed.value', 'hints.hint') }} end as personal_data
    from placed
    inner join hints on placed.column_number = hints.column_number
),

{{ linker.top_values(['column_number']) }},

-- Texts are sorted only if there are more than needed.
texts as (
    select value_counts.column_number, value_counts.value, value_counts.value_count
    {{ from_texts }}<= 2000

    union all

    select column_number, value, value_count
    from (
        select
            value_counts.*,
            row_number() over (partition by value_counts.column_number order by value_counts.value_count desc, value_counts.value) as place
        {{ from_texts }}> 2000
    ) as numbered
    where place <= 2000
),

{{ linker.frequent_shapes(['column_number']) }},

{{ linker.personal_columns() }}
{%- endmacro %}
