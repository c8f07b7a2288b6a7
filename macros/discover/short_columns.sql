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

{#- The statistics of a segment name its longest text, in bytes. In which words is no promise: without them a column is not
    short. Small tables are not asked about, as few rows are bounded quickly.
    https://duckdb.org/docs/stable/configuration/pragmas#storage-information -#}
{% macro duckdb__short_columns(table) -%}
    {%- if table.table_kind != 'table' or not linker.may_be_sampled(table) -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set query %}
        select column_name
        from (
            {%- for member in table.members %}
            {%- set relation = linker.relation_name(table.database_name, table.schema_name, member) %}
            select column_name, segment_type, has_updates, cast(stats as varchar) as stats
            from pragma_storage_info({{ linker.literal(relation) }}){{ ' union all' if not loop.last }}
            {%- endfor %}
        ) as segments
        where segment_type in ('VARCHAR', 'JSON')
        group by column_name
        having bool_and(
            not has_updates
            and coalesce(
                try_cast(regexp_extract(lower(stats), 'max.string.length\W*([0-9]+)', 1) as bigint)
                <= case segment_type when 'JSON' then {{ linker.longest_document() }} else {{ linker.longest_value() }} end,
                false
            )
        )
    {%- endset %}
    {{ return(run_query(query).columns[0].values() | list) }}
{%- endmacro %}
