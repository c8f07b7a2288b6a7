{#-
    The fields inside a nested DuckDB type, flattened: a list of {path, data_type, depth}, in the order of the type.
    Enters the type as the catalogue prints it, `STRUCT(a INTEGER, b STRUCT(c VARCHAR)[])[]`; leaves a, b, b.c.
    A list of structs adds no step to the path: `hits.page` is the page of any hit.
-#}
{% macro nested_fields(data_type) -%}
    {%- set fields = [] -%}
    {%- do linker._add_nested_fields(fields, data_type, '', 1) -%}
    {{ return(fields) }}
{%- endmacro %}

{% macro _add_nested_fields(fields, data_type, prefix, depth) -%}
    {%- set element = modules.re.sub('(\\[\\d*\\])+$', '', data_type) -%}
    {%- if element.startswith('STRUCT(') -%}
        {%- for field in linker._split_top_level(element[7:-1]) -%}
            {%- set parts = linker._name_and_type(field) -%}
            {%- set path = prefix ~ linker.path_part(parts[0]) -%}
            {%- do fields.append({'path': path, 'data_type': parts[1], 'depth': depth}) -%}
            {%- do linker._add_nested_fields(fields, parts[1], path ~ '.', depth + 1) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#- Splits at the commas that stand in no bracket and in no quotes. -#}
{% macro _split_top_level(inner) -%}
    {%- set state = namespace(depth=0, start=0) -%}
    {%- set parts = [] -%}
    {%- for token in modules.re.finditer('"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'|[(),]', inner) -%}
        {%- if token.group() == '(' -%}
            {%- set state.depth = state.depth + 1 -%}
        {%- elif token.group() == ')' -%}
            {%- set state.depth = state.depth - 1 -%}
        {%- elif token.group() == ',' and state.depth == 0 -%}
            {%- do parts.append(inner[state.start:token.start()].strip()) -%}
            {%- set state.start = token.end() -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do parts.append(inner[state.start:].strip()) -%}
    {{ return(parts) }}
{%- endmacro %}

{#- `"a ""b""" INTEGER` becomes [a "b", INTEGER]. -#}
{% macro _name_and_type(field) -%}
    {%- set quoted = modules.re.match('"((?:[^"]|"")*)"\\s+(.*)$', field, modules.re.DOTALL) -%}
    {%- if quoted -%}
        {{ return([quoted.group(1).replace('""', '"'), quoted.group(2)]) }}
    {%- endif -%}
    {%- set plain = field.split(' ', 1) -%}
    {{ return([plain[0], plain[1]]) }}
{%- endmacro %}

{#- One step of a path. A name that holds a dot or a quote is quoted, so that a path can be taken apart again. -#}
{% macro path_part(name) -%}
    {%- if '.' in name or '"' in name -%}
        {{ return('"' ~ name.replace('"', '""') ~ '"') }}
    {%- endif -%}
    {{ return(name) }}
{%- endmacro %}
