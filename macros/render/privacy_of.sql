{#-
    Whether the values of a column may be seen: 'show', 'mask', 'hide', or 'detect' where nobody said.

    The first that says something wins: `meta: {linker: {privacy: …}}` of the column, then of the table, in any model,
    source, seed or snapshot of that schema and name; then the lists `hide_columns`, `mask_columns`, `show_columns` and
    `secret_columns` of the vars. What is said of a column holds for the paths inside it, unless they are named themselves.
    For many columns pass `rules`, made once by `privacy_rules`.
-#}
{% macro privacy_of(schema_name, table_name, column_path, rules=none) -%}
    {%- set known = rules or linker.privacy_rules() -%}
    {%- set table = (schema_name ~ '.' ~ table_name) | lower -%}
    {%- set paths = linker._from_inside_out(column_path | lower) -%}
    {%- set said = known.tables.get(table) -%}
    {%- if said -%}
        {%- for path in paths + [''] if path in said -%}
            {{ return(said[path]) }}
        {%- endfor -%}
    {%- endif -%}
    {%- for list in known.lists -%}
        {%- for path in paths if list.any_pattern.match(table ~ '.' ~ path) -%}
            {{ return(list.privacy) }}
        {%- endfor -%}
    {%- endfor -%}
    {{ return('detect') }}
{%- endmacro %}

{#- `a.b.c` as a.b.c, a.b, a. -#}
{% macro _from_inside_out(path) -%}
    {%- set paths = [path] -%}
    {%- for dot in modules.re.finditer('[.]', path) -%}
        {%- do paths.insert(1, path[:dot.start()]) -%}
    {%- endfor -%}
    {{ return(paths) }}
{%- endmacro %}
