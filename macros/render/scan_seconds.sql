{#- Event recorded for a timed-out statement. -#}
{% macro time_limit_words() -%}
    {{ return('took longer than scan_seconds (' ~ linker._scan_seconds() ~ ')') }}
{%- endmacro %}

{#- Whether a recorded message reports a limit lower than the current one. -#}
{% macro met_lower_time_limit(message) -%}
    {%- set number = "replace(replace(" ~ message ~ ", 'took longer than scan_seconds (', ''), ')', '')" -%}
    case
        when {{ message }} like 'took longer than scan_seconds (%)' then cast({{ number }} as {{ dbt.type_bigint() }}) < {{ linker._scan_seconds() }}
        else 1 = 0
    end
{%- endmacro %}

{% macro _scan_seconds() -%}
    {{ return(var('scan_seconds', 300) | int) }}
{%- endmacro %}
