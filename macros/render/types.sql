{#- Measurement, comparison and output of values by data type. -#}

{#-
    The measured kind of a type: 'integer', 'number', 'text', 'date', 'timestamp', 'time', 'interval', 'boolean', 'json',
    'struct', 'list', 'binary' or 'other'. Accepts the spelling of any catalogue.
-#}
{% macro value_kind(data_type) -%}
    {%- set spelled = data_type | lower | trim -%}
    {%- if spelled.endswith(']') or spelled.startswith('array') -%}
        {{ return('list') }}
    {%- elif spelled.startswith('map<') -%}
        {#- Spark's maps: JSON, since their keys are values, unknown before a scan. -#}
        {{ return('json') }}
    {%- endif -%}
    {%- set name = linker.type_name(spelled) -%}
    {%- if name in ['decimal', 'numeric', 'number', 'dec'] -%}
        {{ return('integer' if modules.re.match('[a-z]+ *[(] *[0-9]+ *(, *0 *)?[)]', spelled) else 'number') }}
    {%- elif name.startswith('interval') -%}
        {{ return('interval') }}
    {%- endif -%}
    {%- set kinds = {
        'integer': [
            'tinyint', 'smallint', 'integer', 'int', 'bigint', 'hugeint', 'utinyint', 'usmallint', 'uinteger', 'ubigint',
            'uhugeint', 'int2', 'int4', 'int8', 'int64', 'byteint', 'smallserial', 'serial', 'bigserial', 'oid',
        ],
        'number': [
            'double', 'double precision', 'float', 'float4', 'float8', 'float64', 'real', 'bignumeric', 'bigdecimal',
            'decfloat', 'money',
        ],
        'text': [
            'varchar', 'char', 'character', 'character varying', 'bpchar', 'text', 'string', 'nvarchar', 'nchar', 'citext',
            'name', 'uuid', 'enum', 'user-defined', 'inet', 'cidr', 'macaddr', 'macaddr8', 'bignum', 'xml',
        ],
        'date': ['date'],
        'timestamp': [
            'timestamp', 'datetime', 'timestamptz', 'timestamp with time zone', 'timestamp without time zone',
            'timestamp_ntz', 'timestamp_ltz', 'timestamp_tz', 'timestamp_s', 'timestamp_ms', 'timestamp_ns',
            'timestamptz_ns',
        ],
        'time': ['time', 'time_ns', 'timetz', 'time with time zone', 'time without time zone'],
        'boolean': ['boolean', 'bool'],
        'json': ['json', 'jsonb', 'variant', 'object'],
        'struct': ['struct', 'record', 'row'],
        'binary': ['blob', 'bytea', 'bytes', 'binary', 'varbinary'],
    } -%}
    {%- for kind, names in kinds.items() -%}
        {%- if name in names -%}
            {{ return(kind) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return('other') }}
{%- endmacro %}

{#- The name of a type without parameters and extension schema: `numeric(10,2)` is numeric, `public.citext` is citext. -#}
{% macro type_name(data_type) -%}
    {%- set name = modules.re.sub('[(<].*$', '', data_type | lower, flags=modules.re.DOTALL) -%}
    {{ return(name.split('.')[-1] | replace('"', '') | trim) }}
{%- endmacro %}

{#-
    Whether a type has a property that its kind does not show:
    'written as text'         its values are texts after a cast: identifiers, enumerations, network addresses
    'in an order of its own'  of these, types that the warehouse sorts, or may sort, differently from their texts
    'floating'                has infinities and NaN: floating-point types, and Postgres' numeric
-#}
{% macro is_of_type(data_type, sort) -%}
    {%- set sorts = {
        'written as text': [
            'uuid', 'enum', 'user-defined', 'inet', 'cidr', 'macaddr', 'macaddr8', 'xml', 'name', 'bpchar', 'character', 'char',
            'bignum',
        ],
        'in an order of its own': ['enum', 'inet', 'cidr', 'bignum'],
        'floating': ['double', 'double precision', 'float', 'float4', 'float8', 'float64', 'real', 'numeric'],
    } -%}
    {{ return(linker.type_name(data_type) in sorts[sort]) }}
{%- endmacro %}

{#-
    A number as a finite double that can be squared and summed without overflow. NaN is excluded. Postgres raises an
    error for numerics too small for a double.
-#}
{% macro bounded(expression, data_type) -%}
    {%- if not linker.is_of_type(data_type, 'floating') -%}
        {{ return('cast(' ~ linker.plain_value(expression, data_type) ~ ' as ' ~ linker.dialect().double_type ~ ')') }}
    {%- endif -%}
    {%- set number = 'cast(' ~ expression ~ ' as ' ~ linker.dialect().double_type ~ ')' -%}
    {%- set too_small = 'when abs(' ~ expression ~ ') < 1e-150 then 0 ' if (data_type | lower).startswith('numeric') else '' -%}
    {{ return('case ' ~ too_small ~ 'when abs(' ~ expression ~ ') < 1e150 then ' ~ number ~ ' end') }}
{%- endmacro %}

{#-
    How columns of a type are measured, cached by type, since a warehouse has thousands of columns and dozens of types, and a
    macro call takes a tenth of a millisecond: {value_kind, measures: SQL by name, written: a measured value as text, is_collected
    (in the sample), is_list (its elements are), element_kind, text and number of one sampled value or element}, as SQL over
    `__value__`.
-#}
{% macro column_form(data_type, is_hidden, is_sampled) -%}
    {%- set kind = linker.value_kind(data_type) -%}
    {%- set column = {'value': '__value__', 'value_kind': kind, 'data_type': data_type} -%}
    {%- set measures = {} -%}
    {%- for name, measure in linker.row_measures(column, is_hidden, is_sampled).items() if measure -%}
        {%- do measures.update({name: measure}) -%}
    {%- endfor -%}
    {%- set is_enumeration = kind == 'text' and linker.type_name(data_type) == 'enum' -%}
    {%- set measured = '__value__' -%}
    {%- if is_enumeration -%}
        {%- set measured = linker.dialect().value_at_place.format(place='__value__', labels=data_type[5:-1]) -%}
    {%- endif -%}
    {%- set written = linker.as_text(linker.plain_value(measured, data_type), kind) -%}
    {%- set form = {
        'value_kind': kind,
        'measures': measures,
        'written': 'left(' ~ written ~ ', ' ~ linker.longest('value') ~ ')' if kind == 'text' else written,
    } -%}
    {%- set is_list = kind == 'list' and not linker.dialect().reads_lists_as_json -%}
    {%- set element_type = data_type -%}
    {%- if is_list and data_type.endswith(']') -%}
        {%- set element_type = modules.re.sub('(\\[[0-9]*\\])+$', '', data_type) -%}
    {%- elif is_list -%}
        {%- set levels = linker.array_levels(data_type) -%}
        {%- set element_type = data_type[6 * levels:data_type | length - levels] -%}
    {%- endif -%}
    {%- set element_kind = linker.value_kind(element_type) -%}
    {%- set is_shown = element_kind not in ['struct', 'binary', 'other']
        or (element_kind == 'other' and linker.is_listed(element_type)) -%}
    {%- if is_hidden or not is_shown -%}
        {{ return(dict(form, is_collected=false)) }}
    {%- endif -%}
    {%- set text = linker.as_text(linker.plain_value('__value__', element_type), element_kind) -%}
    {%- if element_kind in ['text', 'other'] -%}
        {%- set text = 'case when length(' ~ text ~ ') <= ' ~ linker.longest('value') ~ ' then ' ~ text ~ ' end' -%}
    {%- elif element_kind in ['json', 'list'] -%}
        {%- set text = 'case when length(' ~ text ~ ') <= ' ~ linker.longest('document') ~ ' then ' ~ text ~ ' end' -%}
    {%- endif -%}
    {%- set number = 'cast(null as ' ~ linker.dialect().double_type ~ ')' -%}
    {%- if element_kind in ['integer', 'number'] -%}
        {%- set number = linker.bounded('__value__', element_type) -%}
    {%- elif element_kind in ['date', 'timestamp'] -%}
        {%- set number = linker.seconds_since_1970('__value__') -%}
    {%- endif -%}
    {{ return(dict(form, is_collected=true, is_list=is_list, element_kind=element_kind, text=text, number=number)) }}
{%- endmacro %}

{#-
    Longer texts are only measured by length. Longer documents are not sampled: shorter ones show the paths, and
    twenty thousand long ones would be gigabytes.
-#}
{% macro longest(what) -%}
    {{ return({'value': 256, 'document': 16384}[what]) }}
{%- endmacro %}
