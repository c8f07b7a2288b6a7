{#- One row per column: names, and measures over all rows. -#}
{% macro measured_columns(portions, most_members) -%}
    {%- set types = {
        'value_count': 'bigint', 'distinct_estimate': 'bigint',
        'min_value': dbt.type_string(), 'max_value': dbt.type_string(),
        'mean': linker.dialect().double_type, 'deviation': linker.dialect().double_type,
        'min_length': 'bigint', 'max_length': 'bigint', 'mean_length': linker.dialect().double_type,
    } %}
tables as (
    {%- for portion in portions %}
    select
        {{ loop.index }} as table_number,
        {{ linker.literal(portion.attempt_id) }} as attempt_id,
        {{ linker.literal(portion.table.database_name) }} as database_name,
        {{ linker.literal(portion.table.schema_name) }} as schema_name,
        {{ linker.literal(portion.table.table_name) }} as table_name,
        {{ linker.literal(portion.table.fingerprint) }} as fingerprint,
        {{ 'true' if portion.table.read_percent < 100 else 'false' }} as is_read_in_part,
        {%- if most_members > 1 %}
        {%- set members = portion.table.members %}
        {{ members | length }} as member_count,
        {%- for place in range(most_members) %}
        {#- Escaped as in a JSON array, see `seen_in`. #}
        {%- set member = '"' ~ members[place].replace('\\', '\\\\').replace('"', '\\"') ~ '"' if place < members | length else '' %}
        {{ linker.literal(member) }} as member_{{ place + 1 }},
        {%- endfor %}
        {%- endif %}
        scan_{{ loop.index }}.row_count,
        scan_{{ loop.index }}.sample_row_count
    from scan_{{ loop.index }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

names as (
    {{ linker.inline_rows(
        ['table_number', 'column_number', 'column_path', 'value_kind', 'element_kind', 'privacy', 'personal_data_hint', 'is_measured', 'is_collected'],
        linker._name_rows(portions)
    ) }}
),

row_values as (
    {%- for portion in portions %}
    {{ linker.unnest_row('scan_' ~ loop.index, linker._measured_rows(portion.scanned.columns, types)) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

measured as {{ linker.dialect().materialized }}(
    select
        names.*,
        {%- for name in types %}
        row_values.{{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from names
    left join row_values on names.column_number = row_values.column_number
)
{%- endmacro %}

{#- A wide table has thousands of rows: shared parts are rendered once, and our own words need no escaping. -#}
{% macro _name_rows(portions) -%}
    {%- set rows = [] -%}
    {%- set text = dbt.type_string() -%}
    {%- for portion in portions -%}
        {%- set table_number = loop.index -%}
        {%- set paths = portion.scanned.columns | map(attribute='column_path') | list -%}
        {%- set hints = linker.personal_data_hints(paths, [portion.table.table_name] * (paths | length)) -%}
        {%- for column in portion.scanned.columns -%}
            {%- do rows.append([
                table_number,
                column.column_number,
                linker.literal(column.column_path),
                "'" ~ column.value_kind ~ "'",
                "'" ~ (column.element_kind or column.value_kind) ~ "'",
                "'" ~ column.privacy ~ "'",
                'cast(' ~ linker.literal(hints[loop.index0]) ~ ' as ' ~ text ~ ')',
                'true' if column.is_measured else 'false',
                'true' if column.is_collected else 'false',
            ]) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(rows) }}
{%- endmacro %}

{#- Positions of measures in the aggregate row: a list of {column_number, values: {measure: SQL}}. -#}
{% macro _measured_rows(columns, types) -%}
    {%- set measured = [] -%}
    {%- for column in columns -%}
        {%- set values = {} -%}
        {%- for name, data_type in types.items() -%}
            {%- set aggregate = name ~ '_' ~ column.column_number -%}
            {%- if not column.measures.get(name) -%}
                {%- do values.update({name: 'cast(null as ' ~ data_type ~ ')'}) -%}
            {%- elif name in ['min_value', 'max_value'] -%}
                {%- do values.update({name: column.written.replace('__value__', aggregate)}) -%}
            {%- else -%}
                {%- do values.update({name: 'cast(' ~ aggregate ~ ' as ' ~ data_type ~ ')'}) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do measured.append({'column_number': column.column_number, 'values': values}) -%}
    {%- endfor -%}
    {{ return(measured) }}
{%- endmacro %}
