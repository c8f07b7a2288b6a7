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

{#- A query over such a table needs a filter on its partitions. One that is always true would do, and would read all that
    whoever set the option wants nobody to read at once.
    https://cloud.google.com/bigquery/docs/managing-partitioned-tables#require-filter
    https://cloud.google.com/bigquery/docs/information-schema-table-options -#}
{% macro bigquery__discover_refusals() %}
    select
        table_schema as schema_name,
        table_name,
        'its option require_partition_filter forbids to read all of it' as reason
    from (
        {{- linker.bigquery_view('TABLE_OPTIONS', ['table_schema', 'table_name', 'option_name', 'option_value']) }}
    ) as options
    where option_name = 'require_partition_filter' and lower(option_value) = 'true'
{% endmacro %}
