{#- The physical tables that the next scans may read, as the inventory stands: a list of {database, schema, name, kind}. -#}
{% macro planned_members(inventory) -%}
    {%- set members = [] -%}
    {%- if linker.can_ask() -%}
        {%- for row in run_query(linker._planned_members_query(inventory)).rows -%}
            {%- do members.append({'database': row[0], 'schema': row[1], 'name': row[2], 'kind': row[3]}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(members) }}
{%- endmacro %}

{% macro _planned_members_query(inventory) %}
    {%- set inputs = var('view_inputs', none) or {} %}
    select database_name, schema_name, table_name, table_kind
    from ({{ linker.members_to_read(inventory) }}) as members
    {%- if inputs %}
    union
    select database_name, schema_name, table_name, table_kind
    from {{ inventory }}
    where lower(schema_name || '.' || table_name) in ({{ linker._literals(inputs.values() | sum(start=[]) | unique | list) }})
    {%- endif %}
    order by database_name, schema_name, table_name
{% endmacro %}
