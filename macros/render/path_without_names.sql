{#- The dots between the steps of a path: quoted steps and all other characters are taken away. -#}
{% macro path_without_names(expression) -%}
    {{ return(linker.regex_replace(linker.regex_replace(expression, '"[^"]*"', ''), '[^.]', '')) }}
{%- endmacro %}
