{#- What the warehouse's catalogue tells of tables, columns and views, without reading them. -#}

{#- Every table and view of the target database: database_name, schema_name, table_name, table_kind,
    row_count_estimate, column_count, description. -#}
{% macro discover_tables() -%}
    {{ return(adapter.dispatch('discover_tables', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_tables() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- Every column of the target database, nested paths included: database_name, schema_name, table_name, column_name,
    column_path, depth, position, data_type, is_nullable, description. -#}
{% macro discover_columns() -%}
    {{ return(adapter.dispatch('discover_columns', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_columns() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- What the views of the target database say: schema_name, table_name, definition; null where the role may not see it. -#}
{% macro discover_definitions() -%}
    {{ return(adapter.dispatch('discover_definitions', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_definitions() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#-
    The tables that the warehouse does not let anybody read as a whole, as far as its catalogue says so: schema_name,
    table_name, reason. They are left out of the plan, instead of failing anew whenever they are tried.
-#}
{% macro discover_refusals() -%}
    {{ return(adapter.dispatch('discover_refusals', 'linker')()) }}
{%- endmacro %}

{#- What a role may not read shows when it is tried, and is recorded then. -#}
{% macro default__discover_refusals() %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'reason'], []) }}
{% endmacro %}

{#-
    The columns that the role may not read, though it may read others of their table: schema_name, table_name, column_name.
    Nothing of them is read, and the rest of the table is. Of a table of which it may read nothing the scan says so.
-#}
{% macro unreadable_columns() -%}
    {{ return(adapter.dispatch('unreadable_columns', 'linker')()) }}
{%- endmacro %}

{#- DuckDB has no rights. In Snowflake a role reads a table or does not: a masking policy changes what a column shows.
    https://docs.snowflake.com/en/user-guide/security-access-control-privileges#table-privileges
    https://docs.snowflake.com/en/user-guide/security-column-intro -#}
{% macro default__unreadable_columns() %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) }}
{% endmacro %}

{#-
    The columns of a table, or of all members of a family, whose texts and documents are all known to be short: a list of
    names. Those need no bound in the sample; of others nobody knows before they are read.
-#}
{% macro short_columns(table) -%}
    {{ return(adapter.dispatch('short_columns', 'linker')(table)) }}
{%- endmacro %}

{% macro default__short_columns(table) -%}
    {{ return([]) }}
{%- endmacro %}

{#- Ends a run in a warehouse that nobody taught this package; parsing goes on, since it is not ours alone. -#}
{% macro refuse_warehouse() -%}
    {%- if execute -%}
        {{ exceptions.raise_compiler_error(
            'linker: this version profiles duckdb, postgres, snowflake and bigquery, and no ' ~ target.type ~ ' warehouse; '
            ~ 'to leave the package out: vars: {linker_enabled: false}'
        ) }}
    {%- endif -%}
    {{ return('') }}
{%- endmacro %}

{#- Whether the warehouse may be asked while SQL is rendered: not where a whole project is compiled, or described. -#}
{% macro can_ask() -%}
    {%- if not execute or not flags.INTROSPECT -%}
        {{ return(false) }}
    {%- endif -%}
    {{ return(not (flags.WHICH in ['compile', 'generate'] and linker.runs_beside_others())) }}
{%- endmacro %}
