{#- A path as the text of a JSON array of one. -#}
{% macro join_path_list(path) -%}
    {%- set escaped = 'replace(replace(' ~ path ~ ', ' ~ linker.literal('\\') ~ ', ' ~ linker.literal('\\\\') ~ "), '\"', " ~ linker.literal('\\"') ~ ')' -%}
    {{ return("'[\"' || " ~ escaped ~ " || '\"]'") }}
{%- endmacro %}
