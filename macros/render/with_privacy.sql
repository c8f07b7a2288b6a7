{#-
    The columns of a table, each with what may be done with its values, as `privacy_of` says it.
    Of a family somebody may have named the newest member: the stricter word counts. What the role may not read is `refuse`.
    Where nobody knows what views are made of, as in a plain `dbt run`, a view's columns stay as private as they were found.
-#}
{% macro with_privacy(table, columns, rules=none) -%}
    {%- set marked = [] -%}
    {%- for column in columns -%}
        {%- set said = [] -%}
        {%- for name in [table.table_name, table.members[0]] | unique -%}
            {%- do said.append(linker.privacy_of(table.schema_name, name, column.column_path, rules)) -%}
        {%- endfor -%}
        {%- if column.is_readable == false -%}
            {%- set said = ['refuse'] -%}
        {%- endif -%}
        {%- set decided = ['refuse', 'exclude', 'hide', 'mask', 'show', 'inherit', 'detect'] | select('in', said) | first -%}
        {%- if decided == 'detect' and table.table_kind == 'view' and var('lineage', none) is none -%}
            {%- set before = rules.scanned.get((table.schema_name ~ '.' ~ table.members[0]) | lower, {}) if rules else {} -%}
            {%- set decided = {'exclude': 'exclude', 'hide': 'hide', 'mask': 'inherit'}.get(before.get(column.column_path | lower), 'detect') -%}
        {%- endif -%}
        {%- do marked.append(dict(column, privacy=decided)) -%}
    {%- endfor -%}
    {{ return(marked) }}
{%- endmacro %}
