{#-
    How the values of a type are measured: 'integer', 'number', 'text', 'date', 'timestamp', 'time', 'interval', 'boolean',
    'json', 'struct', 'list', 'binary' or 'other'. The type is spelled as any of the four catalogues spells it.
-#}
{% macro value_kind(data_type) -%}
    {%- set spelled = data_type | lower | trim -%}
    {%- if spelled.endswith(']') or spelled.startswith('array') -%}
        {{ return('list') }}
    {%- endif -%}
    {%- set name = linker.type_name(spelled) -%}
    {%- if name in ['decimal', 'numeric', 'number', 'dec'] -%}
        {{ return('integer' if modules.re.match('[a-z]+ *[(] *[0-9]+ *(, *0 *)?[)]', spelled) else 'number') }}
    {%- elif name.startswith('interval') -%}
        {{ return('interval') }}
    {%- endif -%}
    {%- for kind, names in linker._names_of_kinds().items() -%}
        {%- if name in names -%}
            {{ return(kind) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return('other') }}
{%- endmacro %}

{#- The name of a type, without its parameters and the schema of an extension: `numeric(10,2)` is numeric, `public.citext`
    is citext. -#}
{% macro type_name(data_type) -%}
    {%- set name = modules.re.sub('[(<].*$', '', data_type | lower, flags=modules.re.DOTALL) -%}
    {{ return(name.split('.')[-1] | replace('"', '') | trim) }}
{%- endmacro %}

{#- A text that is one only once it is cast: identifiers, enumerations, network addresses. -#}
{% macro is_written_as_text(data_type) -%}
    {{ return(linker.type_name(data_type) in [
        'uuid', 'enum', 'user-defined', 'inet', 'cidr', 'macaddr', 'macaddr8', 'xml', 'name', 'bpchar', 'character', 'char',
        'bignum',
    ]) }}
{%- endmacro %}

{#- Of those, the types that the warehouse itself puts in an order that is not that of their texts, or that may be. -#}
{% macro has_own_order(data_type) -%}
    {{ return(linker.type_name(data_type) in ['enum', 'inet', 'cidr', 'bignum']) }}
{%- endmacro %}

{#- A floating-point type, which knows infinities and what is not a number. Postgres' numeric does as well. -#}
{% macro is_floating(data_type) -%}
    {{ return(linker.type_name(data_type) in [
        'double', 'double precision', 'float', 'float4', 'float8', 'float64', 'real', 'numeric',
    ]) }}
{%- endmacro %}

{% macro _names_of_kinds() -%}
    {{ return({
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
    }) }}
{%- endmacro %}
