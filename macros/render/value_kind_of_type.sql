{#- `value_kind` for a type that stands in a column of a relation: one branch for each type that occurs. -#}
{% macro value_kind_of_type(expression) -%}
    {%- set branches = [] -%}
    {%- if linker.can_ask() -%}
        {%- for data_type in run_query('select distinct data_type from ' ~ linker.artifact('linker_columns')).columns[0].values() -%}
            {%- do branches.append(
                'when ' ~ linker.literal(data_type) ~ ' then ' ~ linker.literal(linker.value_kind(data_type))
            ) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return('case ' ~ expression ~ ' ' ~ branches | join(' ') ~ ' end' if branches else "'other'") }}
{%- endmacro %}
