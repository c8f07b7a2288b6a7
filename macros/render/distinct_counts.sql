{#- Counts distinct values exactly where the estimate cannot decide whether a column is a key. -#}

{#-
    Columns that may be keys: the estimated number of distinct values, with an error of up to 14 %, is close to the number of
    values, and no sampled value repeats. All such are counted in one statement. Rows are only added to the journal of scans: a
    recounted column has a second row, which takes precedence.
-#}
{% macro _confirm_keys(scans, attempts, entry) -%}
    {%- set undecided_keys %}
    select column_path
    from {{ scans }}
    where
        attempt_id = {{ linker.literal(entry.attempt_id) }}
        and not distinct_is_exact
        and value_kind in ('integer', 'text')
        and value_count > 0
        and distinct_count >= 0.85 * value_count
        and top_value_share * sample_row_count * value_count / row_count < 1.5
        and coalesce(max_length, 0) <= 64
    order by column_path
    {%- endset -%}
    {%- set paths = run_query(undecided_keys).columns[0].values() | list -%}
    {%- set undecided = entry.columns | selectattr('column_path', 'in', paths) | selectattr('depth', 'equalto', 0) | list -%}
    {%- if undecided -%}
        {%- set counts = linker._asked(
            attempts, entry, ['confirming', 'confirmed'], linker.distinct_counts(entry.table, undecided)
        )[0] -%}
        {%- set distinct_count -%}
    case column_path
        {%- for column in undecided %}
        when {{ linker.literal(column.column_path) }} then {{ counts[loop.index0] }}
        {%- endfor %}
    end
        {%- endset -%}
        {%- set counted = {'scanned_at': linker.now_utc(), 'distinct_count': distinct_count, 'distinct_is_exact': 'true'} -%}
        {%- set insert -%}
insert into {{ scans }} ({{ linker.scan_column_names() | join(', ') }})
select
    {%- for name in linker.scan_column_names() %}
    {{ counted.get(name, name) }}{{ ',' if not loop.last }}
    {%- endfor %}
from {{ scans }}
where
    attempt_id = {{ linker.literal(entry.attempt_id) }}
    and column_path in ({{ linker._literals(undecided | map(attribute='column_path')) }})
        {%- endset -%}
        {%- do linker._execute(insert) -%}
        {%- do adapter.commit() -%}
    {%- endif -%}
{%- endmacro %}

{#- Exact distinct counts of several columns of a table, in one statement. -#}
{% macro distinct_counts(table, columns) %}
    {%- set counts_apart = linker.dialect().counts_apart %}
    {%- set sources = [] %}
    {%- for group in (columns | batch(1) if counts_apart else [columns]) %}
        {%- set source -%}
    {%- for member in table.members %}
        select
            {%- for column in group %}
            {{ linker.column_of_member(table, member, column.column_name, column.data_type) }} as {{ linker.identifier(column.column_name) }}{{ ',' if not loop.last }}
            {%- endfor %}
        from {{ linker.relation_name(table.database_name, table.schema_name, member) }}
        {{ 'union all' if not loop.last }}
    {%- endfor %}
        {%- endset %}
        {%- do sources.append(source) %}
    {%- endfor %}
    select
        {%- for column in columns %}
        {% if counts_apart -%}
        (select count(distinct {{ linker.identifier(column.column_name) }}) from ({{ sources[loop.index0] }}) as members)
        {%- else -%}
        count(distinct {{ linker.identifier(column.column_name) }})
        {%- endif %} as distinct_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
    {%- if not counts_apart %}
    from ({{ sources[0] }}) as members
    {%- endif %}
{% endmacro %}
