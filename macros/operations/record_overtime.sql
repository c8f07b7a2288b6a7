{#-
    Records a statement that `linker refresh` ended after `scan_seconds`, if the warehouse did not. The next run continues
    after it.
-#}
{% macro record_overtime(model_name, run_id) -%}
    {%- if model_name == 'linker_runs' -%}
        {%- do linker._report_failed_scan(linker.time_limit_words(), run_id) -%}
    {%- elif model_name == 'linker_plan' and linker.dialect().reads_for_changes -%}
        {%- do linker._report_failed_look(linker.time_limit_words(), run_id) -%}
    {%- endif -%}
{%- endmacro %}
