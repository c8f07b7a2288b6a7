{#-
    Tells the quick look of `linker refresh` what there is to see before a run reads it: each query and its rows, for the
    session that repeats the query later. What is looked at first cannot be newer than what the run reads after it.
-#}
{% macro watch(name, queries) -%}
    {%- if var('watch', false) and linker.can_ask() -%}
        {%- set looks = [] -%}
        {%- for query in queries -%}
            {%- set texts = [] -%}
            {%- for row in run_query(query).rows -%}
                {%- do texts.append([row[0] | string, row[1] | string, row[2] | string]) -%}
            {%- endfor -%}
            {%- do looks.append({'sql': query, 'rows': texts}) -%}
        {%- endfor -%}
        {%- do linker.tell_watched(name, looks) -%}
    {%- endif -%}
{%- endmacro %}

{#- The same where the rows are known already. -#}
{% macro tell_watched(name, looks) -%}
    {%- if var('watch', false) -%}
        {%- do log('linker: watched ' ~ tojson({'name': name, 'looks': looks})) -%}
    {%- endif -%}
{%- endmacro %}
