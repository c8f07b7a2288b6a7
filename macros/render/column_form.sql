{#-
    How the columns of a type are measured, as SQL over `__value__`: a warehouse has thousands of columns and some dozens of
    types, and each call of a macro costs a tenth of a millisecond. Leaves {value_kind, measures: SQL by name, written: how
    a value that was measured is written, is_collected (in the sample), is_list (its elements are), element_kind, and
    text and number, which stand for one sampled value or element}.
-#}
{% macro column_form(data_type, is_hidden, is_sampled) -%}
    {%- set kind = linker.value_kind(data_type) -%}
    {%- set column = {'value': '__value__', 'value_kind': kind, 'data_type': data_type} -%}
    {%- set measures = {} -%}
    {%- for name, measure in linker.row_measures(column, is_hidden, is_sampled).items() if measure -%}
        {%- do measures.update({name: measure}) -%}
    {%- endfor -%}
    {%- set is_enumeration = kind == 'text' and linker.type_name(data_type) == 'enum' -%}
    {%- set measured = linker.value_at_place('__value__', data_type) if is_enumeration else '__value__' -%}
    {%- set written = linker.as_text(linker.plain_value(measured, data_type), kind) -%}
    {%- set form = {
        'value_kind': kind,
        'measures': measures,
        'written': 'left(' ~ written ~ ', ' ~ linker.longest_value() ~ ')' if kind == 'text' else written,
    } -%}
    {%- set is_list = kind == 'list' and not linker.dialect().reads_lists_as_json -%}
    {%- set element_type = linker.element_type(data_type) if is_list else data_type -%}
    {%- set element_kind = linker.value_kind(element_type) -%}
    {%- set is_shown = element_kind not in ['struct', 'binary', 'other']
        or (element_kind == 'other' and linker.is_listed(element_type)) -%}
    {%- if is_hidden or not is_shown -%}
        {{ return(dict(form, is_collected=false)) }}
    {%- endif -%}
    {{ return(dict(
        form,
        is_collected=true,
        is_list=is_list,
        element_kind=element_kind,
        text=linker._sampled_text(element_type, element_kind),
        number=linker._sampled_number(element_type, element_kind)
    )) }}
{%- endmacro %}

{% macro _sampled_text(data_type, kind) -%}
    {%- set text = linker.as_text(linker.plain_value('__value__', data_type), kind) -%}
    {%- if kind in ['text', 'other'] -%}
        {{ return('case when length(' ~ text ~ ') <= ' ~ linker.longest_value() ~ ' then ' ~ text ~ ' end') }}
    {%- elif kind in ['json', 'list'] -%}
        {{ return(linker.fitting_document(text, text)) }}
    {%- endif -%}
    {{ return(text) }}
{%- endmacro %}

{% macro _sampled_number(data_type, kind) -%}
    {%- if kind in ['integer', 'number'] -%}
        {{ return(linker.bounded('__value__', data_type)) }}
    {%- elif kind in ['date', 'timestamp'] -%}
        {{ return(linker.seconds_since_1970('__value__')) }}
    {%- endif -%}
    {{ return('cast(null as ' ~ linker.double_type() ~ ')') }}
{%- endmacro %}

{#- Longer texts are no values to tell one another by: their length is measured, and nothing else. -#}
{% macro longest_value() -%}
    {{ return(256) }}
{%- endmacro %}

{#- Longer documents stay out of the sample, as their paths are told by shorter ones: twenty thousand of them would be
    gigabytes. -#}
{% macro longest_document() -%}
    {{ return(16384) }}
{%- endmacro %}

{#- A document, if it is not too long as text. -#}
{% macro fitting_document(document, text) -%}
    {{ return('case when length(' ~ text ~ ') <= ' ~ linker.longest_document() ~ ' then ' ~ document ~ ' end') }}
{%- endmacro %}

{#-
    A number as a double that can be squared and summed: finite, and far from the end of the double. What is not a number is
    not less. Postgres' numeric has numbers that are too small for a double, too, and makes an error of them.
-#}
{% macro bounded(expression, data_type) -%}
    {%- if not linker.is_floating(data_type) -%}
        {{ return('cast(' ~ linker.plain_value(expression, data_type) ~ ' as ' ~ linker.double_type() ~ ')') }}
    {%- endif -%}
    {%- set number = 'cast(' ~ expression ~ ' as ' ~ linker.double_type() ~ ')' -%}
    {%- set too_small = 'when abs(' ~ expression ~ ') < 1e-150 then 0 ' if (data_type | lower).startswith('numeric') else '' -%}
    {{ return('case ' ~ too_small ~ 'when abs(' ~ expression ~ ') < 1e150 then ' ~ number ~ ' end') }}
{%- endmacro %}

{#- INTEGER[], INTEGER[][] and ARRAY<INT64> hold INTEGER and INT64. -#}
{% macro element_type(data_type) -%}
    {%- if data_type.endswith(']') -%}
        {{ return(modules.re.sub('(\\[[0-9]*\\])+$', '', data_type)) }}
    {%- endif -%}
    {{ return(modules.re.sub('^ARRAY<(.*)>$', '\\1', data_type, flags=modules.re.IGNORECASE)) }}
{%- endmacro %}
