{#-
    One row per table of a relation and rule of `family_rules` that its name fits: rule_number, key_kind, prefix,
    member_key, suffix, sort_key, key_number, key_length (of hashes, which have one length in a family; else 0), what
    `linker_tables` counts of a group, and `demand`, what a group has to show before it is a family:
    'date'   nothing more
    'piece'  nothing more either: a number after a word for a piece (`part_3`, `_p12`, `_s001`), or `3_of_16`
    'close'  a number of its own (`events_9`): numbers that lie close, or are large, padded or many
    'run'    a number that may belong to its word (`recode3`): 1, 2, 3 without a gap, or padded
    'hash'   digits of the same length with letters among them
    'digits' few hexadecimal digits (`users_0f`): five and more (of one digit twelve), with letters and digits in one place
    'months' names of months without a year (`orders_jan`): three, or two that follow on each other
    'five'   a number behind a year (`sales_2024_1`): five and more
    'weeks'  two digits behind a year (`sales_2024_52`): more than there are months
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
            and {{ linker.regex_matches("'_' || table_name || '_'", linker._may_hold_a_key()) }}
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
            end as rule_kind,
            case rule_number
                {%- for rule in rules if rule.demand %}
                when {{ rules.index(rule) + 1 }} then {{ linker.literal(rule.demand) }}
                {%- endfor %}
            end as rule_demand
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
        -- Dates sort as they are written, the year first; numbers are padded, so that shard 10 comes after shard 9.
        {%- set digits = "replace(replace(replace(lower(member_key), '_', ''), '-', ''), 't', '')" %}
        case
            {%- for rule in rules if rule.parts %}
            when rule_number = {{ rules.index(rule) + 1 }}
                then {{ linker._sorted_parts(rule.parts) }}
            {%- endfor %}
            when rule_kind in ('number', 'shard') then lpad(member_key, 40, '0')
            else {{ digits }}
        end as sort_key,
        cast(
            case
                when rule_demand = 'months' then {{ linker._month_number('member_key') }}
                else {{ linker.regex_extract('member_key', '^([0-9]{1,18})$') }}
            end as {{ dbt.type_bigint() }}
        ) as key_number,
        case when rule_kind = 'hash' then length(member_key) else 0 end as key_length,
        member_key like '0_%' as is_padded,
        -- A word in hexadecimal letters with a number behind it is none.
        {{ linker.regex_matches('member_key', '[0-9][a-fA-F]') }}
        or (rule_demand = 'digits' and {{ linker.regex_matches('member_key', '[a-fA-F][0-9]') }}) as is_mixed,
        {{ linker.regex_matches('member_key', '^[a-fA-F]') }} as opens_with_letter,
        {{ linker.regex_matches('member_key', '[a-fA-F]$') }} as ends_with_letter,
        -- The parts of a form end with c: 1a, 1b, 2c.
        {{ linker.regex_matches('member_key', '[d-fD-F]') }} as has_late_letter,
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
        when rule_kind = 'hash' and rule_demand is null
            then case when {{ linker.regex_matches('member_key', '[0-9]') }} then 'hash' end
        when rule_kind = 'hash' and word_before in ({{ linker._literals(linker.key_words('piece')) }}) then 'hash'
        when rule_kind not in ('number', 'shard', 'hash') then coalesce(rule_demand, 'date')
        when rule_kind = 'shard' then 'piece'
        when word_before in ({{ linker._literals(linker.key_words('piece') + linker.key_words('counted')) }}) then 'piece'
        when word_before in ({{ linker._literals(linker.key_words('grade')) }}) then null
        when word_after in ({{ linker._literals(linker.key_words('unit')) }}) then null
        when {{ linker.regex_matches('lower_prefix', linker._version_before_number()) }} then null
        when rule_demand is not null then rule_demand
        when {{ linker.regex_matches('lower_prefix', '[a-z0-9][^a-z]+[ps]$') }} then 'piece'
        when {{ linker.regex_matches('lower_prefix', '[a-z]$') }} then 'run'
        else 'close'
    end
{%- endmacro %}

{#- A name, with `_` at both ends, in which a key may stand: a digit, the name of a month, or a few hexadecimal letters. -#}
{% macro _may_hold_a_key() -%}
    {%- set month = '[^a-zA-Z]' ~ linker._any_case(linker.month_names()) ~ '[^a-zA-Z]' -%}
    {{ return('[0-9]|' ~ month ~ '|[^0-9a-zA-Z][a-fA-F]{1,7}[^0-9a-zA-Z]') }}
{%- endmacro %}

{#- The parts of a key, one behind the other, each as long as any. -#}
{% macro _sorted_parts(patterns) -%}
    {%- set sorted = [] -%}
    {%- for pattern in patterns -%}
        {%- set part = linker.regex_extract('member_key', pattern) -%}
        {%- set part = linker._month_number(part) if pattern == linker._key_parts().month_name else part -%}
        {%- do sorted.append('lpad(' ~ part ~ ", 6, '0')") -%}
    {%- endfor -%}
    {{ return(sorted | join(' || ')) }}
{%- endmacro %}

{#- Two digits for the name of a month. -#}
{% macro _month_number(name) -%}
    case substr(lower({{ name }}), 1, 3)
        {%- for month in linker.month_names(3) %} when '{{ month }}' then '{{ '%02d' | format(loop.index) }}'{% endfor %} end
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
