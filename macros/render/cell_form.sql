{#-
    How the columns of a type are cells, as SQL over `__value__`: {value_kind, text, number}, and none where they cannot be: what
    is inside of documents, structs and lists takes a scan of its own. `number` orders what a text does not (numbers, days,
    moments, spans; what is infinite only among days), is the length of a text or a binary, and elsewhere 1 for any value.
-#}
{% macro cell_form(data_type, is_hidden) -%}
    {%- set kind = linker.value_kind(data_type) -%}
    {%- set double = linker.double_type() -%}
    {%- set nothing = 'cast(null as ' ~ dbt.type_string() ~ ')' -%}
    {#- Times with a zone are in another order than their texts, and so are enumerations. -#}
    {%- set is_out_of_order = kind == 'time' and linker.type_name(data_type) not in ['time', 'time_ns'] -%}
    {%- if kind in ['json', 'struct', 'list'] or is_out_of_order or linker.has_own_order(data_type) -%}
        {{ return(none) }}
    {%- elif is_hidden or (kind == 'other' and not linker.is_listed(data_type)) -%}
        {{ return({'value_kind': kind, 'text': nothing, 'number': 'case when __value__ is not null then cast(1 as ' ~ double ~ ') end'}) }}
    {%- elif kind == 'binary' -%}
        {%- set length = linker.value_length('__value__', kind) -%}
        {{ return({'value_kind': kind, 'text': nothing, 'number': 'cast(' ~ length ~ ' as ' ~ double ~ ')'}) }}
    {%- endif -%}
    {%- set text = linker.as_text(linker.plain_value('__value__', data_type), kind) -%}
    {%- set number = 'cast(null as ' ~ double ~ ')' -%}
    {%- if kind in ['text', 'other'] -%}
        {%- set number = 'cast(' ~ linker.value_length(text, kind) ~ ' as ' ~ double ~ ')' -%}
        {%- set text = 'left(' ~ text ~ ', ' ~ (linker.longest_value() + 1) ~ ')' -%}
    {%- elif kind in ['integer', 'number'] -%}
        {%- set finite = linker.finite('__value__') if linker.is_floating(data_type) else '__value__' -%}
        {%- set number = 'cast(' ~ finite ~ ' as ' ~ double ~ ')' -%}
    {%- elif kind in ['date', 'timestamp'] -%}
        {%- set seconds = linker.seconds_since_1970('__value__') -%}
        {%- set number = 'coalesce(' ~ seconds ~ ', ' ~ linker.try_cast(text, 'number') ~ ')' -%}
    {%- elif kind == 'interval' -%}
        {%- set number = 'cast(epoch(__value__) as ' ~ double ~ ')' -%}
    {%- endif -%}
    {{ return({'value_kind': kind, 'text': text, 'number': number}) }}
{%- endmacro %}

{#- What a scan as cells reads of a table: one dict a column, with column_number, column_name, column_path, value_kind, privacy,
    is_read, and text and number of what is. `forms`: what columns of one type have in common, see `are_cells`. -#}
{% macro cell_columns(declared, first_number, forms) -%}
    {%- set columns = [] -%}
    {%- for row in declared -%}
        {%- set form = forms[('cell', row['data_type'], row['privacy'] == 'hide')] -%}
        {%- do columns.append({
            'column_number': loop.index0 + first_number,
            'column_name': row['column_name'],
            'column_path': row['column_path'],
            'value_kind': form['value_kind'],
            'privacy': row['privacy'],
            'is_read': row['privacy'] not in ['exclude', 'refuse'],
            'text': form['text'],
            'number': form['number'],
        }) -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}

{#- Whether all columns of a table can be cells, and one of them may be read; keeps in `forms` how. -#}
{% macro are_cells(declared, forms) -%}
    {%- set read = [] -%}
    {%- for row in declared -%}
        {%- set key = ('cell', row['data_type'], row['privacy'] == 'hide') -%}
        {%- if key not in forms -%}
            {%- do forms.update({key: linker.cell_form(row['data_type'], row['privacy'] == 'hide')}) -%}
        {%- endif -%}
        {%- if not forms[key] -%}
            {{ return(false) }}
        {%- elif row['privacy'] not in ['exclude', 'refuse'] -%}
            {%- do read.append(row) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(read | length > 0) }}
{%- endmacro %}
