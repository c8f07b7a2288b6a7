{#- Rows that occur in only one of two relations. -#}
{% macro differing_rows(found, expected) %}
select 'only found' as side, * from (select * from {{ found }} except select * from {{ expected }}) as more
union all
select 'only expected' as side, * from (select * from {{ expected }} except select * from {{ found }}) as fewer
{% endmacro %}
