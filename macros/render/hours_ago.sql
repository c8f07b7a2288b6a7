{#- The moment so many hours before the run began, in UTC. -#}
{% macro hours_ago(hours) -%}
    {%- set moment = run_started_at.replace(tzinfo=none) - modules.datetime.timedelta(hours=hours) -%}
    {{ return("cast('" ~ moment.strftime('%Y-%m-%d %H:%M:%S') ~ "' as timestamp)") }}
{%- endmacro %}
