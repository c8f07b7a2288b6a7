{#-
    DuckDB must read a table to detect changes, and an error there ends the run. After a timeout, tables are checked
    one by one, each recorded first. One that times out again counts as changed once, and then when its row count
    changes, or is checked again after `retry_hours`.
-#}

{#-
    Sets the time limit of change checks. Returns whether tables are checked one by one, and the statement that
    resets the limit. Tables that timed out are in `kept_back` without a column, with the expiry time.
-#}
{% macro begin_look(kept_back) -%}
    {%- if not linker.can_ask() -%}
        {{ return([false, none]) }}
    {%- endif -%}
    {#- Tables without a result since then, unless the limit was lower; a full run tries all again. -#}
    {%- set query %}
    select schema_name, table_name, max({{ linker.seconds_since_1970('happened_at') }}) + 3600 * {{ var('retry_hours', 24) }} as counts_until
    from {{ linker.artifact('linker_attempts') }}
    where
        event = 'untold'
        and happened_at > {{ linker.full_since() or linker.hours_ago(var('retry_hours', 24)) }}
        and not {{ linker.met_lower_time_limit('message') }}
        and {{ '1 = 0' if flags.FULL_REFRESH else '1 = 1' }}
    group by schema_name, table_name
{% endset -%}
    {%- set untold = run_query(query).rows -%}
    {%- for row in untold if row[1] -%}
        {%- do kept_back.setdefault((row[0] ~ '.' ~ row[1]) | lower, {}).update({'': row[2] | int}) -%}
    {%- endfor -%}
    {{ return([untold | length > 0, linker.set_time_limit()]) }}
{%- endmacro %}

{#- A check of a table, or a timed-out one of an unknown table. -#}
{% macro look_event(attempts, event, database=none, schema=none, table=none) -%}
    {%- set named = {'database_name': database, 'schema_name': schema, 'table_name': table, 'fingerprint': none} -%}
    {{ return(linker.attempt_events(attempts, event, [{'attempt_id': none, 'table': named}], linker.time_limit_words() if event == 'untold')) }}
{%- endmacro %}
