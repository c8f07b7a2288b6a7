{#- Catalog views of BigQuery, read by `bigquery_view`. -#}

{#-
    Snapshots and clones count as tables, and so do materialized views and external tables.
    https://cloud.google.com/bigquery/docs/information-schema-tables
    A region has TABLE_STORAGE, which lags by seconds to minutes; a dataset has __TABLES__, which dbt's own catalogue reads.
    https://cloud.google.com/bigquery/docs/information-schema-table-storage
-#}
{% macro bigquery__discover_tables() %}
    with tables as (
        {{- linker.bigquery_view('TABLES', ['table_catalog', 'table_schema', 'table_name', 'table_type']) }}
    ),

    columns as (
        {{- linker.bigquery_view('COLUMNS', ['table_schema', 'table_name', 'ordinal_position']) }}
    ),

    column_counts as (
        select table_schema, table_name, count(ordinal_position) as column_count
        from columns
        group by table_schema, table_name
    ),

    sizes as (
        {%- if var('include_schemas', []) %}
        {{ linker.bigquery_view('__TABLES__', ['dataset_id as table_schema', 'table_id as table_name', 'row_count']) }}
        {%- else %}
        select table_schema, table_name, total_rows as row_count
        from (
            {{- linker.bigquery_view('TABLE_STORAGE', ['table_schema', 'table_name', 'total_rows', 'deleted']) }}
        ) as storage
        where not deleted
        {%- endif %}
    ),

    options as (
        {{- linker.bigquery_view('TABLE_OPTIONS', ['table_schema', 'table_name', 'option_name', 'option_value']) }}
    ),

    -- The value is spelt as a literal: a text in double quotes, or in single ones where it holds double ones itself.
    -- https://cloud.google.com/bigquery/docs/information-schema-table-options
    descriptions as (
        select
            table_schema,
            table_name,
            coalesce(
                json_value(option_value),
                replace(substr(option_value, 2, length(option_value) - 2), r"\'", "'")
            ) as description
        from options
        where option_name = 'description'
    )

    select
        tables.table_catalog as database_name,
        tables.table_schema as schema_name,
        tables.table_name as table_name,
        if(tables.table_type = 'VIEW', 'view', 'table') as table_kind,
        if(tables.table_type in ('VIEW', 'EXTERNAL'), null, sizes.row_count) as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        descriptions.description as description
    from tables
    left join column_counts
        on tables.table_schema = column_counts.table_schema and tables.table_name = column_counts.table_name
    left join sizes
        on tables.table_schema = sizes.table_schema and tables.table_name = sizes.table_name
    left join descriptions
        on tables.table_schema = descriptions.table_schema and tables.table_name = descriptions.table_name
{% endmacro %}

{#-
    COLUMN_FIELD_PATHS has a row and a description for every nested field, but no rows for external tables and no order.
    Fields are ordered as in the type: fields of one parent by the position of `name TYPE` in its type, and a nested field
    by the positions from the top down.
    Names contain neither dots nor double quotes, so paths are spelt as ours. Pseudo-columns have no position.
    https://cloud.google.com/bigquery/docs/information-schema-column-field-paths
    https://cloud.google.com/bigquery/docs/schemas#flexible-column-names
-#}
{% macro bigquery__discover_columns() %}
    {%- set same_column %}
            child.table_schema = other.table_schema
            and child.table_name = other.table_name
            and child.column_name = other.column_name
    {%- endset %}
    with columns as (
        {{- linker.bigquery_view('COLUMNS', [
            'table_catalog', 'table_schema', 'table_name', 'column_name', 'ordinal_position', 'is_nullable', 'data_type'
        ]) }}
    ),

    paths as (
        {{- linker.bigquery_view('COLUMN_FIELD_PATHS', [
            'table_schema', 'table_name', 'column_name', 'field_path', 'data_type', 'description'
        ]) }}
    ),

    fields as (
        select
            child.table_schema,
            child.table_name,
            child.column_name,
            child.field_path,
            child.data_type,
            child.description,
            row_number() over (
                partition by child.table_schema, child.table_name, child.column_name, other.field_path
                order by
                    strpos(
                        replace(replace(other.data_type, '`', ''), '<', ' '),
                        replace(concat(' ', regexp_extract(child.field_path, r'[^.]+$'), ' ', child.data_type), '<', ' ')
                    ),
                    child.field_path
            ) as place
        from paths as child
        inner join paths as other
            on
            {{- same_column }}
            and regexp_replace(child.field_path, r'\.[^.]+$', '') = other.field_path
            and child.field_path <> other.field_path
    ),

    places as (
        select
            child.table_schema,
            child.table_name,
            child.column_name,
            child.field_path,
            string_agg(lpad(cast(other.place as string), 5, '0'), '.' order by length(other.field_path)) as place
        from fields as child
        inner join fields as other
            on
            {{- same_column }}
            and starts_with(concat(child.field_path, '.'), concat(other.field_path, '.'))
        group by child.table_schema, child.table_name, child.column_name, child.field_path
    ),

    all_levels as (
        select
            child.table_catalog,
            child.table_schema,
            child.table_name,
            child.column_name,
            child.column_name as field_path,
            child.ordinal_position,
            '' as place,
            child.data_type,
            child.is_nullable = 'YES' as is_nullable,
            other.description
        from columns as child
        left join paths as other
            on
            {{- same_column }}
            and child.column_name = other.field_path

        union all

        select
            columns.table_catalog,
            child.table_schema,
            child.table_name,
            child.column_name,
            child.field_path,
            columns.ordinal_position,
            other.place,
            child.data_type,
            true as is_nullable,
            child.description
        from fields as child
        inner join places as other
            on
            {{- same_column }}
            and child.field_path = other.field_path
        inner join columns
            on
                child.table_schema = columns.table_schema
                and child.table_name = columns.table_name
                and child.column_name = columns.column_name
    )

    select
        table_catalog as database_name,
        table_schema as schema_name,
        table_name,
        column_name,
        field_path as column_path,
        array_length(split(field_path, '.')) - 1 as depth,
        row_number() over (partition by table_schema, table_name order by ordinal_position, place) as position,
        data_type,
        is_nullable,
        description
    from all_levels
    where ordinal_position is not null
{% endmacro %}

{#-
    __TABLES__ has rows, bytes and the last change; PARTITIONS, which is documented, refuses datasets of more than a
    thousand tables. Type 1 is BigQuery's own storage; external tables and views have no values.
    A scan reads whole columns, so the bytes are those of all columns.
    https://cloud.google.com/bigquery/docs/information-schema-partitions#limitations
-#}
{% macro bigquery__discover_changes(tables) %}
    with tables as (
        {%- if tables %}
        {{- linker.bigquery_view(
            '__TABLES__',
            ['project_id', 'dataset_id', 'table_id', 'row_count', 'size_bytes', 'creation_time', 'last_modified_time', 'type'],
            tables | map(attribute='schema') | unique | sort
        ) }}
        {%- else %}
        select
            '' as project_id, '' as dataset_id, '' as table_id, 0 as row_count, 0 as size_bytes,
            0 as creation_time, 0 as last_modified_time, 0 as type
        limit 0
        {%- endif %}
    )

    select
        project_id as database_name,
        dataset_id as schema_name,
        table_id as table_name,
        row_count,
        size_bytes as byte_count,
        {{ linker.digest("format('%d:%d:%d:%d', creation_time, last_modified_time, row_count, size_bytes)") }} as change_token
    from tables
    where type = 1
{% endmacro %}

{#- https://cloud.google.com/bigquery/docs/information-schema-views -#}
{% macro bigquery__discover_definitions() %}
    select table_schema as schema_name, table_name, view_definition as definition
    from (
        {{- linker.bigquery_view('VIEWS', ['table_schema', 'table_name', 'view_definition']) }}
    ) as views
{% endmacro %}

{#-
    The catalogue lists the policy tags of a column but not who may read it; without the right, BigQuery refuses a statement
    that names the column during analysis. A condition that is never true reads no bytes.
    https://cloud.google.com/bigquery/docs/information-schema-column-field-paths
    https://cloud.google.com/bigquery/docs/column-level-security-intro
    https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#beginexceptionend
-#}
{% macro bigquery__unreadable_columns() %}
    {%- set rows = [] %}
    {%- if linker.can_ask() %}
        {%- set query %}
    select distinct table_schema, table_name, column_name
    from (
        {{- linker.bigquery_view('COLUMN_FIELD_PATHS', ['table_schema', 'table_name', 'column_name', 'policy_tags']) }}
    ) as paths
    where array_length(policy_tags) > 0
    order by table_schema, table_name, column_name
        {%- endset %}
        {%- set tagged = run_query(query).rows %}
        {%- if tagged %}
            {#- Names each column in a separate statement and returns the refused ones. -#}
            {%- set script -%}
declare refused array<struct<schema_name string, table_name string, column_name string>> default [];
{% for column in tagged -%}
begin
    execute immediate {{ linker.literal(
        'select ' ~ linker.identifier(column[2]) ~ ' from ' ~ linker.relation_name(target.database, column[0], column[1])
        ~ ' where false'
    ) }};
exception when error then
    set refused = array_concat(refused, [struct(
        {{ linker.literal(column[0]) }} as schema_name, {{ linker.literal(column[1]) }} as table_name, {{ linker.literal(column[2]) }} as column_name
    )]);
end;
{% endfor -%}
select schema_name, table_name, column_name from unnest(refused);
            {%- endset %}
            {%- for row in run_query(script).rows %}
                {%- do rows.append([linker.literal(row[0]), linker.literal(row[1]), linker.literal(row[2])]) %}
            {%- endfor %}
        {%- endif %}
    {%- endif %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], rows) }}
{% endmacro %}

{#-
    Keys are declared, not enforced. The columns of a primary key have no position in another constraint.
    https://cloud.google.com/bigquery/docs/information-schema-key-column-usage
    https://cloud.google.com/bigquery/docs/information-schema-table-constraints
-#}
{% macro bigquery__keys(kind) %}
    {%- set datasets = [] %}
    {%- if linker.can_ask() %}
        {%- for row in run_query('select distinct schema_name from ' ~ linker.artifact('linker_tables')).rows %}
            {%- do datasets.append(row[0]) %}
        {%- endfor %}
    {%- endif %}
    {%- if not datasets %}
    {{ linker.default__keys(kind) }}
    {%- elif kind == 'foreign' %}
    {{ linker._bigquery_keys(datasets) }}
    {%- else %}
    select table_schema as schema_name, table_name, column_name
    from (
        {{- linker.bigquery_view('KEY_COLUMN_USAGE', [
            'constraint_name', 'table_schema', 'table_name', 'column_name', 'ordinal_position', 'position_in_unique_constraint'
        ], datasets) }}
    ) as usages
    where position_in_unique_constraint is null
    {%- endif %}
{% endmacro %}

{#-
    CONSTRAINT_COLUMN_USAGE does not order the referenced columns; KEY_COLUMN_USAGE does, through
    position_in_unique_constraint. Constraint names are unique within a dataset only.
    https://cloud.google.com/bigquery/docs/information-schema-constraint-column-usage
-#}
{% macro _bigquery_keys(datasets) %}
    with usages as (
        {{- linker.bigquery_view('KEY_COLUMN_USAGE', [
            'constraint_schema', 'constraint_name', 'table_schema', 'table_name', 'column_name', 'ordinal_position',
            'position_in_unique_constraint'
        ], datasets) }}
    ),

    targets as (
        select distinct constraint_schema, constraint_name, table_schema, table_name
        from (
            {{- linker.bigquery_view(
                'CONSTRAINT_COLUMN_USAGE', ['constraint_schema', 'constraint_name', 'table_schema', 'table_name'], datasets
            ) }}
        ) as used
    )

    select
        concat(pointing.constraint_schema, '.', pointing.constraint_name) as key_name,
        pointing.table_schema as from_schema,
        pointing.table_name as from_table,
        pointing.column_name as from_column,
        targets.table_schema as to_schema,
        targets.table_name as to_table,
        keys.column_name as to_column,
        pointing.ordinal_position as position
    from usages as pointing
    inner join targets
        on
            pointing.constraint_schema = targets.constraint_schema
            and pointing.constraint_name = targets.constraint_name
    inner join usages as keys
        on
            targets.table_schema = keys.table_schema
            and targets.table_name = keys.table_name
            and keys.position_in_unique_constraint is null
            and pointing.position_in_unique_constraint = keys.ordinal_position
    where pointing.position_in_unique_constraint is not null
{% endmacro %}

{#-
    A filter on the partitions may be required. One that is always true would work, but would read the whole table, which
    the option is meant to prevent.
    https://cloud.google.com/bigquery/docs/managing-partitioned-tables#require-filter
    https://cloud.google.com/bigquery/docs/information-schema-table-options
-#}
{% macro bigquery__discover_refusals() %}
    select
        table_schema as schema_name,
        table_name,
        'its option require_partition_filter forbids a full scan' as reason
    from (
        {{- linker.bigquery_view('TABLE_OPTIONS', ['table_schema', 'table_name', 'option_name', 'option_value']) }}
    ) as options
    where option_name = 'require_partition_filter' and lower(option_value) = 'true'
{% endmacro %}

{#-
    A view of BigQuery's catalogue over all datasets in scope, or over the given ones, as a select of these columns.
    All reads of the catalogue go through it, so that a project can substitute its own views.
-#}
{% macro bigquery_view(view, columns, datasets=none) -%}
    {{ return(adapter.dispatch('bigquery_view', 'linker')(view, columns, datasets)) }}
{%- endmacro %}

{#-
    Each view costs at least 10 MB. A region's view covers all its datasets and needs roles in the project; a dataset's view
    needs roles in the dataset only: set `include_schemas` if the project grants none.
    dbt needs a body for every target, even if nothing calls it.
    https://cloud.google.com/bigquery/docs/information-schema-intro#syntax
-#}
{% macro default__bigquery_view(view, columns, datasets) %}
    {%- set scopes = datasets if datasets is not none else linker._bigquery_scopes() -%}
    {%- set database = linker.identifier(target.database) -%}
    {%- set place = '' if view == '__TABLES__' else 'INFORMATION_SCHEMA.' -%}
    {%- for scope in scopes %}
    {{ 'union all ' if not loop.first }}select {{ columns | join(', ') }} from {{ database }}.{{ linker.identifier(scope) }}.{{ place }}{{ view }}
    {%- endfor %}
{%- endmacro %}

{#-
    The datasets in `include_schemas`, in their actual case, or else the region. Listing them is free.
    https://cloud.google.com/bigquery/docs/reference/rest/v2/datasets/list
-#}
{% macro _bigquery_scopes() -%}
    {%- set included = var('include_schemas', []) | map('lower') | list -%}
    {%- if not included -%}
        {#-
            The profile tables are in one location, and a query cannot read other locations.
            https://cloud.google.com/bigquery/docs/locations#specify_locations
        -#}
        {%- set location = target.location -%}
        {%- if not location and this is defined and linker.can_ask() and adapter.check_schema_exists(this.database, this.schema) -%}
            {%- set location = adapter.get_dataset_location(this) -%}
        {%- endif -%}
        {{ return(['region-' ~ (location or 'us') | lower]) }}
    {%- endif -%}
    {%- if not linker.can_ask() -%}
        {{ return(included) }}
    {%- endif -%}
    {%- set scopes = [] -%}
    {%- for dataset in adapter.list_schemas(target.database) if dataset | lower in included -%}
        {%- do scopes.append(dataset) -%}
    {%- endfor -%}
    {%- if not scopes -%}
        {{ exceptions.raise_compiler_error(
            'linker: project ' ~ target.database ~ ' has no dataset of these names, or you have no permission: ' ~ included | join(', ')
        ) }}
    {%- endif -%}
    {{ return(scopes) }}
{%- endmacro %}
