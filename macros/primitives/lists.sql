{#- Structs, lists and JSON: fields of a struct, elements of a list, and lists as text. -#}

{#- A field of a struct. -#}
{% macro field(expression, name) -%}
    {{ return(linker.dialect().field.format(
        struct=expression, name=linker.identifier(name), text=linker.literal(name)
    )) }}
{%- endmacro %}

{#-
    The list of one field of all structs in a list; if that field is a list, of all its elements. `list_levels` is 2 for a list
    of lists; `outer_levels` are those between the elements and their structs.
-#}
{% macro field_of_elements(elements, name, list_levels, outer_levels=0) -%}
    {%- set dialect = linker.dialect() -%}
    {#- Postgres and Snowflake flatten lists as JSON, see `json_leaves`, as their types have no element fields. -#}
    {%- if not dialect.field_of_elements -%}
        {{ exceptions.raise_compiler_error('linker: lists of structs are read as JSON on ' ~ target.type) }}
    {%- endif -%}
    {%- set templates = [] -%}
    {%- if dialect.flattened -%}
        {%- do templates.extend([dialect.flattened] * outer_levels) -%}
    {%- endif -%}
    {%- set kind = 'list' if list_levels and 'list' in dialect.field_of_elements else 'any' -%}
    {%- do templates.append(dialect.field_of_elements[kind]) -%}
    {%- if dialect.flattened -%}
        {%- do templates.extend([dialect.flattened] * list_levels) -%}
    {%- endif -%}
    {%- set found = namespace(list=elements) -%}
    {%- for template in templates -%}
        {%- set found.list = template.format(list=found.list, name=linker.identifier(name), text=linker.literal(name)) -%}
    {%- endfor -%}
    {{ return(found.list) }}
{%- endmacro %}

{#- The clause after a relation in `from` that makes each list element a row, with the column `element`. -#}
{% macro unnest_list(elements) -%}
    {{ return(linker.dialect().unnest_list.format(list=elements)) }}
{%- endmacro %}

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

{#- A JSON array of numbers in text form, as `list_number` reads it. -#}
{% macro number_list(expression) -%}
    {{ return(linker.dialect().number_list.format(json=expression)) }}
{%- endmacro %}

{#- The number at a 0-based position of a list read by `number_list`. -#}
{% macro list_number(expression, place) -%}
    {{ return(linker.dialect().list_number.format(list=expression, place=place, place_from_1=place + 1)) }}
{%- endmacro %}
