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
