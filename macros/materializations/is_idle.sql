{#-
    Whether this run keeps the profiles: with `--empty`, or if it also builds other models, seeds or snapshots, whose order
    is unknown. `dbt run --select package:linker` profiles.
-#}
{% macro is_idle() -%}
    {%- if not execute or flags.WHICH not in ['run', 'build', 'retry'] -%}
        {{ return(false) }}
    {%- endif -%}
    {{ return(invocation_args_dict.get('empty') or linker.runs_beside_others()) }}
{%- endmacro %}

{#- Whether models, seeds or snapshots of other packages are selected too. -#}
{% macro runs_beside_others() -%}
    {%- for resource in selected_resources -%}
        {%- set parts = resource.split('.') -%}
        {%- if parts[0] in ['model', 'seed', 'snapshot'] and parts[1] != 'linker' -%}
            {{ return(true) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}
