{#-
    Statements that scan tables, or some columns of a wide one, into `journal`. Each of `portions` is {attempt_id, table,
    scanned}; table: {database_name, schema_name, table_name, table_kind, members: [names], fingerprint, row_count,
    read_percent}; scanned: the result of `scan_columns`, numbered across portions. Each table is read once. Renders without a
    connection.
-#}
{% macro scan_statement(journal, portions) -%}
    {%- if portions[0].cells -%}
        {{ return(linker.cells_statement(journal, portions)) }}
    {%- endif -%}
    {#- `documents`: columns with JSON values, each with the privacy of its paths, as SQL over sub_path. -#}
    {%- set heads, documents = [], [] -%}
    {%- set json_kinds = ['json', 'list'] if linker.dialect().reads_lists_as_json else ['json'] -%}
    {%- for portion in portions -%}
        {%- set table = portion.table -%}
        {%- do heads.append(linker.scan_head(table, portion.scanned)) -%}
        {%- for column in portion.scanned.columns if column.is_collected and column.element_kind in json_kinds -%}
            {%- do documents.append({
                'column_number': column.column_number,
                'privacy': linker.privacy_in_document(
                    table.schema_name, table.table_name, column.column_path, column.privacy, 'sub_path', portion.rules
                ),
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {#- The maximum number of tables read together: the shards of a family, or 1. -#}
    {%- set most_members = portions | map(attribute='table') | map(attribute='members') | map('length') | max -%}
    {#- From the aggregate rows scan_1, scan_2 … to one row per column and path. -#}
    {%- set tail -%}
{{ linker.measured_columns(portions, most_members) }},

{{ linker.sample_values(portions, documents) }},

{{ linker.sample_measures(most_members, documents | length > 0) }},

{{ linker.scanned_paths(most_members, documents | length > 0) }},

{{ linker.judged_paths() }}
    {%- endset -%}
    {{ return(linker.staged_insert(journal, linker.scan_column_names(), heads, tail)) }}
{%- endmacro %}

{#- The columns of linker_scans in the order of the last select. -#}
{% macro scan_column_names() -%}
    {{ return([
        'attempt_id', 'database_name', 'schema_name', 'table_name', 'fingerprint', 'scanned_at', 'column_path',
        'is_discovered', 'seen_in', 'value_kind', 'privacy', 'personal_data', 'row_count', 'value_count', 'sample_row_count',
        'is_sampled', 'distinct_count', 'distinct_is_exact', 'min_value', 'max_value', 'mean', 'deviation', 'min_length',
        'max_length', 'mean_length', 'top_values', 'patterns', 'quantiles', 'top_value_share', 'entropy', 'monotonicity',
        'day_count', 'largest_gap_days',
    ]) }}
{%- endmacro %}

{#- The one aggregate row of a table, from the only select that reads it. -#}
{% macro scan_head(table, scanned) -%}
    {%- set dialect = linker.dialect() -%}
    {#- The share of rows in the sample; 1 for all. The rows of a view are counted. -#}
    {%- set most = var('sample_rows', 20000) -%}
    {%- set millionths = none -%}
    {%- if table.row_count is not none -%}
        {%- set share = [1.0, most / ([table.row_count, 1] | max)] | min -%}
        {%- set millionths = (share * 1000000) | round(0, 'ceil') | int -%}
    {%- else -%}
        {%- set view = linker.relation_name(table.database_name, table.schema_name, table.members[0]) -%}
        {%- set share = most ~ ' / greatest(1.0, (select count(*) from ' ~ view ~ '))' -%}
    {%- endif -%}
    {%- set condition = dialect.sample_condition.get(table.table_kind, dialect.sample_condition.any) -%}
    {%- set is_in_sample = 'true' if share == 1 else condition.format(share=share, millionths=millionths) -%}
    {%- set row_order = dialect.storage_order.get(table.table_kind, dialect.storage_order.any) -%}
    {%- set blocks = '' -%}
    {%- if table.table_kind == 'table' and table.read_percent < 100 -%}
        {%- set blocks = ' ' ~ dialect.table_sample.format(percent=table.read_percent) -%}
    {%- endif -%}
    with source as (
        {%- for member in table.members %}
        select
            {%- for base in scanned.bases %}
            {{ linker.column_of_member(table, member, base.name, base.data_type) }} as b{{ base.number }},
            {%- endfor %}
            {{ row_order }}{{ ' + ' ~ loop.index0 ~ 'e12' if loop.index0 }} as row_order,
            {%- if table.members | length > 1 %}
            {{ loop.index }} as member_place,
            {%- endif %}
            {{ is_in_sample }} as is_in_sample
        from {{ linker.relation_name(table.database_name, table.schema_name, member) }}{{ blocks }}
        {{ 'union all' if not loop.last }}
        {%- endfor %}
    )

    {%- set collected = scanned.columns | selectattr('is_collected') | list %}
    {%- set base_numbers = collected | map(attribute='base_number') | unique | list %}
    {%- set sampled_rows = dialect.sampled_rows if collected else none %}

    {% if sampled_rows %}select aggregated.*, {{ sampled_rows }} as sample_row_count
    from (
    {% endif %}select
        count(*) as row_count,
        {%- for column in scanned.columns if column.is_measured %}
        {%- for name, measure in column.measures.items() if measure %}
        {{ measure }} as {{ name }}_{{ column.column_number }},
        {%- endfor %}
        {%- endfor %}
        {%- if collected %}
        {%- for aggregate in linker.collect_sample(base_numbers, collected, table.members | length > 1) %}
        {{ aggregate }}{{ ',' if not (sampled_rows and loop.last) }}
        {%- endfor %}
        {%- endif %}
        {%- if not sampled_rows %}
        coalesce(sum(case when is_in_sample then 1 else 0 end), 0) as sample_row_count
        {%- endif %}
    from source
    {%- if sampled_rows %}
    ) as aggregated
    {%- endif %}
{%- endmacro %}

{#-
    A column in one of several shards read together; a null of its type if the shard lacks it, so that both fit in one column
    of a union. Enumerations and composite types of Postgres are spelled by their content in lower case
    (`postgres__discover_columns`), as no other warehouse spells types, and become texts.
    https://www.postgresql.org/docs/current/typeconv-union-case.html
-#}
{% macro column_of_member(table, member, name, data_type) -%}
    {%- if not table.lacking -%}
        {{ return(linker.identifier(name)) }}
    {%- endif -%}
    {%- set column = none if name in table.lacking.get(member, []) else linker.identifier(name) -%}
    {%- if data_type.startswith('enum(') -%}
        {{ return('cast(' ~ (column or 'null') ~ ' as text' ~ ('[]' if data_type.endswith('[]') else '') ~ ')') }}
    {%- endif -%}
    {{ return(column or 'cast(null as ' ~ modules.re.sub('^struct<(.*)>$', '\\1', data_type) ~ ')') }}
{%- endmacro %}

{#- A physical table, fully quoted. For many tables pass `schemas`, a dict that caches quoted schemas. -#}
{% macro relation_name(database_name, schema_name, table_name, schemas=none) -%}
    {%- set known = {} if schemas is none else schemas -%}
    {%- if (database_name, schema_name) not in known -%}
        {%- set database = linker.identifier(database_name) ~ '.' if linker.dialect().has_databases else '' -%}
        {%- do known.update({(database_name, schema_name): database ~ linker.identifier(schema_name) ~ '.'}) -%}
    {%- endif -%}
    {{ return(known[(database_name, schema_name)] ~ linker.identifier(table_name)) }}
{%- endmacro %}

{#- Whether the table may exceed the sample size; unknown for views. -#}
{% macro may_be_sampled(table) -%}
    {{ return(table.row_count is none or table.row_count > var('sample_rows', 20000)) }}
{%- endmacro %}
