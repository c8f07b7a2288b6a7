{#- The condition that keeps the schemas the project asks for, and never the artifacts themselves. -#}
{% macro in_scope(schema_expression) -%}
    {%- set included = linker._lower_literals(var('include_schemas', [])) -%}
    {%- set excluded = linker._lower_literals(var('exclude_schemas', []) + [this.schema]) -%}
    lower({{ schema_expression }}) not in ({{ excluded | join(', ') }})
    {%- if included %}
    and lower({{ schema_expression }}) in ({{ included | join(', ') }})
    {%- endif -%}
{%- endmacro %}

{% macro _lower_literals(names) -%}
    {%- set literals = [] -%}
    {%- for name in names -%}
        {%- do literals.append(linker.literal(name | lower)) -%}
    {%- endfor -%}
    {{ return(literals) }}
{%- endmacro %}
