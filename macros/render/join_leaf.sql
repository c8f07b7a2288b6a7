{#- The step of a path that names the value: `page` of `hits.page`; a path with quoted steps is taken whole. -#}
{% macro join_leaf(path) -%}
    {{ return('case when ' ~ path ~ " like '%\"%' then " ~ path ~ ' else ' ~ linker.regex_extract(path, '([^.]+)$') ~ ' end') }}
{%- endmacro %}
