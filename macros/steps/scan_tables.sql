{#-
    Scans the tables that are due in `linker_plan`, in its order; no other macro reads tables to profile them.
    Finished scans are committed at once. An attempt is recorded before tables are read, so that the next run knows
    which table aborted this one. Hook before `linker_runs`.
-#}
{% macro scan_tables() -%}
    {%- if not execute or linker.is_idle() -%}
        {{ return('') }}
    {%- endif -%}
    {%- set scans, attempts = linker.artifact('linker_scans'), linker.artifact('linker_attempts') -%}
    {%- do linker._execute(linker.plan_events(attempts, linker.artifact('linker_plan'))) -%}
    {%- do adapter.commit() -%}

    {%- set due_tables %}
select database_name, schema_name, table_name, table_kind, members, fingerprint, row_count, byte_count, state, place
from {{ linker.artifact('linker_plan') }}
where is_due
    {%- endset -%}
    {%- set due = linker.rows_by_name(due_tables, ['place']) -%}
    {%- if due -%}
        {%- do log('linker: phase scans tables') -%}
        {%- do log('linker: due ' ~ due | length) -%}
        {%- do log('linker: ' ~ due | length ~ ' table' ~ ('s' if due | length != 1 else '') ~ ' to profile', info=true) -%}
    {%- endif -%}
    {%- set declared = linker._declared_columns_of(due) -%}
    {%- set rules = linker.privacy_rules() if due else none -%}
    {%- set forms = {} -%}
    {%- set broken = {} -%}
    {%- for view in var('broken', []) -%}
        {%- do broken.update({(view[0], view[1]): view[2]}) -%}
    {%- endfor -%}
    {%- for row in due if (row['schema_name'], row['table_name']) in broken -%}
        {%- set entry = linker._scan_entry(row, declared, rules) -%}
        {%- set message = broken[(row['schema_name'], row['table_name'])] -%}
        {%- do linker._execute(linker.attempt_events(attempts, 'failed', [entry], message)) -%}
    {%- endfor -%}
    {%- do linker._commit() -%}
    {%- set limit_before = linker.set_time_limit() if due else none -%}
    {#- Views last: the privacy found in their sources applies to them, and they may take arbitrarily long. -#}
    {%- for is_made in [false, true] -%}
        {%- set entries = [] -%}
        {%- for row in due if (row['schema_name'], row['table_name']) not in broken -%}
            {%- set names = [row['schema_name'] ~ '.' ~ row['table_name'], row['schema_name'] ~ '.' ~ fromjson(row['members'])[0]] -%}
            {%- set is_traced = names | map('lower') | select('in', rules.lineage) | list | length > 0 -%}
            {%- if (row['table_kind'] == 'view' or is_traced) == is_made -%}
                {%- if is_made and not rules.scanned -%}
                    {%- do rules.scanned.update(linker.found_private(scans, attempts, linker.artifact('linker_tables'))) -%}
                {%- endif -%}
                {%- do entries.append(linker._scan_entry(row, declared, rules)) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- for batch in linker.scan_batches(entries, forms) -%}
            {%- do linker._scan_batch(scans, attempts, batch, forms) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if due -%}
        {%- do linker.reset_time_limit(limit_before) -%}
    {%- endif -%}

    {#- Values that may no longer be visible are removed now, not in the next run. -#}
    {%- do log('linker: phase computes profiles') -%}
    {%- do linker._forget_older_scans(scans, attempts) -%}
    {%- do linker._commit() -%}
{%- endmacro %}

{#- The columns of all due tables, by the name of their newest shard, in one query. -#}
{% macro _declared_columns_of(due) -%}
    {%- set columns = {} -%}
    {%- if due -%}
        {%- set query %}
    select database_name, schema_name, table_name, position, column_name, column_path, depth, data_type, is_readable
    from {{ linker.artifact('linker_declared_columns') }}
        {%- endset -%}
        {%- for row in linker.rows_by_name(query, ['database_name', 'schema_name', 'table_name', 'position']) -%}
            {%- set key = row['database_name'] ~ '\n' ~ row['schema_name'] ~ '\n' ~ row['table_name'] -%}
            {%- if key not in columns -%}
                {%- do columns.update({key: []}) -%}
            {%- endif -%}
            {%- do columns[key].append({
                'column_name': row['column_name'],
                'column_path': row['column_path'],
                'depth': row['depth'] | int,
                'data_type': row['data_type'],
                'is_readable': row['is_readable'],
            }) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(columns) }}
{%- endmacro %}

{#- A table of the plan, with its columns and their privacy. -#}
{% macro _scan_entry(row, declared, rules) -%}
    {%- set members = fromjson(row['members']) -%}
    {%- set row_count = row['row_count'] | int if row['row_count'] is not none else none -%}
    {#- Larger tables are sampled by blocks. -#}
    {%- set limit = var('full_scan_rows', 100000000) -%}
    {%- set table = {
        'database_name': row['database_name'],
        'schema_name': row['schema_name'],
        'table_name': row['table_name'],
        'table_kind': row['table_kind'],
        'members': members,
        'fingerprint': row['fingerprint'],
        'row_count': row_count,
        'byte_count': row['byte_count'] | int if row['byte_count'] is not none else none,
        'read_percent': 100 if row_count is none or row_count <= limit else (100.0 * limit / row_count) | round(4),
    } -%}
    {%- set columns = linker._columns_of_members(table, declared) -%}
    {%- set short = linker.short_columns(table) -%}
    {%- for column in columns if short and column.column_name in short -%}
        {%- do column.update({'is_short': true}) -%}
    {%- endfor -%}
    {{ return({
        'place': row['place'] | int,
        'state': row['state'],
        'attempt_id': invocation_id ~ '.' ~ row['place'] | int,
        'table': table,
        'columns': linker.with_privacy(table, columns, rules),
        'rules': rules,
    }) }}
{%- endmacro %}

{#-
    The columns of the newest shard, those that only other shards have, and those that are unreadable in any;
    `lacking` maps each shard to columns that it lacks, has with another type, or may not show to this role.
-#}
{% macro _columns_of_members(table, declared) -%}
    {%- if table.members | length == 1 -%}
        {%- set found = declared.get(table.database_name ~ '\n' ~ table.schema_name ~ '\n' ~ table.members[0], []) -%}
        {%- if found | map(attribute='is_readable') | select('sameas', true) | list | length == found | length -%}
            {%- do table.update({'lacking': {table.members[0]: []}}) -%}
            {{ return(found) }}
        {%- endif -%}
    {%- endif -%}
    {%- set columns = [] -%}
    {%- set types = {} -%}
    {%- set own = [] -%}
    {%- set unreadable = [] -%}
    {%- for member in table.members -%}
        {%- set found = declared.get(table.database_name ~ '\n' ~ table.schema_name ~ '\n' ~ member, []) -%}
        {%- set tops = {} -%}
        {%- for column in found if column['depth'] == 0 and column['is_readable'] -%}
            {%- do tops.update({column['column_name']: column['data_type']}) -%}
        {%- endfor -%}
        {%- for column in found if column['column_name'] not in types and column['is_readable'] -%}
            {%- do columns.append(column) -%}
        {%- endfor -%}
        {%- do types.update(dict(tops, **types)) -%}
        {%- do own.append(tops) -%}
        {%- do unreadable.append(found | rejectattr('is_readable') | list) -%}
    {%- endfor -%}
    {%- set named = types.keys() | list -%}
    {%- for found in unreadable -%}
        {%- for column in found if column.column_name not in named -%}
            {%- do columns.append(column) -%}
        {%- endfor -%}
        {%- do named.extend(found | map(attribute='column_name')) -%}
    {%- endfor -%}
    {%- set lacking = {} -%}
    {%- for member in table.members -%}
        {%- set tops = own[loop.index0] -%}
        {%- set names = [] -%}
        {%- for name, data_type in types.items() if tops.get(name) != data_type -%}
            {%- do names.append(name) -%}
        {%- endfor -%}
        {%- do lacking.update({member: names}) -%}
    {%- endfor -%}
    {%- do table.update({'lacking': lacking}) -%}
    {{ return(columns) }}
{%- endmacro %}

{#-
    Tables that share a statement begin and finish together. If the warehouse can catch errors, a failed group is
    scanned table by table: the failing one is recorded, the others finish.
-#}
{% macro _scan_batch(scans, attempts, batch, forms) -%}
    {%- do linker._execute(linker.attempt_events(attempts, 'started', batch)) -%}
    {%- do adapter.commit() -%}
    {%- set first = batch[0].table.schema_name ~ '.' ~ batch[0].table.table_name -%}
    {%- do log('linker: scans ' ~ first ~ (' and ' ~ (batch | length - 1) ~ ' more' if batch | length > 1 else '')) -%}
    {%- if batch | length > 1 -%}
        {#- Reverts an unfinished batch. -#}
        {%- set attempt_ids = linker._literals(batch | map(attribute='attempt_id')) -%}
        {%- set forget = 'delete from ' ~ scans ~ ' where attempt_id in (' ~ attempt_ids ~ ')' -%}
        {%- do linker._read_tables(scans, attempts, batch, forms, forget) -%}
    {%- endif -%}
    {%- if batch | length == 1 or not linker._has(attempts, batch[0], 'finished') -%}
        {%- for entry in batch -%}
            {%- do entry.update({'is_alone': true}) -%}
            {%- set failed = linker.attempt_events(attempts, 'failed', [entry], message='__error__') -%}
            {%- do log('linker: scans ' ~ entry.table.schema_name ~ '.' ~ entry.table.table_name) -%}
            {%- do linker._read_tables(scans, attempts, [entry], forms, failed) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- for entry in batch -%}
        {%- if linker.may_be_sampled(entry.table) and entry.table.read_percent >= 100 -%}
            {%- do linker._confirm_keys(scans, attempts, entry) -%}
        {%- endif -%}
        {#- If the warehouse can catch errors, a table read alone may have failed. -#}
        {%- if not entry.evidence and not (
            entry.is_alone and linker.dialect().guarded and linker._has(attempts, entry, 'failed')
        ) -%}
            {%- do log('linker: scanned ' ~ entry.table.schema_name ~ '.' ~ entry.table.table_name, info=true) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set families = [] -%}
    {%- for entry in batch if entry.table.members | length > 1 -%}
        {%- do families.append(entry) -%}
    {%- endfor -%}
    {%- if families -%}
        {%- do linker._tell_kinds(scans, attempts, families, forms) -%}
    {%- endif -%}
{%- endmacro %}

{#-
    Records whether the shards of a family add up (partitions) or repeat each other (snapshots). The newest snapshot
    is scanned again, alone, and represents the family.
-#}
{% macro _tell_kinds(scans, attempts, families, forms) -%}
    {%- set found = {} -%}
    {%- for row in run_query(linker.comparable_keys(scans, attempts, families | map(attribute='attempt_id'))).rows -%}
        {%- do found.setdefault(row[0], []).append({'column_path': row[1], 'value_kind': row[2], 'is_new': row[3]}) -%}
    {%- endfor -%}
    {%- set partitions, snapshots = [], [] -%}
    {%- for entry in families if entry.attempt_id in found -%}
        {%- set newest = linker._newest_snapshot(scans, attempts, entry, found[entry.attempt_id]) -%}
        {%- do (snapshots if newest else partitions).append(newest or entry) -%}
    {%- endfor -%}
    {%- if snapshots -%}
        {%- do linker._scan_batch(scans, attempts, snapshots, forms) -%}
    {%- endif -%}
    {%- for entry in snapshots -%}
        {%- do linker._execute(linker.attempt_events(attempts, 'snapshots', [entry], entry.evidence)) -%}
    {%- endfor -%}
    {%- for entry in partitions if entry.panel -%}
        {%- do linker._execute(linker.attempt_events(attempts, 'partitions', [entry], entry.panel)) -%}
    {%- endfor -%}
    {%- set plain = partitions | rejectattr('panel') | list -%}
    {%- if plain -%}
        {%- do linker._execute(linker.attempt_events(attempts, 'partitions', plain)) -%}
    {%- endif -%}
    {%- do adapter.commit() -%}
{%- endmacro %}

{#-
    The newest shard as a separate entry, if the rows of a family repeat; else none. A family that is only partly read is
    not compared.
-#}
{% macro _newest_snapshot(scans, attempts, entry, found) -%}
    {%- set kinds = {} -%}
    {%- for column in found if column.column_path and entry.table.read_percent >= 100 -%}
        {%- do kinds.update({column.column_path: column.value_kind}) -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for column in entry.columns if column.depth == 0 and kinds.get(column.column_path) in ['integer', 'text'] -%}
        {%- do columns.append(dict(column, value_kind=kinds[column.column_path])) -%}
    {%- endfor -%}
    {%- if columns -%}
        {%- set repeated = linker._asked(attempts, entry, ['comparing', 'compared'], linker.repeated_keys(entry.table, columns)) -%}
        {%- for row in repeated if not (row[2] and found | selectattr('is_new') | list) -%}
            {%- set key = columns[row[0] | int - 1] -%}
            {#- Whether the non-key columns are equal too, for up to forty columns that all shards have. -#}
            {%- set shares = {} -%}
            {%- set frequent_shares %}
    select column_path, top_value_share
    from ({{ linker.newest_measures(scans) }}) as scans
    where
        attempt_id = {{ linker.literal(entry.attempt_id) }}
        and value_kind in ('text', 'integer', 'number', 'date', 'timestamp', 'boolean')
        and not is_discovered
        and top_value_share < 1
    order by column_path
            {%- endset -%}
            {%- for share in run_query(frequent_shares).rows -%}
                {%- do shares.update({share[0]: share[1] | float}) -%}
            {%- endfor -%}
            {%- set lacking = entry.table.lacking.values() | sum(start=[]) -%}
            {%- set beside = [] -%}
            {%- for column in entry.columns if column.column_path in shares and column.depth == 0 -%}
                {%- if column.column_path != key.column_path and column.column_name not in lacking -%}
                    {%- do beside.append(dict(column, frequent_share=shares[column.column_path])) -%}
                {%- endif -%}
            {%- endfor -%}
            {%- set beside = beside[:40] -%}
            {%- set counts = linker._asked(
                attempts, entry, ['comparing', 'compared'], linker.repeated_values(entry.table, key.column_name, beside)
            )[0] -%}
            {%- if linker.are_same_rows(entry.table.table_name, key.column_name, beside, counts) -%}
                {{ return(dict(
                    entry,
                    attempt_id=entry.attempt_id ~ '.newest',
                    evidence=key.column_path ~ ' is a key in each, and its values come again',
                    table=dict(
                        entry.table,
                        members=[entry.table.members[0]],
                        row_count=row[1] | int,
                        byte_count=none,
                        read_percent=100
                    )
                )) }}
            {%- endif -%}
            {%- do entry.setdefault('panel', key.column_path ~ ' is a key in each, and comes again with other values') -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}

{#-
    Reads several tables in one statement, or one table in several; `on_error` is the action on a failure. Tables
    that do not fit in one statement together are skipped.
-#}
{% macro _read_tables(scans, attempts, batch, forms, on_error) -%}
    {%- set fitting = [] -%}
    {%- for portions in linker.scan_portions(batch, forms) -%}
        {%- do fitting.extend(linker.fitting_statements(scans, portions)) -%}
    {%- endfor -%}
    {%- for entry in batch -%}
        {%- do entry.update({'statement_count': fitting | length}) -%}
    {%- endfor -%}
    {%- for statements in fitting -%}
        {%- if loop.first or not linker._has(attempts, batch[0], 'failed') -%}
            {%- if loop.last -%}
                {%- do statements.append(linker.attempt_events(attempts, 'finished', batch)) -%}
            {%- endif -%}
            {%- for statement in linker.guarded(statements, on_error) -%}
                {%- do linker._execute(statement) -%}
            {%- endfor -%}
            {%- do adapter.commit() -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _has(attempts, entry, event) -%}
    {%- set query -%}
        select 1 from {{ attempts }} where attempt_id = {{ linker.literal(entry.attempt_id) }} and event = '{{ event }}'
    {%- endset -%}
    {{ return(run_query(query).rows | length > 0) }}
{%- endmacro %}

{#-
    Rows of a query over a scanned table. Errors cannot be caught here: one ends the run, and the event recorded
    before identifies the query.
-#}
{% macro _asked(attempts, entry, events, query) -%}
    {%- do linker._execute(linker.attempt_events(attempts, events[0], [entry])) -%}
    {%- do adapter.commit() -%}
    {%- set rows = run_query(linker.with_time_limit(query)).rows -%}
    {%- do linker._execute(linker.attempt_events(attempts, events[1], [entry])) -%}
    {{ return(rows) }}
{%- endmacro %}

{#-
    Deletes the scans of obsolete attempts, once at the end of a run: all but the newest finished one of their table, and
    unfinished ones of this run. An unfinished one may belong to another run in progress; after a day it counts as killed.
-#}
{% macro _forget_older_scans(scans, attempts) -%}
    {%- set older -%}
    select distinct attempt_id
    from {{ scans }}
    where
        attempt_id not in (select attempt_id from ({{ linker.newest_scans(scans, attempts) }}) as newest)
        and case
            when attempt_id like {{ linker.literal(invocation_id ~ '.%') }}
                then attempt_id not in (select attempt_id from {{ attempts }} where event = 'finished')
            else
                attempt_id in (select attempt_id from {{ attempts }} where event in ('finished', 'failed'))
                or scanned_at < {{ linker.hours_ago(24) }}
        end
    {%- endset -%}
    {%- if not linker.dialect().only_appends and run_query(older ~ ' limit 1').rows | length -%}
        {%- do linker._execute(linker.delete_scans(scans, older)) -%}
    {%- endif -%}
{%- endmacro %}

{#- A commit fails without an open transaction, so one is opened. -#}
{% macro _commit() -%}
    {%- do linker._execute('select 1') -%}
    {%- do adapter.commit() -%}
{%- endmacro %}

{% macro _execute(statement_sql) -%}
    {%- call statement(auto_begin=true) -%}
        {{ statement_sql }}
    {%- endcall -%}
{%- endmacro %}
