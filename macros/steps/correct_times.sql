{#-
    Brings times of the journals that lie more than an hour ahead back to now: the clock was ahead when they were written.
    What they tell would otherwise be newer than all that comes, so that nothing was ever read again. It is the hook before
    `linker_plan`.
-#}
{% macro correct_times() -%}
    {%- if execute and not linker.is_idle() and not linker.dialect().only_appends -%}
        {%- set attempts = linker.artifact('linker_attempts') -%}
        {%- set ahead = ' > ' ~ linker.hours_ago(-1) -%}
        {%- if run_query('select 1 from ' ~ attempts ~ ' where happened_at' ~ ahead ~ ' limit 1').rows -%}
            {%- for journal, moment in [(attempts, 'happened_at'), (linker.artifact('linker_scans'), 'scanned_at')] -%}
                {%- do linker._execute(
                    'update ' ~ journal ~ ' set ' ~ moment ~ ' = ' ~ linker.now_utc() ~ ' where ' ~ moment ~ ahead
                ) -%}
            {%- endfor -%}
            {%- do linker._commit() -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
