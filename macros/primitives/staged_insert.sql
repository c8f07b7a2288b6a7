{#-
    The statements that insert into a relation what a query over aggregate rows gives.
    `heads` are the selects that make those rows, scan_1, scan_2 …; `tail` is the rest: common table expressions and the
    last select.
-#}
{% macro staged_insert(relation, column_names, heads, tail) -%}
    {{ return(adapter.dispatch('staged_insert', 'linker')(relation, column_names, heads, tail)) }}
{%- endmacro %}

{#- `materialized` sees to it that a table is read once, however often its row is looked at. -#}
{% macro default__staged_insert(relation, column_names, heads, tail) -%}
    {%- set expressions = [] -%}
    {%- for head in heads -%}
        {%- do expressions.append('scan_' ~ loop.index ~ ' as materialized (\n' ~ head ~ '\n)') -%}
    {%- endfor -%}
    {{ return([
        'insert into ' ~ relation ~ ' (' ~ column_names | join(', ') ~ ')\nwith ' ~ expressions | join(',\n\n') ~ ',\n\n' ~ tail
    ]) }}
{%- endmacro %}

{#- Without that word a common table expression may be worked out again at each place: the rows go through tables.
    https://docs.snowflake.com/en/user-guide/tables-temp-transient -#}
{% macro snowflake__staged_insert(relation, column_names, heads, tail) -%}
    {%- set stage = relation.include(identifier=false) ~ '.linker_stage_' ~ modules.re.sub('[^a-z0-9]', '_', thread_id | lower) -%}
    {{ return(linker._insert_over_tables(relation, column_names, heads, tail, 'create or replace temporary table', stage)) }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/multi-statement-queries#temporary_tables -#}
{% macro bigquery__staged_insert(relation, column_names, heads, tail) -%}
    {{ return(linker._insert_over_tables(relation, column_names, heads, tail, 'create or replace temp table', 'linker_stage')) }}
{%- endmacro %}

{% macro _insert_over_tables(relation, column_names, heads, tail, create, stage) -%}
    {%- set statements = [] -%}
    {%- set expressions = [] -%}
    {%- for head in heads -%}
        {%- do statements.append(create ~ ' ' ~ stage ~ '_' ~ loop.index ~ ' as\n' ~ head) -%}
        {%- do expressions.append('scan_' ~ loop.index ~ ' as (\nselect * from ' ~ stage ~ '_' ~ loop.index ~ '\n)') -%}
    {%- endfor -%}
    {%- do statements.append(
        'insert into ' ~ relation ~ ' (' ~ column_names | join(', ') ~ ')\nwith ' ~ expressions | join(',\n\n') ~ ',\n\n' ~ tail
    ) -%}
    {{ return(statements) }}
{%- endmacro %}
