{#-
    A select of the values of a side's columns as value_1, value_2 …, of all its relations. Columns are all of the row
    itself, or all inside of columns; of several paths none leads through a list or a document. `forms` of a side keeps how
    values of a kind are written.
-#}
{% macro join_values(side, reads_text) -%}
    {%- set selects = [] -%}
    {%- for relation in side.relations -%}
        {%- do selects.append(
            linker._join_values_inside(side, relation, reads_text)
            if side.is_discovered or ('.' in side.columns[0] and linker._is_nested_path(side.columns[0]))
            else linker._join_values_of_columns(side, relation, reads_text)
        ) -%}
    {%- endfor -%}
    {{ return(selects | join(' union all ')) }}
{%- endmacro %}

{% macro _is_nested_path(path) -%}
    {{ return('.' in modules.re.sub('"(?:[^"]|"")*"', '', path)) }}
{%- endmacro %}

{% macro _join_values_of_columns(side, relation, reads_text) -%}
    {%- set selected = [] -%}
    {%- for path in side.columns -%}
        {%- set name = linker.identifier(path[1:-1].replace('""', '"') if path.startswith('"') else path) -%}
        {%- set kind = side.kinds[loop.index0] -%}
        {%- if (kind, reads_text) not in side.forms -%}
            {%- do side.forms.update({(kind, reads_text): linker._join_value('__value__', kind, reads_text)}) -%}
        {%- endif -%}
        {%- do selected.append(side.forms[(kind, reads_text)] | replace('__value__', name) ~ ' as value_' ~ loop.index) -%}
    {%- endfor -%}
    {{ return('select ' ~ selected | join(', ') ~ ' from ' ~ relation) }}
{%- endmacro %}

{#- Integers are compared as they are, all else as text. -#}
{% macro _join_value(value, kind, reads_text) -%}
    {{ return(value if kind == 'integer' and not reads_text else linker.as_text(value, kind)) }}
{%- endmacro %}

{#- Inside a struct, a list or a document. Documents are taken apart for some thousand rows only. -#}
{% macro _join_values_inside(side, relation, reads_text) -%}
    {%- set ancestors = [] -%}
    {%- for row in side.declared -%}
        {%- for path in side.columns if row.column_path == path or path.startswith(row.column_path ~ '.') -%}
            {%- if loop.first -%}{%- do ancestors.append(dict(row, privacy='show')) -%}{%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set found = linker.scan_columns(ancestors, false) -%}
    {%- set bases = [] -%}
    {%- for base in found.bases -%}
        {%- do bases.append(linker.identifier(base.name) ~ ' as b' ~ base.number) -%}
    {%- endfor -%}
    {%- set source = '(select ' ~ bases | join(', ') ~ ' from ' ~ relation
        ~ (' limit ' ~ var('join_documents', 5000) if side.is_discovered else '') ~ ') as source' -%}
    {%- set place = found.columns[-1] -%}
    {%- if place.elements -%}
        {%- set source = source ~ ' ' ~ linker.unnest_list(place.elements) -%}
    {%- endif -%}
    {%- if side.is_discovered -%}
        {{ return(linker._join_values_of_documents(place, source, side.columns[0][ancestors[-1].column_path | length + 1:])) }}
    {%- endif -%}
    {%- set selected = [] -%}
    {%- for path in side.columns -%}
        {%- set value = (found.columns | selectattr('column_path', 'equalto', path) | first).value -%}
        {%- do selected.append(linker._join_value(value, side.kinds[loop.index0], reads_text) ~ ' as value_' ~ loop.index) -%}
    {%- endfor -%}
    {{ return('select ' ~ selected | join(', ') ~ ' from ' ~ source) }}
{%- endmacro %}

{% macro _join_values_of_documents(place, source, sub_path) -%}
    {{ return(
        'select value as value_1 from (with documents as (select 1 as column_number, '
        ~ linker.as_text(linker.plain_value(place.value, place.data_type), place.value_kind) ~ ' as value from ' ~ source
        ~ ') select sub_path, value from (' ~ linker.json_leaves() ~ ') as leaves) as inner_values where sub_path = '
        ~ linker.literal(sub_path)
    ) }}
{%- endmacro %}
