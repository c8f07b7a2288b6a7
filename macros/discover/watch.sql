{#-
    Tells the quick look of `linker refresh` what there is to see before a run reads it: each query and its rows, for the
    session that repeats the query later. What is looked at first cannot be newer than what the run reads after it.
-#}
{% macro watch(name, query) -%}
    {%- if var('watch', false) and linker.dialect().tells_by_query -%}
        {%- do linker.tell_watched(name, [{'sql': query, 'rows': run_query(query).rows}]) -%}
    {%- endif -%}
{%- endmacro %}

{#- The same where the rows are known already. -#}
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
