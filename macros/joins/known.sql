{#- Joins and keys that are declared or tested, and the confidence of inferred ones. -#}

{#-
    Known joins, one row each: origin (`declared` in the warehouse, `tested` by dbt, `documented` in Apache Ossie), and both
    sides' columns as in linker_joins. Spelt as in the catalogue, since dbt's files may differ in case.
-#}
{% macro known_joins(tables, columns) %}
    with logical_tables as (
        select
            database_name,
            schema_name,
            table_name as physical_name,
            coalesce(family_name, table_name) as table_name
        from {{ tables }}
    ),

    known_columns as (
        select 'declared' as origin, keys.* from ({{ linker.declared_keys('foreign') }}) as keys
        union all
        select 'tested' as origin, keys.* from ({{ linker.tested_keys() }}) as keys
        union all
        select 'documented' as origin, keys.* from ({{ linker.documented_keys() }}) as keys
    ),

    placed_columns as (
        select
            known_columns.origin,
            known_columns.key_name,
            known_columns.position,
            pointing.database_name as from_database,
            pointing.schema_name as from_schema,
            pointing.table_name as from_table,
            from_columns.column_path as from_path,
            keys.database_name as to_database,
            keys.schema_name as to_schema,
            keys.table_name as to_table,
            to_columns.column_path as to_path
        from known_columns
        {%- for side, name in [('from', 'pointing'), ('to', 'keys')] %}
        inner join logical_tables as {{ name }}
            on
                lower(known_columns.{{ side }}_schema) = lower({{ name }}.schema_name)
                and lower(known_columns.{{ side }}_table) = lower({{ name }}.physical_name)
        inner join {{ columns }} as {{ side }}_columns
            on
                {{ name }}.database_name = {{ side }}_columns.database_name
                and {{ name }}.schema_name = {{ side }}_columns.schema_name
                and {{ name }}.physical_name = {{ side }}_columns.table_name
                and {{ side }}_columns.depth = 0
                and lower(known_columns.{{ side }}_column) = lower({{ side }}_columns.column_name)
        {%- endfor %}
    ),

    listed as (
        select
            origin, key_name, from_database, from_schema, from_table, to_database, to_schema, to_table,
            {{ linker.text_list('from_path', 'position') }} as from_columns,
            {{ linker.text_list('to_path', 'position') }} as to_columns
        from placed_columns
        group by origin, key_name, from_database, from_schema, from_table, to_database, to_schema, to_table
    )

    select
        case
            when max(case origin when 'declared' then 1 end) = 1 then 'declared'
            when max(case origin when 'tested' then 1 end) = 1 then 'tested'
            else 'documented'
        end as origin,
        from_database, from_schema, from_table, from_columns, to_database, to_schema, to_table, to_columns
    from listed
    group by from_database, from_schema, from_table, from_columns, to_database, to_schema, to_table, to_columns
{% endmacro %}

{#-
    Keys from dbt's `relationships` tests, with the column and the field. In the form of `declared_keys`.
    `ref('x')` and `source('x', 'y')` in the arguments resolve to a table that the test depends on.
-#}
{% macro tested_keys() -%}
    {%- set rows = [] -%}
    {%- set project = linker.project_graph() -%}
    {%- for test in project.tests if test.test_metadata.name == 'relationships' -%}
        {%- set arguments = test.test_metadata.kwargs -%}
        {%- set sides = [] -%}
        {%- for table, column in [(arguments.get('model', ''), arguments.get('column_name')), (arguments.get('to', ''), arguments.get('field'))] -%}
            {%- set names = modules.re.findall('[\'"]([^\'"]+)[\'"]', modules.re.sub('version *=.*', '', table)) -%}
            {%- set nodes = [] -%}
            {%- for unique_id in test.depends_on.nodes if names and column and unique_id in project.tables -%}
                {%- set node = project.tables[unique_id] -%}
                {%- if node.name == names[-1] and ('source(' not in table or node.get('source_name') == names[0]) -%}
                    {%- do nodes.append(node) -%}
                {%- endif -%}
            {%- endfor -%}
            {%- for node in nodes[:1] -%}
                {%- do sides.extend([node.schema, linker.table_of_node(node), column]) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- if sides | length == 6 -%}
            {%- set row = [linker.literal(test.unique_id)] -%}
            {%- for name in sides -%}
                {%- do row.append(linker.literal(name)) -%}
            {%- endfor -%}
            {%- do rows.append(row + [1]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(linker.key_rows(rows)) }}
{%- endmacro %}

{#- The keys of relationships in documents of Apache Ossie. In the form of `declared_keys`. -#}
{% macro documented_keys() -%}
    {%- set rows = [] -%}
    {%- for join in linker.project_graph().joins -%}
        {%- for column in join.from_columns -%}
            {%- set row = [] -%}
            {%- for text in [join.name] + join['from'] + [column] + join.to + [join.to_columns[loop.index0]] -%}
                {%- do row.append(linker.literal(text)) -%}
            {%- endfor -%}
            {%- do rows.append(row + [loop.index]) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(linker.key_rows(rows)) }}
{%- endmacro %}

{#-
    Columns with a uniqueness test in dbt, one row per column: test_name, schema_name, table_name, column_name, in lower
    case.
    Single columns, or combinations by the tests of dbt_utils and dbt_expectations, or of the same name.
    https://github.com/dbt-labs/dbt-utils#unique_combination_of_columns-source
    https://github.com/metaplane/dbt-expectations#expect_compound_columns_to_be_unique
-#}
{% macro tested_unique_columns(are_together) -%}
    {%- set arguments = {
        'unique_combination_of_columns': 'combination_of_columns',
        'expect_compound_columns_to_be_unique': 'column_list',
    } -%}
    {%- set rows = [] -%}
    {%- set project = linker.project_graph() -%}
    {%- for test in project.tests if test.depends_on.nodes -%}
        {%- set name = test.test_metadata.name -%}
        {%- if are_together -%}
            {%- set columns = test.test_metadata.kwargs.get(arguments.get(name, '')) or [] -%}
        {%- else -%}
            {%- set columns = [test.column_name] if name == 'unique' and test.column_name else [] -%}
        {%- endif -%}
        {%- set node = project.tables.get(test.depends_on.nodes[0]) -%}
        {%- for column in columns if node -%}
            {%- do rows.append([
                linker.literal(test.unique_id),
                linker.literal(node.schema | lower),
                linker.literal(linker.table_of_node(node) | lower),
                linker.literal(column.strip('"`') | lower),
            ]) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(linker.rows_or_none(['test_name', 'schema_name', 'table_name', 'column_name'], rows)) }}
{%- endmacro %}

{#-
    Confidence of measured pairs. Takes rows of linker_join_candidates with `sampled_values` and `containment`;
    returns pairs of which the key contains at least half, with `coverage`, `surprise` and `trust`, from 0 to 1. Names and
    values are independent evidence: a pair is wrong only if both are.
-#}
{% macro weighed_joins(candidates) %}
    with measured as (
        select
            *,
            least(1.0, from_distinct_count * containment / nullif(to_distinct_count, 0)) as coverage,
            least(
                1.0,
                0.9 * name_weight + case when to_is_home then 0.05 else 0 end + case when to_is_main then 0.05 else 0 end
            ) as name_evidence,
            -- The probability that random numbers are all in a key with gaps, as a logarithm.
            -ln(to_density) * containment * sampled_values as surprise
        from {{ candidates }}
        where containment >= 0.5
    ),

    -- Weights of names and values, from 0 to 1.
    weighed as (
        select
            *,
            case
                -- Texts match a key by chance only if they are few and short.
                when surprise is null then case
                    when sampled_values >= 10 then 0.8
                    when sampled_values >= 4 then 0.6
                    when sampled_values >= 3 then case when from_text_length >= 6 then 0.5 else 0.3 end
                    else 0.1
                end
                -- Small numbers are in every key without gaps, so their range and count decide.
                else greatest(
                    0.5 * range_fit * case when sampled_values >= 20 then 1.0 when sampled_values >= 5 then 0.5 else 0.2 end
                    + 0.3 * least(1.0, 1.0 * from_distinct_count / nullif(to_distinct_count, 0)),
                    0.85 * least(1.0, surprise / 7)
                )
            end as value_evidence
        from measured
    )

    select
        *,
        (1 - (1 - name_evidence) * (1 - value_evidence))
        * case
            when containment >= 0.999 then 1.0
            when name_weight >= 0.8 then containment * containment
            else power(containment, 6)
        end
        * case
            when name_rule = 'name of the thing' and name_weight < 0.7 and from_schema <> to_schema then 0.7
            else 1.0
        end
        -- Fact tables about the same entities have the same columns and do not reference each other.
        * case when column_count > 1 and not to_is_main then 0.75 else 1.0 end as trust
    from weighed
{% endmacro %}
