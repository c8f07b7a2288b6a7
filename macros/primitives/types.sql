{#- Types: casts, and values of types that not all warehouses have. -#}

{#- A type of a contract in the warehouse's spelling. -#}
{% macro spelled_type(data_type) -%}
    {%- set dialect = linker.dialect() -%}
    {%- set spelled = {'double': dialect.double_type, 'timestamp': dialect.timestamp_type} -%}
    {{ return(spelled.get(data_type) or api.Column.translate_type(data_type)) }}
{%- endmacro %}

{#- Spells the types of a model's contract before dbt creates the table. -#}
{% macro spell_types(node) -%}
    {%- for column in node.columns.values() -%}
        {%- do column.update({'data_type': linker.spelled_type(column.data_type)}) -%}
    {%- endfor -%}
{%- endmacro %}

{#-
    A text as a value of another kind, or null: a cast that cannot fail. `kind` is 'integer', 'number', 'date', 'timestamp',
    'boolean', or 'wide_integer' for whole numbers of up to 36 digits.
    Every warehouse reads `-12`, `1.5e3`, `2025-01-31`, `2025-01-31 08:15:00`, `true`; other spellings vary.
-#}
{% macro try_cast(expression, kind) -%}
    {%- if kind not in ['integer', 'wide_integer', 'number', 'date', 'timestamp', 'boolean'] -%}
        {{ exceptions.raise_compiler_error("linker: try_cast knows no kind '" ~ kind ~ "'") }}
    {%- endif -%}
    {%- set dialect = linker.dialect() -%}
    {%- set type = dialect.cast_types[kind] -%}
    {%- if dialect.try_cast -%}
        {{ return(dialect.try_cast.format(text=expression, type=type)) }}
    {%- endif -%}
    {#- Spellings that cast safely: existing dates, and integers and exponents within the type. -#}
    {%- set days = '(((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))|((0[469]|11)-(0[1-9]|[12][0-9]|30))'
        ~ '|(02-(0[1-9]|1[0-9]|2[0-8])))' -%}
    {%- set leap_years = '((([0-9]{2})(0[48]|[2468][048]|[13579][26]))|(([2468][048]|[13579][26]|0[48])00))' -%}
    {%- set years = '(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})' -%}
    {%- set date = '((' ~ years ~ '-' ~ days ~ ')|(' ~ leap_years ~ '-02-29))' -%}
    {%- set time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?' -%}
    {%- set spellings = {
        'integer': '^ *[-+]?[0-9]{1,18} *$',
        'wide_integer': '^ *[-+]?[0-9]{1,36} *$',
        'number': '^ *[-+]?([0-9]{1,200}(\\.[0-9]{0,200})?|\\.[0-9]{1,200})([eE][-+]?[0-9]{1,2})? *$',
        'date': '^' ~ date ~ '$',
        'timestamp': '^' ~ date ~ '([ T]' ~ time ~ '(Z|[-+][01][0-9](:?[0-5][0-9])?)?)?$',
        'boolean': '^(true|false|TRUE|FALSE|True|False|t|f)$',
    } -%}
    {#- The spelling is tested before the cast; `case` guarantees that order. -#}
    {{ return(
        'case when ' ~ linker.regex_matches(expression, spellings[kind])
        ~ ' then cast(' ~ expression ~ ' as ' ~ type ~ ') end'
    ) }}
{%- endmacro %}

{#-
    A value with a unique text: -0.0 and 0.0, 1.50 and 1.5 are one number but two texts. For most types it is the value
    itself; NUMERIC has no signed zero.
-#}
{% macro plain_value(value, data_type) -%}
    {%- set may_be_signed = linker.is_of_type(data_type, 'floating') and not (data_type | lower).startswith('numeric') -%}
    {%- set usual = 'case when {value} = 0 then 0 else {value} end' if may_be_signed else '{value}' -%}
    {{ return(linker.dialect().plain_value.get(data_type | lower, usual).format(value=value)) }}
{%- endmacro %}

{#-
    Whether values of the kind 'other' are listed as texts. Geometries and vectors have no useful text, and a type without a
    known text would abort the scan.
-#}
{% macro is_listed(data_type) -%}
    {{ return(linker.dialect().lists_other_types and linker.type_name(data_type) not in [
        'geometry', 'geography', 'raster', 'box2d', 'box3d', 'vector', 'halfvec', 'sparsevec',
    ]) }}
{%- endmacro %}
