{#-
    Distinguishes partitions from snapshots: if unique values recur in several shards with the same values in other columns,
    the rows are the same. With different values the family is a panel: one row per station and day, for example.
-#}

{#-
    Columns of finished scans for this decision, one row each, and one without a column if there is none:
    attempt_id, column_path, value_kind, and `is_new`: most of its values occur only once in all shards.
    A key of each of n shards has at least an n-th as many values as there are rows, and no value more than n times.
-#}
{% macro comparable_keys(scans, attempts, attempt_ids) %}
    select
        attempts.attempt_id,
        scans.column_path,
        scans.value_kind,
        coalesce(scans.value_kind in ('text', 'date', 'timestamp') and distinct_count > 0.7 * value_count, 1 = 0) as is_new
    from {{ attempts }} as attempts
    left join ({{ linker.newest_measures(scans) }}) as scans
        on
            attempts.attempt_id = scans.attempt_id
            and not scans.is_discovered
            and scans.value_count >= 10
            and (
                (
                    scans.value_kind in ('integer', 'text')
                    and scans.distinct_count * {{ var('family_members', 3) }} >= 0.85 * scans.value_count
                    and scans.top_value_share * scans.sample_row_count * scans.value_count / scans.row_count
                    < {{ var('family_members', 3) }} + 0.5
                    and coalesce(scans.max_length, 0) <= 64
                )
                or (scans.value_kind in ('text', 'date', 'timestamp') and scans.distinct_count > 0.7 * scans.value_count)
            )
    where attempts.event = 'finished' and attempts.attempt_id in ({{ linker._literals(attempt_ids) }})
    order by attempts.attempt_id, scans.column_path
{% endmacro %}

{#-
    Of family columns, given as {column_name, value_kind}, those that are a key in each shard read and of which at least a
    third of the values, and at least five, repeat in another shard: column_number, newest_rows, and `counts_rows`: 1, 2, 3
    in each shard, which repeats in any table.
-#}
{% macro repeated_keys(table, columns) %}
    {%- set places = range(table.members | length) -%}
    with members as (
        {%- for member in table.members %}
        select
            {{ loop.index0 }} as place,
            {%- for column in columns %}
            {{ linker.column_of_member(table, member, column.column_name, column.data_type) }} as b{{ loop.index }}{{ ',' if not loop.last }}
            {%- endfor %}
        from {{ linker.relation_name(table.database_name, table.schema_name, member) }}
        {{ 'union all' if not loop.last }}
        {%- endfor %}
    ),

    counted as (
        select
            {%- for column in columns %}
            {%- set number = loop.index %}
            count(b{{ number }}) as values_{{ number }},
            count(distinct b{{ number }}) as all_{{ number }},
            {%- for place in places %}
            {%- set value = 'case when place = ' ~ place ~ ' then b' ~ number ~ ' end' %}
            count(distinct {{ value }}) as count_{{ number }}_{{ place }},
            {%- if column.value_kind == 'integer' %}
            min({{ value }}) as min_{{ number }}_{{ place }},
            max({{ value }}) as max_{{ number }}_{{ place }},
            {%- endif %}
            {%- endfor %}
            {%- endfor %}
            sum(case when place = 0 then 1 else 0 end) as newest_rows
        from members
    )

    {%- for column in columns %}
    {%- set number = loop.index %}
    {%- set each = [] %}
    {%- set row_numbers = [] %}
    {%- for place in places %}
    {%- set distinct = 'count_' ~ number ~ '_' ~ place %}
    {%- set lowest = 'min_' ~ number ~ '_' ~ place %}
    {%- do each.append(distinct) %}
    {%- do row_numbers.append('(' ~ distinct ~ ' = 0 or (' ~ lowest ~ ' in (0, 1) and max_' ~ number ~ '_' ~ place
        ~ ' - ' ~ lowest ~ ' + 1 = ' ~ distinct ~ '))') %}
    {%- endfor %}
    {%- set most = 'greatest(' ~ each | join(', ') ~ ')' %}

    select
        {{ number }} as column_number,
        newest_rows,
        {{ row_numbers | join(' and ') if column.value_kind == 'integer' else '1 = 0' }} as counts_rows
    from counted
    where
        values_{{ number }} = {{ each | join(' + ') }}
        and values_{{ number }} - all_{{ number }} >= 5
        and 3 * (values_{{ number }} - all_{{ number }}) >= values_{{ number }} - {{ most }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
    order by column_number
{% endmacro %}

{#-
    Rows of the newest shard joined with those of the others by the key: their number, and for each column, in order, how
    many have a value, how many have the same one, and how many distinct values the newest shard has.
-#}
{% macro repeated_values(table, key, columns) %}
    with
    {%- for place, members in [('newest', table.members[:1]), ('older', table.members[1:])] %}
    {{ place }} as (
        {%- for member in members %}
        select
            {{ linker.identifier(key) }} as key_value{{ ',' if columns }}
            {%- for column in columns %}
            {{ linker.identifier(column.column_name) }} as b{{ loop.index }}{{ ',' if not loop.last }}
            {%- endfor %}
        from {{ linker.relation_name(table.database_name, table.schema_name, member) }}
        {{ 'union all' if not loop.last }}
        {%- endfor %}
    ){{ ',' if not loop.last }}
    {%- endfor %}

    select
        count(*) as row_pairs{{ ',' if columns }}
        {%- for column in columns %}
        {%- set newest, older = 'newest.b' ~ loop.index, 'older.b' ~ loop.index %}
        sum(case when {{ newest }} is null and {{ older }} is null then 0 else 1 end) as filled_{{ loop.index }},
        sum(case when {{ newest }} = {{ older }} then 1 else 0 end) as same_{{ loop.index }},
        count(distinct {{ newest }}) as values_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
    from newest
    inner join older on newest.key_value = older.key_value
{% endmacro %}

{#-
    Whether a family with a repeating key repeats its rows: by the share of equal values next to the key, beyond what chance
    makes equal. A flag that nearly all rows have is weak evidence, and a constant of the newest shard, such as its day, is
    none. A table named after its key, such as accounts by `account_id`, lists entities, some columns of which change
    between snapshots; other tables list events about them.
    `counts` is the row of `repeated_values`; each column has its `frequent_share`.
-#}
{% macro are_same_rows(table_name, key, columns, counts) -%}
    {%- set found = namespace(same=0.0, possible=0.0) -%}
    {%- for column in columns -%}
        {%- set filled, same, values = counts[3 * loop.index0 + 1] | int, counts[3 * loop.index0 + 2] | int, counts[3 * loop.index0 + 3] | int -%}
        {%- if values > 1 -%}
            {%- set by_chance = column.frequent_share * filled -%}
            {%- set found.same = found.same + [same - by_chance, 0] | max -%}
            {%- set found.possible = found.possible + filled - by_chance -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set share = found.same / found.possible if found.possible > 0 else 1 -%}
    {%- set thing = modules.re.sub('_?(id|key|no|nr|num|number|code)$', '', key | lower).split('_')[-1] -%}
    {%- set words = modules.re.findall('[^\\W\\d_]+', table_name | lower) -%}
    {%- set is_named_after = thing == '' or (words and words[-1] in [thing, thing ~ 's', thing ~ 'es', thing[:-1] ~ 'ies']) -%}
    {{ return(share >= (0.25 if is_named_after else 0.75)) }}
{%- endmacro %}

{#- The newest scan of every family of known kind: shards compared, kind, and evidence. -#}
{% macro scanned_families(scans, attempts) %}
    select
        newest.attempt_id,
        newest.database_name,
        newest.schema_name,
        newest.table_name,
        kinds.members,
        kinds.event as kind,
        kinds.message as evidence
    from ({{ linker.newest_scans(scans, attempts) }}) as newest
    inner join {{ attempts }} as kinds on newest.attempt_id = kinds.attempt_id
    where kinds.event in ('partitions', 'snapshots')
{% endmacro %}
