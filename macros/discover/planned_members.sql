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
    select database_name, schema_name, table_name, table_kind
    from (
        select
            *,
            row_number() over (
                partition by database_name, schema_name, coalesce(family_name, table_name) order by member_number desc
            ) as member_place
        from {{ inventory }}
    ) as placed
    where member_place <= {{ var('family_members', 3) }}
    order by database_name, schema_name, table_name
{% endmacro %}
