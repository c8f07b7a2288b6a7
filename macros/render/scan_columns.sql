{#-
    What a scan measures of a table's columns. Enters rows of linker_declared_columns in their order, each with `privacy`;
    leaves {bases, columns}: the columns that the source selects as b1, b2 …, and one dict a column or path:
    column_number, column_path, value_kind, privacy, value (an expression over the source), elements (the list that a path
    inside one is over), is_measured (over all rows), measures (their SQL by name), is_collected (in the sample), text and number (of a sampled value).
-#}
{% macro scan_columns(declared, is_sampled, first_number=1) -%}
    {%- set bases = [] -%}
    {%- set columns = [] -%}
    {%- set parents = {} -%}
    {%- for row in declared -%}
        {%- if row.depth == 0 -%}
            {%- do bases.append({'number': bases | length + 1, 'name': row.column_name}) -%}
        {%- endif -%}
        {%- set place = linker._place_of(row, parents.get(row.depth - 1), bases | length) -%}
        {%- set kind = linker.value_kind(row.data_type) -%}
        {%- set hidden = row.privacy == 'hide' or (row.depth > 0 and parents[row.depth - 1].privacy == 'hide') -%}
        {%- set column = {
            'column_number': columns | length + first_number,
            'base_number': bases | length,
            'column_path': row.column_path,
            'data_type': row.data_type,
            'value_kind': kind,
            'privacy': 'hide' if hidden else row.privacy,
            'value': place.value,
            'elements': place.elements,
            'is_measured': not place.elements,
            'is_collected': not hidden and kind not in ['struct', 'binary', 'other'],
        } -%}
        {%- do parents.update({row.depth: column}) -%}
        {%- do column.update({'measures': linker.row_measures(column, is_sampled) if column.is_measured else {}}) -%}
        {%- do columns.append(dict(column, **(linker._sampled_expressions(column) if column.is_collected else {}))) -%}
    {%- endfor -%}
    {{ return({'bases': bases, 'columns': columns}) }}
{%- endmacro %}

{#- Where a column's values are: a value of the row, or the elements of a list in it. -#}
{% macro _place_of(row, parent, base_number) -%}
    {%- if row.depth == 0 -%}
        {{ return({'value': 'b' ~ base_number, 'elements': none}) }}
    {%- endif -%}
    {%- set step = row.column_path[parent.column_path | length + 1:] -%}
    {%- set name = step[1:-1].replace('""', '"') if step.startswith('"') else step -%}
    {%- if parent.elements or parent.value_kind == 'list' -%}
        {#- The elements of a list inside a list are laid bare already. -#}
        {%- set outer_levels = 0 if parent.elements else linker._list_levels(parent.data_type) - 1 -%}
        {%- set elements = linker.field_of_elements(
            parent.elements or parent.value, name, linker._list_levels(row.data_type), outer_levels
        ) -%}
        {{ return({'value': 'element', 'elements': elements}) }}
    {%- endif -%}
    {{ return({'value': linker.field(parent.value, name), 'elements': none}) }}
{%- endmacro %}

{#- 0 for what is no list, 2 for a list of lists. -#}
{% macro _list_levels(data_type) -%}
    {%- set levels = modules.re.search('(\\[[0-9]*\\])+$', data_type | trim) -%}
    {{ return(levels.group().count('[') if levels else 1 if linker.value_kind(data_type) == 'list' else 0) }}
{%- endmacro %}

{#- The text and the number that stand for one sampled value; for a list, for one of its elements. -#}
{% macro _sampled_expressions(column) -%}
    {%- set kind = column.value_kind -%}
    {%- set value = column.value -%}
    {%- set elements = column.elements -%}
    {%- set data_type = column.data_type -%}
    {%- if kind == 'list' and not linker.reads_lists_as_json() -%}
        {%- set inner = linker.element_type(column.data_type) -%}
        {%- set data_type = inner -%}
        {%- set kind = linker.value_kind(inner) -%}
        {%- set elements = elements or value -%}
        {%- set value = 'element' -%}
        {%- if kind in ['struct', 'binary', 'other', 'list'] -%}
            {{ return({'is_collected': false}) }}
        {%- endif -%}
    {%- endif -%}
    {%- set number = 'cast(null as ' ~ linker.double_type() ~ ')' -%}
    {%- if kind in ['integer', 'number'] -%}
        {%- set number = linker.bounded(value, linker.is_floating(data_type)) -%}
    {%- elif kind in ['date', 'timestamp'] -%}
        {%- set number = linker.seconds_since_1970(value) -%}
    {%- endif -%}
    {%- set text = linker.as_text(value, kind) -%}
    {%- if kind == 'text' -%}
        {%- set text = 'case when length(' ~ text ~ ') <= ' ~ linker.longest_value() ~ ' then ' ~ text ~ ' end' -%}
    {%- endif -%}
    {{ return({'text': text, 'number': number, 'elements': elements, 'element_kind': kind}) }}
{%- endmacro %}

{#- Longer texts are no values to tell one another by: their length is measured, and nothing else. -#}
{% macro longest_value() -%}
    {{ return(256) }}
{%- endmacro %}

{#- A number that can be squared and summed: finite, and far from the end of the double. What is not a number is not less. -#}
{% macro bounded(expression, is_floating) -%}
    {%- set number = 'cast(' ~ expression ~ ' as ' ~ linker.double_type() ~ ')' -%}
    {{ return('case when abs(' ~ expression ~ ') < 1e150 then ' ~ number ~ ' end' if is_floating else number) }}
{%- endmacro %}

{#- INTEGER[] and ARRAY<INT64> hold INTEGER and INT64. -#}
{% macro element_type(data_type) -%}
    {%- if data_type.endswith(']') -%}
        {{ return(modules.re.sub('\\[[0-9]*\\]$', '', data_type)) }}
    {%- endif -%}
    {{ return(modules.re.sub('^ARRAY<(.*)>$', '\\1', data_type, flags=modules.re.IGNORECASE)) }}
{%- endmacro %}
