{#- A statement after which the warehouse joins by hashing until the transaction ends; empty where it needs no word for it. -#}
{% macro joins_by_hash() -%}
    {{ return(adapter.dispatch('joins_by_hash', 'linker')()) }}
{%- endmacro %}

{% macro default__joins_by_hash() -%}
    {{ return('') }}
{%- endmacro %}

{#- Our tables are new, and nobody analyzed them: for 6,000 columns nested loops took minutes, hashes a fifth of a second.
    https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-ENABLE-NESTLOOP -#}
{% macro postgres__joins_by_hash() -%}
    {{ return('set local enable_nestloop = off;') }}
{%- endmacro %}
