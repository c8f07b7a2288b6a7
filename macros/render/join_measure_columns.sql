{#- The columns of linker_join_measures in the order in which the statement gives them. -#}
{% macro join_measure_columns() -%}
    {{ return([
        'from_database', 'from_schema', 'from_table', 'from_columns', 'from_fingerprint',
        'to_database', 'to_schema', 'to_table', 'to_columns', 'to_fingerprint',
        'measured_at', 'sampled_values', 'found_values', 'key_uniqueness',
    ]) }}
{%- endmacro %}
