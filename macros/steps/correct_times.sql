{#-
    Sets times in the journals that are more than an hour in the future to now: the clock was wrong when they were
    written, and such scans would count as the newest forever. Hook before `linker_plan`.
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
