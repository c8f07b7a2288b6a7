{#-
    fakesnow reads `show objects in a.b` as `show objects in account`, so dbt would find no existing relation. Overrides a macro of
    dbt, not of linker.
-#}
{% macro snowflake__show_objects_sql(schema, max_results_per_iter=10000, watermark=none) %}
    {{ return('show objects in schema ' ~ schema ~ ' limit ' ~ max_results_per_iter) }}
{% endmacro %}
