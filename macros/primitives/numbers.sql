{#- Numbers and timestamps. -#}

{#- A number in its own type, null if infinite or NaN. -#}
{% macro finite(expression) -%}
    {{ return(linker.dialect().finite.format(number=expression)) }}
{%- endmacro %}

{#- 21 quantiles of a number in steps of 5 %, each an existing value, as the text of a JSON array. -#}
{% macro quantiles(expression) -%}
    {%- set dialect = linker.dialect() -%}
    {%- set quantiles = [] -%}
    {%- for step in range(21) -%}
        {%- do quantiles.append(dialect.quantile.format(share=(step * 5 / 100) | round(2), number=expression)) -%}
    {%- endfor -%}
    {{ return(dialect.quantiles.format(quantiles=quantiles | join(', '), number=expression)) }}
{%- endmacro %}

{#- The current time in UTC, as a timestamp without a zone (on BigQuery, its TIMESTAMP). -#}
{% macro now_utc() -%}
    {%- set moment = modules.datetime.datetime.now(modules.pytz.utc).strftime('%Y-%m-%d %H:%M:%S.%f') -%}
    {{ return(linker.dialect().now_utc.format(moment=moment)) }}
{%- endmacro %}

{#- A date or timestamp as seconds since 1970, as double. Infinite dates are null. -#}
{% macro seconds_since_1970(expression) -%}
    {{ return(linker.dialect().seconds_since_1970.format(moment=expression)) }}
{%- endmacro %}
