{#- The columns of the edges of linker_joins that point elsewhere, one row a column: column_path and the edge's own columns. -#}
{% macro pointing_columns(joins) %}
    select from_database, from_schema, from_table, origin, element as column_path
    from ({{ linker.json_texts(joins, 'from_columns') }}) as edges
{% endmacro %}
