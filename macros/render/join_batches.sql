{#-
    The pairs of `join_pairs` that one statement measures together, as a list of lists: those that are compared alike, up to
    joins_per_statement, and no more values than fit into memory. The order within each kind stays.
-#}
{% macro join_batches(pairs) -%}
    {%- set batches = [] -%}
    {%- set filling = {} -%}
    {%- for pair in pairs -%}
        {%- set batch = filling.get(pair.compared) -%}
        {%- if not batch or batch.pairs | length >= var('joins_per_statement', 200) or batch['values'] + pair.value_count > 4000000 -%}
            {%- set batch = {'pairs': [], 'values': 0} -%}
            {%- do filling.update({pair.compared: batch}) -%}
            {%- do batches.append(batch.pairs) -%}
        {%- endif -%}
        {%- do batch.pairs.append(pair) -%}
        {%- do batch.update({'values': batch['values'] + pair.value_count}) -%}
    {%- endfor -%}
    {{ return(batches) }}
{%- endmacro %}
