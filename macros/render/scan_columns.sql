{#-
    The columns of a table to scan, and the measures of each. Takes rows of linker_declared_columns in their order, each with
    `privacy`, and `is_short` if none of its texts needs a length limit. Returns
    {bases, columns}: the columns that the source selects as b1, b2 …, and one dict per column or path:
    column_number, column_path, value_kind, privacy, value (an expression over the source; none if not read), elements (the list
    that contains the path), is_measured (over all rows), measures (SQL by name), written (a measured value as text, SQL over
    `__value__`), is_collected (in the sample), text and number (of a sampled value).
    For many tables pass `forms`, a dict that caches what columns of one type share.
-#}
{% macro scan_columns(declared, is_sampled, first_number=1, forms=none) -%}
    {%- set forms = {} if forms is none else forms -%}
    {%- set bases = [] -%}
    {%- set columns = [] -%}
    {%- set parents = {} -%}
    {%- for row in declared -%}
        {%- set parent = parents.get(row.depth - 1) -%}
        {%- set said = [row.privacy] + ([parent.privacy] if row.depth > 0 else []) -%}
        {%- set privacy = ['refuse', 'exclude', 'hide'] | select('in', said) | first or row.privacy -%}
        {%- set hidden = privacy == 'hide' -%}
        {%- set is_read = privacy not in ['exclude', 'refuse'] -%}
        {%- if not is_read -%}
            {%- set place = {'value': none, 'elements': none} -%}
        {%- elif row.depth == 0 -%}
            {%- do bases.append({'number': bases | length + 1, 'name': row.column_name, 'data_type': row.data_type}) -%}
            {%- set place = {'value': 'b' ~ bases | length, 'elements': none} -%}
        {%- else -%}
            {%- set place = linker._place_inside(row, parent) -%}
        {%- endif -%}
        {%- set form_key = (row.data_type, hidden, is_sampled) -%}
        {%- if form_key not in forms -%}
            {%- do forms.update({form_key: linker.column_form(row.data_type, hidden, is_sampled)}) -%}
        {%- endif -%}
        {%- set form = forms[form_key] -%}
        {%- set column = {
            'column_number': columns | length + first_number,
            'base_number': bases | length,
            'column_path': row.column_path,
            'data_type': row.data_type,
            'is_short': row.is_short,
            'value_kind': form.value_kind,
            'privacy': privacy,
            'value': place.value,
            'elements': place.elements,
            'is_measured': is_read and not place.elements,
            'measures': {},
            'written': form.written,
            'is_collected': is_read and form.is_collected,
        } -%}
        {%- do parents.update({row.depth: column}) -%}
        {%- if column.is_measured -%}
            {%- for name, measure in form.measures.items() -%}
                {%- do column.measures.update({name: measure.replace('__value__', place.value)}) -%}
            {%- endfor -%}
        {%- endif -%}
        {%- if column.is_collected -%}
            {#- The elements of a list are collected; a list of lists is flattened. -#}
            {%- set value = 'element' if form.is_list else place.value -%}
            {%- set outer_levels = linker._list_levels(row.data_type) - 1 if form.is_list else 0 -%}
            {%- set flat = namespace(list=place.value) -%}
            {%- for level in range(outer_levels) -%}
                {%- set flat.list = linker.dialect().flattened.format(list=flat.list) -%}
            {%- endfor -%}
            {%- do columns.append(dict(
                column,
                elements=place.elements or flat.list if form.is_list else place.elements,
                element_kind=form.element_kind,
                text=form.text.replace('__value__', value),
                number=form.number.replace('__value__', value)
            )) -%}
        {%- else -%}
            {%- do columns.append(column) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return({'bases': bases, 'columns': columns}) }}
{%- endmacro %}

{#-
    The location of the values of a nested path: a field of a struct in the row, or the list of one field of all structs in a
    list; if that field is a list, of all its elements.
-#}
{% macro _place_inside(row, parent) -%}
    {%- set dialect = linker.dialect() -%}
    {%- set step = row.column_path[parent.column_path | length + 1:] -%}
    {%- set name = step[1:-1].replace('""', '"') if step.startswith('"') else step -%}
    {%- set named = {'name': linker.identifier(name), 'text': linker.literal(name)} -%}
    {%- if not parent.elements and parent.value_kind != 'list' -%}
        {{ return({'value': dialect.field.format(struct=parent.value, **named), 'elements': none}) }}
    {%- elif not dialect.field_of_elements -%}
        {#- Postgres and Snowflake flatten lists as JSON, see `json_leaves`, as their types have no element fields. -#}
        {{ exceptions.raise_compiler_error('linker: lists of structs are read as JSON on ' ~ target.type) }}
    {%- endif -%}
    {#- Nested lists are already flattened. -#}
    {%- set outer_levels = 0 if parent.elements else linker._list_levels(parent.data_type) - 1 -%}
    {%- set list_levels = linker._list_levels(row.data_type) -%}
    {%- set kind = 'list' if list_levels and 'list' in dialect.field_of_elements else 'any' -%}
    {%- set flattened = [dialect.flattened] if dialect.flattened else [] -%}
    {%- set found = namespace(list=parent.elements or parent.value) -%}
    {%- for template in flattened * outer_levels + [dialect.field_of_elements[kind]] + flattened * list_levels -%}
        {%- set found.list = template.format(list=found.list, **named) -%}
    {%- endfor -%}
    {{ return({'value': 'element', 'elements': found.list}) }}
{%- endmacro %}

{#- 0 for no list, 2 for a list of lists. -#}
{% macro _list_levels(data_type) -%}
    {%- set levels = modules.re.search('(\\[[0-9]*\\])+$', data_type | trim) -%}
    {%- if levels -%}
        {{ return(levels.group().count('[')) }}
    {%- endif -%}
    {{ return(linker.array_levels(data_type) or (1 if linker.value_kind(data_type) == 'list' else 0)) }}
{%- endmacro %}

{#- The number of lists in a type spelt `array<array<…>>`. -#}
{% macro array_levels(data_type) -%}
    {{ return(modules.re.match('(array<)*', data_type | lower).group().count('<')) }}
{%- endmacro %}
