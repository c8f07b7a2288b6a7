{#-
    One row per table of a relation and rule of `family_rules` that its name fits: rule_number, key_kind, prefix,
    member_key, suffix, sort_key, key_number, is_padded, is_percentile, and `demand`, what a group has to show before
    it is a family:
    'date'   nothing more
    'piece'  nothing more either: a number after a word for a piece (`part_3`, `_p12`, `_s001`), or `3_of_16`
    'close'  a number of its own (`events_9`): numbers that lie close, or are large, padded or many
    'run'    a number that may belong to its word (`recode3`): 1, 2, 3 without a gap, or padded
    'hash'   digits of the same length with letters among them
    A number is none of these after a version (`v1_17`) or a word of grade, before a unit (`30_days`),
    and where nothing else is in the name; neither number nor date after a word that it names (`room_1901`).
-#}
{% macro family_keys(relation) -%}
    {%- set rules = linker.family_rules() -%}
    {%- set rest = 'substr(padded_name, length(padded_prefix) + 1)' -%}
    {%- set percentiles = ['1', '5', '10', '25', '50', '75', '90', '95', '99', '999'] -%}
    with rule_numbers as (
        {%- for rule in rules %}
        {{ 'union all ' if not loop.first }}select {{ loop.index }} as rule_number
        {%- endfor %}
    ),

    padded as (
        select
            database_name,
            schema_name,
            table_name,
            column_signature,
            '_' || table_name || '_' as padded_name
        from {{ relation }}
        where
            table_kind = 'table'
            and column_signature is not null
            and {{ linker.regex_matches('table_name', '[0-9]') }}
    ),

    {#- Patterns are compiled wherever a statement names them, which takes longer than to read a hundred names: once each. #}
    opened as {{ linker.materialized() }}(
        select
            padded.*,
            rule_numbers.rule_number,
            case rule_numbers.rule_number
                {%- for rule in rules %}
                when {{ loop.index }} then {{ linker.regex_extract('padded.padded_name', rule.before) }}
                {%- endfor %}
            end as padded_prefix
        from padded
        cross join rule_numbers
    ),

    keyed as {{ linker.materialized() }}(
        select
            *,
            lower(padded_prefix) as lower_prefix,
            case rule_number
                {%- for rule in rules %}
                when {{ loop.index }} then {{ linker.regex_extract(rest, rule.key) }}
                {%- endfor %}
            end as member_key,
            case rule_number
                {%- for rule in rules %}
                when {{ loop.index }} then {{ linker.literal(rule.kind) }}
                {%- endfor %}
            end as rule_kind
        from opened
        where padded_prefix is not null
    ),

    closed as (
        select
            *,
            substr(padded_name, length(padded_prefix) + length(member_key) + 1) as padded_suffix
        from keyed
        where member_key is not null
    ),

    worded as (
        select
            *,
            substr(padded_prefix, 2) as prefix,
            substr(padded_suffix, 1, length(padded_suffix) - 1) as suffix,
            coalesce({{ linker.regex_extract('lower_prefix', '([a-z]+)[^a-z0-9]*$') }}, '') as word_before,
            {{ linker.regex_extract('lower(padded_suffix)', '^[^a-z0-9]*([a-z]+)') }} as word_after
        from closed
    ),

    judged as (
        select
            *,
            {{ linker._demand() | indent(8) }} as demand
        from worded
    )

    select
        database_name,
        schema_name,
        table_name,
        column_signature,
        rule_number,
        case
            when
                rule_kind = 'number'
                and word_before in ({{ linker._literals(linker.key_words('piece') + ['p', 's']) }})
                then 'shard'
            else rule_kind
        end as key_kind,
        prefix,
        member_key,
        suffix,
        -- Dates sort as they are written; numbers are padded, so that shard 10 comes after shard 9.
        {%- set digits = "replace(replace(replace(lower(member_key), '_', ''), '-', ''), 't', '')" %}
        case
            when rule_kind in ('number', 'shard') then lpad(member_key, 40, '0')
            {%- for rule in rules if rule.order %}
            {%- set year, month, day = rule.order %}
            when rule_number = {{ rules.index(rule) + 1 }}
                then substr({{ digits }}, {{ year }}, 4) || substr({{ digits }}, {{ month }}, 2) || substr({{ digits }}, {{ day }}, 2)
            {%- endfor %}
            else {{ digits }}
        end as sort_key,
        cast({{ linker.regex_extract('member_key', '^([0-9]{1,18})$') }} as {{ dbt.type_bigint() }}) as key_number,
        member_key like '0_%' as is_padded,
        -- A word in hexadecimal letters with a number behind it is none.
        {{ linker.regex_matches('member_key', '[0-9][a-fA-F]') }} as is_mixed,
        -- p50 and p99 are no pieces.
        word_before = 'p' and member_key in ({{ linker._literals(percentiles) }}) as is_percentile,
        demand
    from judged
    where demand is not null
{%- endmacro %}

{% macro _demand() -%}
    case
        when rule_kind in ('number', 'hash') and prefix = '' and suffix = '' then null
        when rule_kind <> 'hash' and word_before in ({{ linker._literals(linker.key_words('named')) }}) then null
        when rule_kind = 'hash' then case when {{ linker.regex_matches('member_key', '[0-9]') }} then 'hash' end
        when rule_kind not in ('number', 'shard') then 'date'
        when rule_kind = 'shard' then 'piece'
        when word_before in ({{ linker._literals(linker.key_words('piece') + linker.key_words('counted')) }}) then 'piece'
        when word_before in ({{ linker._literals(linker.key_words('grade')) }}) then null
        when word_after in ({{ linker._literals(linker.key_words('unit')) }}) then null
        when {{ linker.regex_matches('lower_prefix', linker._version_before_number()) }} then null
        when {{ linker.regex_matches('lower_prefix', '[a-z0-9][^a-z]+[ps]$') }} then 'piece'
        when {{ linker.regex_matches('lower_prefix', '[a-z]$') }} then 'run'
        else 'close'
    end
{%- endmacro %}

{#- `v` and the like before the number, or before other numbers that stand before it: v2, r24, v1_17, storiesv2. -#}
{% macro _version_before_number() -%}
    {{ return('([a-z]v|[^a-z](' ~ linker.key_words('version') | join('|') ~ ')[^a-z0-9]?)([0-9]+[^a-z0-9]+)*$') }}
{%- endmacro %}

{% macro _literals(words) -%}
    {%- set literals = [] -%}
    {%- for word in words -%}
        {%- do literals.append(linker.literal(word)) -%}
    {%- endfor -%}
    {{ return(literals | join(', ')) }}
{%- endmacro %}
