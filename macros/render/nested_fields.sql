{#-
    The fields inside a nested type, flattened: a list of {path, data_type, depth}, in the order of the type. Takes a type as the
    catalogue prints it, `STRUCT(a INTEGER, b STRUCT(c VARCHAR)[])[]` in DuckDB and
    `array<struct<a:int,b:array<struct<c:string>>>>` in Databricks; returns a, b, b.c.
    A list of structs adds no step to the path: `hits.page` is the page of any hit.
-#}
{% macro nested_fields(data_type, prefix='', depth=1) -%}
    {%- set fields = [] -%}
    {%- set lists = linker.array_levels(data_type) -%}
    {%- set element = modules.re.sub('(\\[\\d*\\])+$', '', data_type[6 * lists:data_type | length - lists]) -%}
    {%- if not element.startswith(('STRUCT(', 'struct<')) -%}
        {{ return(fields) }}
    {%- endif -%}
    {#- Split at commas outside brackets and quotes. -#}
    {%- set inner = element[7:-1] -%}
    {%- set state = namespace(depth=0, start=0) -%}
    {%- set written = [] -%}
    {%- for token in modules.re.finditer('"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'|`[^`]*`|[(<>),]', inner) -%}
        {%- if token.group() in '(<' -%}
            {%- set state.depth = state.depth + 1 -%}
        {%- elif token.group() in '>)' -%}
            {%- set state.depth = state.depth - 1 -%}
        {%- elif token.group() == ',' and state.depth == 0 -%}
            {%- do written.append(inner[state.start:token.start()].strip()) -%}
            {%- set state.start = token.end() -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do written.append(inner[state.start:].strip()) -%}
    {%- for field in written -%}
        {#- `"a ""b""" INTEGER` is the field a "b". -#}
        {%- set quoted = modules.re.match('"((?:[^"]|"")*)"\\s+(.*)$', field, modules.re.DOTALL) -%}
        {%- set plain = field.split(':' if element.startswith('struct<') else ' ', 1) -%}
        {%- set name = quoted.group(1).replace('""', '"') if quoted else plain[0] -%}
        {%- set field_type = quoted.group(2) if quoted else plain[1] -%}
        {%- set path = prefix ~ linker.path_part(name) -%}
        {%- do fields.append({'path': path, 'data_type': field_type, 'depth': depth}) -%}
        {%- do fields.extend(linker.nested_fields(field_type, path ~ '.', depth + 1)) -%}
    {%- endfor -%}
    {{ return(fields) }}
{%- endmacro %}

{#- One step of a path, quoted if it contains a dot or a quote, so that paths can be parsed. -#}
{% macro path_part(name) -%}
    {%- if '.' in name or '"' in name -%}
        {{ return('"' ~ name.replace('"', '""') ~ '"') }}
    {%- endif -%}
    {{ return(name) }}
{%- endmacro %}
