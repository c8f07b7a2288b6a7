{#-
    The pairs of `join_pairs` that one statement measures together, as a list of lists: those that are compared alike, up to
    joins_per_statement, and no more values than fit into memory. The order within each kind stays.
-#}
{% macro join_batches(pairs) -%}
    {%- set most_pairs = var('joins_per_statement', 1000) -%}
    {%- set batches = [] -%}
    {%- set filling = {} -%}
    {%- set read = {} -%}
    {%- for pair in pairs -%}
        {%- set kind = pair['compared'] -%}
        {%- set batch = filling.get(kind) -%}
        {%- if not batch or batch | length >= most_pairs or read[kind] + pair['value_count'] > 4000000 -%}
            {%- set batch = [] -%}
            {%- do batches.append(batch) -%}
            {%- do filling.update({kind: batch}) -%}
            {%- do read.update({kind: 0}) -%}
        {%- endif -%}
        {%- do batch.append(pair) -%}
        {%- do read.update({kind: read[kind] + pair['value_count']}) -%}
    {%- endfor -%}
    {{ return(batches) }}
{%- endmacro %}
