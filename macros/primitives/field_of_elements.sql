{#- The list of one field of all structs in a list; where that field is a list itself, of all its elements. -#}
{% macro field_of_elements(elements, name, is_list) -%}
    {{ return(adapter.dispatch('field_of_elements', 'linker')(elements, name, is_list)) }}
{%- endmacro %}

{#- Postgres and Snowflake flatten their lists as JSON, see `json_leaves`: their types tell no fields of elements. -#}
{% macro default__field_of_elements(elements, name, is_list) -%}
    {{ exceptions.raise_compiler_error('linker: lists of structs are read as JSON on ' ~ target.type) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/lambda -#}
{% macro duckdb__field_of_elements(elements, name, is_list) -%}
    {%- set fields = 'list_transform(' ~ elements ~ ', lambda element: ' ~ linker.field('element', name) ~ ')' -%}
    {{ return('flatten(' ~ fields ~ ')' if is_list else fields) }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/arrays#query_structs_in_an_array -#}
{% macro bigquery__field_of_elements(elements, name, is_list) -%}
    {%- if is_list -%}
        {{ return(
            'array(select inner_element from unnest(' ~ elements ~ ') as element, unnest(element.'
            ~ linker.identifier(name) ~ ') as inner_element)'
        ) }}
    {%- endif -%}
    {{ return('array(select element.' ~ linker.identifier(name) ~ ' from unnest(' ~ elements ~ ') as element)') }}
{%- endmacro %}
