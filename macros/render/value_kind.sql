{#-
    How the values of a type are measured: 'integer', 'number', 'text', 'date', 'timestamp', 'time', 'boolean', 'json',
    'struct', 'list', 'binary' or 'other'. Enters a type as any of the four catalogues spells it.
-#}
{% macro value_kind(data_type) -%}
    {%- set spelled = data_type | lower | trim -%}
    {%- if spelled.endswith(']') or spelled.startswith('array') -%}
        {{ return('list') }}
    {%- endif -%}
    {%- set name = modules.re.sub('[(<].*$', '', spelled, flags=modules.re.DOTALL) | trim -%}
    {%- if name in ['decimal', 'numeric', 'number', 'dec'] -%}
        {{ return('integer' if modules.re.match('[a-z]+ *[(] *[0-9]+ *(, *0 *)?[)]', spelled) else 'number') }}
    {%- endif -%}
    {%- for kind, names in linker._names_of_kinds().items() -%}
        {%- if name in names -%}
            {{ return(kind) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return('other') }}
{%- endmacro %}

{#- A text that is one only once it is cast: identifiers, enumerations, network addresses. Postgres makes no float of an oid. -#}
{% macro is_written_as_text(data_type) -%}
    {%- set name = modules.re.sub('[(<].*$', '', data_type | lower | trim, flags=modules.re.DOTALL) | trim -%}
    {{ return(name in ['uuid', 'enum', 'user-defined', 'inet', 'cidr', 'macaddr', 'macaddr8', 'xml', 'name', 'bpchar', 'character', 'char', 'bignum', 'oid']) }}
{%- endmacro %}

{#- A floating-point type, which knows infinities and what is not a number. Postgres' numeric does as well. -#}
{% macro is_floating(data_type) -%}
    {%- set name = modules.re.sub('[(<].*$', '', data_type | lower | trim, flags=modules.re.DOTALL) | trim -%}
    {{ return(name in ['double', 'double precision', 'float', 'float4', 'float8', 'float64', 'real', 'numeric']) }}
{%- endmacro %}

{% macro _names_of_kinds() -%}
    {{ return({
        'integer': [
            'tinyint', 'smallint', 'integer', 'int', 'bigint', 'hugeint', 'utinyint', 'usmallint', 'uinteger', 'ubigint',
            'uhugeint', 'int2', 'int4', 'int8', 'int64', 'byteint', 'smallserial', 'serial', 'bigserial',
        ],
        'number': ['double', 'double precision', 'float', 'float4', 'float8', 'float64', 'real', 'bignumeric', 'bigdecimal'],
        'text': [
            'varchar', 'char', 'character', 'character varying', 'bpchar', 'text', 'string', 'nvarchar', 'nchar', 'citext',
            'name', 'uuid', 'enum', 'user-defined', 'inet', 'cidr', 'macaddr', 'macaddr8', 'bignum', 'oid',
        ],
        'date': ['date'],
        'timestamp': [
            'timestamp', 'datetime', 'timestamptz', 'timestamp with time zone', 'timestamp without time zone',
            'timestamp_ntz', 'timestamp_ltz', 'timestamp_tz', 'timestamp_s', 'timestamp_ms', 'timestamp_ns',
        ],
        'time': ['time', 'timetz', 'time with time zone', 'time without time zone'],
        'boolean': ['boolean', 'bool'],
        'json': ['json', 'jsonb', 'variant', 'object'],
        'struct': ['struct', 'record', 'row'],
        'binary': ['blob', 'bytea', 'bytes', 'binary', 'varbinary', 'bit', 'bit varying'],
    }) }}
{%- endmacro %}
