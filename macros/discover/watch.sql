{#-
    Reports metadata for change detection to `linker refresh`: each query and its rows, read before the run, so they
    are never newer than the profiles.
-#}
{% macro watch(name, query) -%}
    {%- if var('watch', false) and linker.dialect().tells_by_query -%}
        {%- do linker.tell_watched(name, [{'sql': query, 'rows': run_query(query).rows}]) -%}
    {%- endif -%}
{%- endmacro %}

{#- As above, with known rows. -#}
{% macro tell_watched(name, looks) -%}
    {%- if execute and var('watch', false) -%}
        {%- set told = [] -%}
        {%- for look in looks -%}
            {%- set texts = [] -%}
            {%- for row in look.rows -%}
                {%- do texts.append([row[0] | string, row[1] | string, row[2] | string]) -%}
            {%- endfor -%}
            {%- do told.append({'sql': look.sql, 'rows': texts}) -%}
        {%- endfor -%}
        {%- do log('linker: watched ' ~ tojson({'name': name, 'looks': told})) -%}
    {%- endif -%}
{%- endmacro %}
