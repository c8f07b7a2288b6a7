{#-
    The columns of a table, each with what may be done with its values, as `privacy_of` says it.
    Of a family somebody may have named the newest member: the stricter word counts.
-#}
{% macro with_privacy(table, columns, rules=none) -%}
    {%- set marked = [] -%}
    {%- for column in columns -%}
        {%- set said = [] -%}
        {%- for name in [table.table_name, table.members[0]] | unique -%}
            {%- do said.append(linker.privacy_of(table.schema_name, name, column.column_path, rules)) -%}
        {%- endfor -%}
        {%- set decided = ['hide', 'mask', 'show', 'inherit', 'detect'] | select('in', said) | first -%}
        {%- do marked.append(dict(column, privacy=decided)) -%}
    {%- endfor -%}
    {{ return(marked) }}
{%- endmacro %}
