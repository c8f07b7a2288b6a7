{#- Ends a run in a warehouse that nobody taught this package; parsing goes on, since it is not ours alone. -#}
{% macro refuse_warehouse() -%}
    {%- if execute -%}
        {{ exceptions.raise_compiler_error(
            'linker: this version profiles duckdb, postgres, snowflake and bigquery, and no ' ~ target.type ~ ' warehouse; '
            ~ 'to leave the package out: vars: {linker_enabled: false}'
        ) }}
    {%- endif -%}
    {{ return('') }}
{%- endmacro %}
