{#-
    The columns of a table, each with what may be done with its values, as `privacy_of` says it.
    Of a family somebody may have named the newest member: the stricter word counts. What the role may not read is `refuse`.
    Where nobody knows what views are made of, as in a plain `dbt run`, a view's columns stay as private as they were found.
-#}
{% macro with_privacy(table, columns, rules=none) -%}
    {%- set marked = [] -%}
    {%- set paths = columns | map(attribute='column_path') | list -%}
    {%- set said_of_names = [] -%}
    {%- for name in [table.table_name, table.members[0]] | unique -%}
        {%- do said_of_names.append(linker.privacy_of_paths(table.schema_name, name, paths, rules)) -%}
    {%- endfor -%}
    {%- set is_unknown_view = table.table_kind == 'view' and var('lineage', none) is none -%}
    {%- for column in columns -%}
        {%- set said = said_of_names | map(attribute=loop.index0) | list if column['is_readable'] != false else ['refuse'] -%}
        {%- set decided = said[0] -%}
        {%- if said | length > 1 -%}
            {%- set decided = ['exclude', 'hide', 'mask', 'show', 'inherit', 'detect'] | select('in', said) | first -%}
        {%- endif -%}
        {%- if is_unknown_view and decided == 'detect' -%}
            {%- set before = rules.scanned.get((table.schema_name ~ '.' ~ table.members[0]) | lower, {}) if rules else {} -%}
            {%- set decided = {'exclude': 'exclude', 'hide': 'hide', 'mask': 'inherit'}.get(before.get(column.column_path | lower), 'detect') -%}
        {%- endif -%}
        {%- do marked.append(dict(column, privacy=decided)) -%}
    {%- endfor -%}
    {{ return(marked) }}
{%- endmacro %}
