{#- The condition that leaves a logical table out of the scans, by the patterns in include_tables and exclude_tables. -#}
{% macro is_left_out(schema_expression, table_expression) -%}
    {%- set name = 'lower(' ~ schema_expression ~ " || '.' || " ~ table_expression ~ ')' -%}
    {%- set conditions = [] -%}
    {%- if var('include_tables', []) -%}
        {%- do conditions.append('not (' ~ linker._matches_any(name, var('include_tables')) ~ ')') -%}
    {%- endif -%}
    {%- if var('exclude_tables', []) -%}
        {%- do conditions.append(linker._matches_any(name, var('exclude_tables'))) -%}
    {%- endif -%}
    {{ return('(' ~ (conditions | join(' or ') or '1 = 0') ~ ')') }}
{%- endmacro %}

{% macro _matches_any(expression, patterns) -%}
    {%- set conditions = [] -%}
    {%- for pattern in patterns -%}
        {%- do conditions.append(linker.regex_matches(expression, linker.glob_pattern(pattern))) -%}
    {%- endfor -%}
    {{ return(conditions | join(' or ')) }}
{%- endmacro %}

{#- `sales.*` as a regular expression over the lower-cased name; a star stands for any characters. -#}
{% macro glob_pattern(pattern) -%}
    {{ return('^' ~ modules.re.escape(pattern | lower).replace('\\*', '.*').replace('\\-', '-').replace('\\ ', ' ') ~ '$') }}
{%- endmacro %}
