{#-
    Measures over all rows of a column, as SQL by name, in the journal's types; null if undefined. Floating-point numbers count
    if finite. The warehouse's distinct count estimate is computed only if the sample lacks rows.
-#}
{% macro row_measures(column, hidden, is_sampled) -%}
    {%- set kind = column.value_kind -%}
    {%- set measures = {'value_count': 'count(' ~ column.value ~ ')'} -%}
    {%- if hidden -%}
        {{ return(measures) }}
    {%- endif -%}
    {#- As text, for types without a text form until cast. -#}
    {%- set written = column.value -%}
    {%- if kind == 'text' and linker.is_of_type(column.data_type, 'written as text') -%}
        {%- set written = linker.as_text(column.value, 'text') -%}
    {%- endif -%}
    {%- if is_sampled and kind in ['integer', 'number', 'text', 'date', 'timestamp', 'time'] -%}
        {%- set estimate = linker.dialect().approx_distinct -%}
        {%- do measures.update({'distinct_estimate': estimate.format(value=column.value) if estimate else none}) -%}
    {%- endif -%}
    {%- if kind in ['integer', 'number', 'text', 'date', 'timestamp', 'time', 'interval'] -%}
        {#- In the form used for minimum and maximum. -#}
        {%- set ordered = written -%}
        {%- if linker.is_of_type(column.data_type, 'floating') -%}
            {%- set ordered = linker.finite(column.value) -%}
        {%- elif linker.type_name(column.data_type) == 'enum' -%}
            {%- set ordered = linker.dialect().place_in_order.format(value=column.value, labels=column.data_type[5:-1]) -%}
        {%- elif linker.is_of_type(column.data_type, 'in an order of its own') -%}
            {%- set ordered = column.value -%}
        {%- endif -%}
        {%- do measures.update({'min_value': 'min(' ~ ordered ~ ')', 'max_value': 'max(' ~ ordered ~ ')'}) -%}
    {%- endif -%}
    {%- if kind in ['integer', 'number'] -%}
        {%- set number = linker.bounded(column.value, column.data_type) -%}
        {%- do measures.update({'mean': 'avg(' ~ number ~ ')', 'deviation': 'stddev_samp(' ~ number ~ ')'}) -%}
    {%- elif kind in ['text', 'binary', 'list'] -%}
        {%- set length = linker.value_length(written, kind) -%}
        {%- do measures.update({
            'min_length': 'min(' ~ length ~ ')', 'max_length': 'max(' ~ length ~ ')', 'mean_length': 'avg(' ~ length ~ ')'
        }) -%}
    {%- endif -%}
    {{ return(measures) }}
{%- endmacro %}

{#- Entropy in bits of a group of values with their counts. -#}
{% macro entropy(count) -%}
    {{ return(
        '(ln(sum(' ~ count ~ ')) - sum(' ~ count ~ ' * ln(' ~ count ~ ')) / sum(' ~ count ~ ')) / ln(2)'
    ) }}
{%- endmacro %}
