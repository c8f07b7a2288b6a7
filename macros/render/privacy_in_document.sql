{#-
    As `privacy_of`, for paths that only the values of a column tell, such as the members of JSON: SQL over `sub_path`, the
    path inside the column; `privacy` is what `privacy_of` says of the column itself.
-#}
{% macro privacy_in_document(schema_name, table_name, column_path, privacy, sub_path, rules=none) -%}
    {%- set known = rules or linker.privacy_rules() -%}
    {%- set own = linker._said_in_document(schema_name, table_name, column_path, privacy, sub_path, known) -%}
    {%- set parts = [own] -%}
    {#- A document that is handed on, as by a view, is as private inside as where it came from. -#}
    {%- for origin in linker.origins_of(known, (schema_name ~ '.' ~ table_name) | lower, column_path | lower) if origin.is_same -%}
        {%- set from_schema, _, from_table = origin.table.partition('.') -%}
        {%- do parts.append(linker.privacy_in_document(from_schema, from_table, origin.path, 'detect', sub_path, known)) -%}
    {%- endfor -%}
    {%- set parts = parts | unique | list -%}
    {%- if parts | length == 1 -%}
        {{ return(own) }}
    {%- endif -%}
    case
        {%- for decided in ['exclude', 'hide', 'mask'] %}
        when '{{ decided }}' in ({{ parts | join(', ') }}) then '{{ decided }}'
        {%- endfor %}
        else {{ own }}
    end
{%- endmacro %}

{% macro _said_in_document(schema_name, table_name, column_path, privacy, sub_path, known) -%}
    {%- set table = (schema_name ~ '.' ~ table_name) | lower -%}
    {%- set inside = (column_path | lower) ~ '.' -%}
    {%- set said = known.tables.get(table, {}) -%}
    {%- set branches = [] -%}
    {%- for path in said | sort(reverse=true) if path.startswith(inside) -%}
        {%- set pattern = '^' ~ linker.glob_pattern(path[inside | length:])[1:-1] ~ '($|[.])' -%}
        {%- do branches.append((linker.regex_matches('lower(' ~ sub_path ~ ')', pattern), said[path])) -%}
    {%- endfor -%}
    {%- set name = linker.literal(table ~ '.' ~ inside) ~ ' || lower(' ~ sub_path ~ ')' -%}
    {%- for list in linker._lists_before(known, table, column_path | lower) -%}
        {#- A path is shown only where it is named itself, and not since a list names something around it. -#}
        {%- set end = '$' if list.privacy == 'show' else '($|[.])' -%}
        {%- set alternatives = [] -%}
        {%- for pattern in list.patterns -%}
            {%- do alternatives.append(pattern[1:-1]) -%}
        {%- endfor -%}
        {%- set pattern = '^(' ~ alternatives | join('|') ~ ')' ~ end -%}
        {%- do branches.append((linker.regex_matches(name, pattern), list.privacy)) -%}
    {%- endfor -%}
    {%- if not branches -%}
        {{ return(linker.literal(privacy)) }}
    {%- endif -%}
    case
        {%- for condition, decided in branches %}
        when {{ condition }} then {{ linker.literal(decided) }}
        {%- endfor %}
        else {{ linker.literal(privacy) }}
    end
{%- endmacro %}

{#- The lists that come before the one that decides on the column; none where meta decides on it. -#}
{% macro _lists_before(known, table, path) -%}
    {%- set paths = linker._from_inside_out(path) -%}
    {%- for said in paths + [''] if said in known.tables.get(table, {}) -%}
        {{ return([]) }}
    {%- endfor -%}
    {%- set before = [] -%}
    {%- for list in known.lists -%}
        {%- for candidate in paths if list.any_pattern.match(table ~ '.' ~ candidate) -%}
            {{ return(before) }}
        {%- endfor -%}
        {%- do before.append(list) -%}
    {%- endfor -%}
    {{ return(before) }}
{%- endmacro %}
