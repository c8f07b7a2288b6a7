{#- Those of the given rows, by schema_name and table_name, that the project asks for: neither artifacts, of this or of
    another environment, nor what dbt makes on its way. Others' artifacts are known by what stands beside them: a
    developer has them in a schema of another name. `rows` is a relation, or a query in parentheses. -#}
{% macro in_scope(rows) -%}
    {%- set included = linker._lower_literals(var('include_schemas', [])) -%}
    {%- set excluded = linker._lower_literals(var('exclude_schemas', []) + ['information_schema']) %}
    select * from (
        select
            *,
            {%- for name in ['linker_attempts', 'linker_scans', 'linker_tables'] %}
            max(case when lower(table_name) like '%{{ name }}%' then 1 else 0 end) over (partition by schema_name){{ ' +' if not loop.last }}
            {%- endfor %} as artifact_signs
        from {{ rows }} as listed
    ) as marked
    where
        lower(schema_name) not in ({{ excluded | join(', ') }})
        {%- if included %}
        and lower(schema_name) in ({{ included | join(', ') }})
        {%- endif %}
        {%- for schema, names in linker._own_names().items() %}
        and not (lower(schema_name) = {{ linker.literal(schema) }} and lower(table_name) in ({{ linker._lower_literals(names) | join(', ') }}))
        {%- endfor %}
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not {{ linker.regex_matches('lower(table_name)', '__dbt_(tmp|backup)') }}
{%- endmacro %}

{#- Our own names, by schema. -#}
{% macro _own_names() -%}
    {%- set own = {} -%}
    {%- for node in graph.get('nodes', {}).values() if node.package_name == 'linker' and node.resource_type == 'model' -%}
        {%- do own.setdefault(node.schema | lower, []).append(node.alias) -%}
    {%- endfor -%}
    {{ return(own) }}
{%- endmacro %}

{% macro _lower_literals(names) -%}
    {%- set literals = [] -%}
    {%- for name in names -%}
        {%- do literals.append(linker.literal(name | lower)) -%}
    {%- endfor -%}
    {{ return(literals) }}
{%- endmacro %}
