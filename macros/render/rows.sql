{#- Literal rows, and rows of results. -#}

{% macro _literals(words) -%}
    {%- set literals = [] -%}
    {%- for word in words -%}
        {%- do literals.append(linker.literal(word)) -%}
    {%- endfor -%}
    {{ return(literals | join(', ')) }}
{%- endmacro %}

{#- A select of literal text rows; empty without rows. -#}
{% macro rows_or_none(column_names, rows) -%}
    {%- if rows -%}
        {{ return(linker.inline_rows(column_names, rows)) }}
    {%- endif -%}
    {%- set nothing = [] -%}
    {%- for name in column_names -%}
        {%- do nothing.append('cast(null as ' ~ dbt.type_string() ~ ') as ' ~ name) -%}
    {%- endfor -%}
    {{ return('select * from (select ' ~ nothing | join(', ') ~ ') as one_row where 1 = 0') }}
{%- endmacro %}

{#- Literal keys as a select in the form of `declared_keys`. -#}
{% macro key_rows(rows) -%}
    {%- set names = ['key_name', 'from_schema', 'from_table', 'from_column', 'to_schema', 'to_table', 'to_column', 'position'] -%}
    {%- if rows -%}
        {{ linker.inline_rows(names, rows) }}
    {%- else %}
    select
        {%- for name in names %}
        cast(null as {{ dbt.type_bigint() if name == 'position' else dbt.type_string() }}) as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (select 1 as one) as one_row
    where 1 = 0
    {%- endif -%}
{%- endmacro %}

{#-
    Rows of a query as dicts by lower-case column name, ordered by some columns: Snowflake returns names in upper case.
    https://docs.snowflake.com/en/sql-reference/identifiers-syntax#unquoted-identifiers
-#}
{% macro rows_by_name(query, order_by) -%}
    {%- set order = order_by | join(', ') -%}
    {%- set as_json = linker.dialect().rows_as_json -%}
    {%- if as_json -%}
        {{ return(fromjson(run_query(as_json.format(query=query, order=order)).rows[0][0])) }}
    {%- endif -%}
    {%- set found = run_query('select * from (\n' ~ query ~ '\n) as found order by ' ~ order) -%}
    {%- set names = found.column_names | map('lower') | list -%}
    {%- set rows = [] -%}
    {%- for row in found.rows -%}
        {%- do rows.append(dict(zip(names, row.values()))) -%}
    {%- endfor -%}
    {{ return(rows) }}
{%- endmacro %}

{#-
    An empty select with the columns and types of a model's yml: the definition of a journal. If a project materializes all
    packages as tables, it returns the existing rows.
-#}
{% macro no_rows(node) -%}
    {%- set is_others = execute and node.config.materialized not in ['artifact', 'journal'] -%}
    {%- if is_others and not linker.is_idle() -%}
        {{ exceptions.raise_compiler_error(linker._sets_materialized(node)) }}
    {%- endif %}
    {%- set is_kept = is_others and node.config.materialized == 'table' and load_cached_relation(this) is not none %}
    select
        {%- for column in node.columns.values() %}
        {% if not is_kept %}cast(null as {{ linker.spelled_type(column.data_type) }}) as {% endif %}{{ column.name }}{{ ',' if not loop.last }}
        {%- endfor %}
    {%- if is_kept %}
    from {{ this }}
    {%- else %}
    from (select 1 as one) as one_row
    where 1 = 0
    {%- endif %}
{%- endmacro %}

{% macro _sets_materialized(node) -%}
    {{ return(
        'linker: dbt_project.yml sets `materialized` for the models of all packages, so no profiles are stored; put it under the'
        ~ ' name of your project: `models: {' ~ project_name ~ ': {+materialized: ' ~ node.config.materialized ~ '}}`'
    ) }}
{%- endmacro %}

{#- A text escaped for a JSON string, without quotes. -#}
{% macro json_escaped(text) -%}
    {%- set slashed = 'replace(' ~ text ~ ', ' ~ linker.literal('\\') ~ ', ' ~ linker.literal('\\\\') ~ ')' -%}
    {{ return('replace(' ~ slashed ~ ", '\"', " ~ linker.literal('\\"') ~ ')') }}
{%- endmacro %}
