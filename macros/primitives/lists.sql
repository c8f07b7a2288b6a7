{#- Lists and JSON: elements of a list, and lists as text. -#}

{#- All texts of a group, in order, as a JSON array of strings. -#}
{% macro text_list(expression, order_by) -%}
    {{ return(linker.dialect().text_list.format(text=expression, order=order_by)) }}
{%- endmacro %}

{#-
    The values of a group with their counts, most frequent first, as the text of [{"value": …, "count": …}]; with `members`,
    a JSON array, if it is not null.
-#}
{% macro counted_list(value, count, members=none) -%}
    {%- set dialect = linker.dialect() -%}
    {%- set template = dialect.counted_list_with_members if members else dialect.counted_list -%}
    {{ return(template.format(value=value, count=count, members=members)) }}
{%- endmacro %}

{#- The texts of a JSON array of strings in a text column: all columns of the relation, and `element`. -#}
{% macro json_texts(relation, expression) %}
    {%- set dialect = linker.dialect() %}
    select listed.*, {{ dialect.json_text.format(json=expression) }}
    from {{ relation }} as listed
    {%- if dialect.json_texts %}
    {{ dialect.json_texts.format(json=expression) }}
    {%- endif %}
{% endmacro %}

{#- The number at a 0-based position of a list read by the dialect's `number_list`. -#}
{% macro list_number(expression, place) -%}
    {{ return(linker.dialect().list_number.format(list=expression, place=place, place_from_1=place + 1)) }}
{%- endmacro %}
