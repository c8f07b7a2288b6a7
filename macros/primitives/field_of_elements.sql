{#-
    The list of one field of all structs in a list; where that field is a list itself, of all its elements.
    `list_levels` says how often: 2 for a list of lists. `outer_levels` are those between the elements and their structs.
-#}
{% macro field_of_elements(elements, name, list_levels, outer_levels=0) -%}
    {{ return(adapter.dispatch('field_of_elements', 'linker')(elements, name, list_levels, outer_levels)) }}
{%- endmacro %}

{#- Postgres and Snowflake flatten their lists as JSON, see `json_leaves`: their types tell no fields of elements. -#}
{% macro default__field_of_elements(elements, name, list_levels, outer_levels) -%}
    {{ exceptions.raise_compiler_error('linker: lists of structs are read as JSON on ' ~ target.type) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/lambda -#}
{% macro duckdb__field_of_elements(elements, name, list_levels, outer_levels) -%}
    {%- set structs = 'flatten(' * outer_levels ~ elements ~ ')' * outer_levels -%}
    {%- set fields = 'list_transform(' ~ structs ~ ', lambda element: ' ~ linker.field('element', name) ~ ')' -%}
    {{ return('flatten(' * list_levels ~ fields ~ ')' * list_levels) }}
{%- endmacro %}

{#- There are no arrays of arrays. https://cloud.google.com/bigquery/docs/arrays#query_structs_in_an_array -#}
{% macro bigquery__field_of_elements(elements, name, list_levels, outer_levels) -%}
    {%- if list_levels -%}
        {{ return(
            'array(select inner_element from unnest(' ~ elements ~ ') as element, unnest(element.'
            ~ linker.identifier(name) ~ ') as inner_element)'
        ) }}
    {%- endif -%}
    {{ return('array(select element.' ~ linker.identifier(name) ~ ' from unnest(' ~ elements ~ ') as element)') }}
{%- endmacro %}
