{#- fakesnow reads `show objects in a.b` as `show objects in account`, and dbt would find no relation that is there.
    A macro of dbt's own, not of linker. -#}
{% macro snowflake__show_objects_sql(schema, max_results_per_iter=10000, watermark=none) %}
    {{ return('show objects in schema ' ~ schema ~ ' limit ' ~ max_results_per_iter) }}
{% endmacro %}
