{#- The measures over all rows of a column, as SQL by name, in the types that the columns of the journal have; none where one makes
    no sense. A floating-point number counts where it is finite. The warehouse is asked for its estimate of the distinct
    values only where the sample does not hold every row. -#}
{% macro row_measures(column, hidden, is_sampled) -%}
    {%- set kind = column.value_kind -%}
    {%- set measures = {'value_count': 'count(' ~ column.value ~ ')'} -%}
    {%- if hidden -%}
        {{ return(measures) }}
    {%- endif -%}
    {%- if is_sampled and kind in ['integer', 'number', 'text', 'date', 'timestamp', 'time'] -%}
        {%- do measures.update({'distinct_estimate': linker.approx_distinct(column.value)}) -%}
    {%- endif -%}
    {%- if kind in ['integer', 'number', 'text', 'date', 'timestamp', 'time', 'interval'] -%}
        {#- In the form in which the smallest and the largest are looked for. -#}
        {%- set ordered = linker.as_written(column) -%}
        {%- if linker.is_of_type(column.data_type, 'floating') -%}
            {%- set ordered = linker.finite(column.value) -%}
        {%- elif linker.type_name(column.data_type) == 'enum' -%}
            {%- set ordered = linker.place_in_order(column.value, column.data_type) -%}
        {%- elif linker.is_of_type(column.data_type, 'in an order of its own') -%}
            {%- set ordered = column.value -%}
        {%- endif -%}
        {%- do measures.update({'min_value': 'min(' ~ ordered ~ ')', 'max_value': 'max(' ~ ordered ~ ')'}) -%}
    {%- endif -%}
    {%- if kind in ['integer', 'number'] -%}
        {%- set number = linker.bounded(column.value, column.data_type) -%}
        {%- do measures.update({'mean': 'avg(' ~ number ~ ')', 'deviation': 'stddev_samp(' ~ number ~ ')'}) -%}
    {%- elif kind in ['text', 'binary', 'list'] -%}
        {%- set length = linker.value_length(linker.as_written(column), kind) -%}
        {%- do measures.update({
            'min_length': 'min(' ~ length ~ ')', 'max_length': 'max(' ~ length ~ ')', 'mean_length': 'avg(' ~ length ~ ')'
        }) -%}
    {%- endif -%}
    {{ return(measures) }}
{%- endmacro %}

{#- The entropy in bits of a group of values, of which `count` says how often each occurs. -#}
{% macro entropy(count) -%}
    {{ return(
        '(ln(sum(' ~ count ~ ')) - sum(' ~ count ~ ' * ln(' ~ count ~ ')) / sum(' ~ count ~ ')) / ln(2)'
    ) }}
{%- endmacro %}

{#- An equi-depth histogram out of 21 quantiles: ten buckets, each with a tenth of the values, as the text of a JSON array. -#}
{% macro histogram(quantiles) -%}
    {%- set buckets = [] -%}
    {%- for bucket in range(10) -%}
        {%- set ends = [] -%}
        {%- for place in [bucket * 2, bucket * 2 + 2] -%}
            {%- do ends.append('cast(' ~ linker.list_number(quantiles, place) ~ ' as ' ~ dbt.type_string() ~ ')') -%}
        {%- endfor -%}
        {%- do buckets.append(
            "'{\"from\": ' || " ~ ends[0] ~ " || ', \"to\": ' || " ~ ends[1] ~ " || ', \"share\": 0.1}'"
        ) -%}
    {%- endfor -%}
    {{ return('case when ' ~ quantiles ~ " is not null then '[' || " ~ buckets | join(" || ', ' || ") ~ " || ']' end") }}
{%- endmacro %}

{#- The share of the days from the first quantile to the last that have a value. -#}
{% macro day_coverage(day_count, quantiles) -%}
    {%- set first = 'floor(' ~ linker.list_number(quantiles, 0) ~ ' / 86400)' -%}
    {%- set last = 'floor(' ~ linker.list_number(quantiles, 20) ~ ' / 86400)' -%}
    {{ return(
        'case when ' ~ day_count ~ ' is not null then cast(' ~ day_count ~ ' as ' ~ linker.double_type() ~ ') / ('
        ~ last ~ ' - ' ~ first ~ ' + 1) end'
    ) }}
{%- endmacro %}
