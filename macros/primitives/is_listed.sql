{#- Whether values of the kind 'other' are listed as texts. Shapes on a map and vectors say nothing as texts, and a type that
    is not known to have a text would stop the scan. -#}
{% macro is_listed(data_type) -%}
    {{ return(adapter.dispatch('is_listed', 'linker')(data_type)) }}
{%- endmacro %}

{% macro default__is_listed(data_type) -%}
    {{ return(linker.type_name(data_type) not in [
        'geometry', 'geography', 'raster', 'box2d', 'box3d', 'vector', 'halfvec', 'sparsevec',
    ]) }}
{%- endmacro %}

{#- GEOGRAPHY, GEOMETRY, VECTOR, FILE and MAP cannot be cast to a text.
    https://docs.snowflake.com/en/sql-reference/data-type-conversion -#}
{% macro snowflake__is_listed(data_type) -%}
    {{ return(false) }}
{%- endmacro %}
