{#-
    The tables that speak for their logical table, out of the inventory or a relation with its columns: of a family the
    newest, the oldest, and others evenly between, `family_members` in all. Adds member_place: 1 is the newest.
-#}
{% macro members_to_read(inventory) %}
    {%- set gaps = var('family_members', 3) - 1 %}
    select *
    from (
        select
            *,
            row_number() over (
                partition by database_name, schema_name, coalesce(family_name, table_name) order by member_number desc
            ) as member_place
        from {{ inventory }}
    ) as placed
    where
        member_place = 1
        or mod((member_place - 1) * {{ gaps }}, nullif(member_count - 1, 0)) < {{ gaps }}
{% endmacro %}

{#- Whether only some members of a family of partitions were read, for columns of `logical_columns` and `scanned_families`. -#}
{% macro is_read_in_some(columns, families) -%}
    coalesce({{ families }}.kind = 'partitions' and {{ columns }}.member_count > {{ var('family_members', 3) }}, 1 = 0)
{%- endmacro %}
