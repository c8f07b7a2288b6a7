{#-
    Of a family, the members in which something was seen, as a JSON array of names, the newest first; null where it was seen
    in all that were read. Works on the relation `tables` of a scan, and `is_in_1`, `is_in_2` … of a group.
-#}
{% macro seen_in(most_members, group) -%}
    {%- set seen = [] -%}
    {%- set names = [] -%}
    {%- for place in range(1, most_members + 1) -%}
        {%- do seen.append(group ~ '.is_in_' ~ place) -%}
        {%- do names.append('case when ' ~ group ~ '.is_in_' ~ place ~ " = 1 then ',' || tables.member_" ~ place ~ " else '' end") -%}
    {%- endfor -%}
    case
        when {{ seen | join(' + ') }} < tables.member_count
            then '[' || substr({{ names | join(' || ') }}, 2) || ']'
    end
{%- endmacro %}

{#- For each member that may be read together with others whether a group has it: is_in_1, is_in_2 … -#}
{% macro is_in_members(most_members) -%}
    {%- for place in range(1, most_members + 1) if most_members > 1 %}
        max(case when member_place = {{ place }} then 1 else 0 end) as is_in_{{ place }},
    {%- endfor %}
{%- endmacro %}

{#- Whether a name stands in such a list. -#}
{% macro is_in_list(list, name) -%}
    {%- set backslash, quote = linker.literal('\\'), linker.literal('"') -%}
    {%- set written = 'replace(replace(' ~ name ~ ', ' ~ backslash ~ ', ' ~ linker.literal('\\\\') ~ '), ' ~ quote ~ ', ' ~ linker.literal('\\"') ~ ')' -%}
    {{ return('replace(' ~ list ~ ', ' ~ quote ~ ' || ' ~ written ~ ' || ' ~ quote ~ ", '') <> " ~ list) }}
{%- endmacro %}

{#- A name as it is written there. -#}
{% macro member_in_list(name) -%}
    {{ return('"' ~ name.replace('\\', '\\\\').replace('"', '\\"') ~ '"') }}
{%- endmacro %}
