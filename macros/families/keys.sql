{#- Keys in table names that split a logical table into shards: rules and matches; `linker_tables` groups tables by them. -#}

{#-
    Rules for shard keys, as a list of {kind, before, key, sort_key, demand}: `before` is a pattern for the name before the
    key, and `key`, on the rest, the key; `sort_key` is SQL over `member_key` that orders keys if their text does not;
    `demand` overrides what a group of this kind must show. Dates precede numbers, fine rules precede coarse ones;
    `family_keys` and `linker_tables` choose among matching rules.
    Patterns see the name with an additional `_` at both ends, so that a key always has a neighbour. They use only what all
    warehouses support: no look-around, no lazy quantifiers, and the first group is the extracted one.
    No digit or letter follows a key; a letter may precede it (`census2010`, `part07`), unless the key starts with a letter or
    a month (`q1_2024`, `01_2024`).
    Two-digit years count as numbers, except after `fy` and next to a quarter or a month name: `250131` and `100101` are
    indistinguishable, and they sort the same.
-#}
{% macro family_rules() -%}
    {#- Values of the `<name>` placeholders below; composite ones first. -#}
    {%- set forms = {
        'moment': '<date>[_tT-]?(?:[01][0-9]|2[0-3])',
        'date': '<year_month><gap>?<day>',
        'year_month': '<year><gap>?<month>',
        'marked_year': '(?:<year>|[yY][0-9]{2}|[fF][yY]_?(?:<year>|[0-9]{2}))',
        'short_year': '(?:[fF][yY]_?)?(?:<year>|[0-9]{2})',
        'year': '(?:19|20)[0-9]{2}',
        'month': '(?:0[1-9]|1[0-2])',
        'day': '(?:0[1-9]|[12][0-9]|3[01])',
        'sixty': '[0-5][0-9]',
        'week_number': '(?:0?[1-9]|[1-4][0-9]|5[0-3])',
        'month_number': '(?:0?[1-9]|1[0-2])',
        'period_number': '(?:0?[1-9]|1[0-3])',
        'quarter_number': '0?[1-4]',
        'half_number': '0?[12]',
        'uuid': '<digit>{8}(?:_<digit>{4}){3}_<digit>{12}',
        'digit': '[0-9a-fA-F]',
        'gap': '[_-]',
        'any': '.*[^0-9]',
        'apart': '.*[^0-9a-zA-Z]',
    } -%}
    {%- for meaning in ['week', 'month', 'period', 'quarter', 'half_year', 'month_name', 'tenant'] -%}
        {%- do forms.update({meaning ~ ' word': linker._any_case(linker.family_words(meaning))}) -%}
    {%- endfor -%}
    {%- set month_numbers = [] -%}
    {%- for word, number in linker.family_words('month_name').items() -%}
        {%- do month_numbers.append(" when '" ~ word ~ "' then '" ~ '%02d' | format(number) ~ "'") -%}
    {%- endfor -%}
    {%- set seasons = [] -%}
    {%- for number in range(100) -%}
        {%- do seasons.append('%02d' | format(number) ~ '[_-]' ~ '%02d' | format((number + 1) % 100)) -%}
    {%- endfor -%}
    {%- do forms.update({'season': '(?:19|20)(?:' ~ seasons | join('|') ~ ')'}) -%}
    {#- The parts of a key, in sort order. -#}
    {%- set parts = {
        'year in front': '^[a-zA-Z]*_?((?:19|20)[0-9]{2}|[0-9]{2})',
        'year behind': '((?:19|20)[0-9]{2}|[0-9]{2})$',
        'four digits in front': '^([0-9]{4})',
        'two digits in front': '^([0-9]{2})',
        'two digits then': '^[0-9]{2}[_-]?([0-9]{2})',
        'two digits behind': '([0-9]{2})$',
        'number in front': '^[^0-9]*([0-9]{1,2})',
        'quarter in front': '^[^0-9]*(0?[1-4])',
        'half in front': '^[^0-9]*(0?[12])',
        'number behind': '[^0-9]([0-9]{1,2})$',
        'digits behind': '([0-9]+)$',
        'digits before letters': '([0-9]+)[a-zA-Z]+$',
        'month by name': '(' ~ forms['month_name word'] ~ ')',
    } -%}
    {#- Kind, prefix pattern, key, parts of the key, requirement for a group, and suffix. -#}
    {%- set listed = [
        ['second', '<any>', '<moment>_?<sixty>_?<sixty>'],
        ['minute', '<any>', '<moment>_?<sixty>'],
        ['hour', '<any>', '<moment>'],
        ['day', '<any>', '<date>'],
        ['day', '<any>', '<year><gap>?[mM]<month><gap>?[dD]<day>'],
        ['day', '<any>', '<day><gap>?<month><gap>?<year>', ['year behind', 'two digits then', 'two digits in front']],
        ['day', '<any>', '<month><gap>?<day><gap>?<year>', ['year behind', 'two digits in front', 'two digits then']],
        ['month', '<any>', '<year_month>'],
        ['month', '<apart>', '<month><gap>?<year>', ['year behind', 'two digits in front']],
        ['day', '<any>', '<date><gap><date>'],
        ['month', '<any>', '<year_month><gap><year_month>'],

        ['week', '<any>', '<marked_year><gap>?<week word><gap>?<week_number>', ['year in front', 'number behind']],
        ['week', '<apart>', '<week word><gap>?<week_number><gap><marked_year>', ['year behind', 'number in front']],
        ['month', '<any>', '<marked_year><gap>?<month word><gap>?<month_number>', ['year in front', 'number behind']],
        ['month', '<apart>', '<month word><gap>?<month_number><gap><marked_year>', ['year behind', 'number in front']],
        ['month', '<any>', '<marked_year><gap>?<period word><gap>?<period_number>', ['year in front', 'number behind']],
        ['month', '<apart>', '<period word><gap>?<period_number><gap><marked_year>', ['year behind', 'number in front']],
        ['quarter', '<any>', '<short_year><gap>?<quarter word><gap>?<quarter_number>', ['year in front', 'number behind']],
        ['quarter', '<apart>', '<quarter word><gap>?<quarter_number><gap>?<short_year>', ['year behind', 'quarter in front']],
        ['quarter', '<any>', '<quarter_number><quarter word><gap>?<short_year>', ['year behind', 'quarter in front']],
        ['quarter', '<any>', '<short_year><gap><quarter_number><quarter word>', ['year in front', 'digits before letters']],
        ['half-year', '<any>', '<marked_year><gap>?<half_year word><gap>?<half_number>', ['year in front', 'number behind']],
        ['half-year', '<apart>', '<half_year word><gap>?<half_number><gap>?<marked_year>', ['year behind', 'half in front']],
        ['half-year', '<any>', '<half_number><half_year word><gap>?<marked_year>', ['year behind', 'half in front']],
        ['half-year', '<any>', '<marked_year><gap><half_number><half_year word>', ['year in front', 'digits before letters']],

        ['day', '<any>', '<day><gap>?<month_name word><gap>?<short_year>', ['year behind', 'month by name', 'number in front']],
        ['day', '<apart>', '<month_name word><gap>?<day><gap><short_year>', ['year behind', 'month by name', 'number in front']],
        ['day', '<any>', '<short_year><gap>?<month_name word><gap>?<day>', ['year in front', 'month by name', 'two digits behind']],
        ['month', '<apart>', '<month_name word><gap>?<short_year>', ['year behind', 'month by name']],
        ['month', '<any>', '<short_year><gap>?<month_name word>', ['year in front', 'month by name']],
        ['month', '<apart>', '<month_name word>', ['month by name'], 'months'],

        ['month', '<any>', '<year><gap>(?:[1-9]|1[0-2])', ['four digits in front', 'digits behind'], 'five'],
        ['year', '<any>', '<year>'],
        ['year', '<any>', '[fF][yY]_?[0-9]{2}'],
        ['year', '<any>', '<year><gap><year>'],
        ['year', '<any>', '<season>'],
        ['week', '<any>', '<year><gap>(?:0[1-9]|[1-4][0-9]|5[0-3])', ['four digits in front', 'two digits behind'], 'weeks'],

        ['shard', '<any>', '[0-9]+', none, none, '<gap>[oO][fF]<gap>[0-9]+'],
        ['number', '<any>', '<year><gap>[0-9]{3,6}', ['four digits in front', 'digits behind'], 'five'],
        ['number', '<any>', '[0-9]+'],
        ['number', '[^0-9]*', '[0-9]+'],
        ['hash', '<apart>', '<digit>{8,64}'],
        ['hash', '<apart>', '<uuid>'],
        ['hash', '<apart>', '<digit>{1,7}', none, 'digits'],
    ] -%}
    {%- if linker.family_words('tenant') -%}
        {%- do listed.append(['tenant', '<apart>', '<tenant word>']) -%}
    {%- endif -%}
    {%- set rules = [] -%}
    {%- for row in listed -%}
        {%- set written = namespace(before=row[1], key=row[2], behind=row[5] or '') -%}
        {%- for name, form in forms.items() -%}
            {%- set written.before = written.before.replace('<' ~ name ~ '>', form) -%}
            {%- set written.key = written.key.replace('<' ~ name ~ '>', form) -%}
            {%- set written.behind = written.behind.replace('<' ~ name ~ '>', form) -%}
        {%- endfor -%}
        {%- set sorted = [] -%}
        {%- for name in row[3] or [] -%}
            {%- set part = linker.regex_extract('member_key', parts[name]) -%}
            {%- if name == 'month by name' -%}
                {%- set part = 'case lower(' ~ part ~ ')' ~ month_numbers | join ~ ' end' -%}
            {%- endif -%}
            {%- do sorted.append('lpad(' ~ part ~ ", 6, '0')") -%}
        {%- endfor -%}
        {%- set end = written.behind ~ '[^0-9a-zA-Z]' -%}
        {%- do rules.append({
            'kind': row[0],
            'before': '^(' ~ written.before ~ ')' ~ written.key ~ end,
            'key': '^(' ~ written.key ~ ')' ~ end,
            'sort_key': 'lower(member_key)' if row[0] == 'tenant' else sorted | join(' || '),
            'demand': row[4] or none,
        }) -%}
    {%- endfor -%}
    {{ return(rules) }}
{%- endmacro %}

{#- A case-insensitive pattern for these words. -#}
{% macro _any_case(words) -%}
    {%- set patterns = [] -%}
    {%- for word in words -%}
        {%- set letters = [] -%}
        {%- for letter in word -%}
            {%- do letters.append('[' ~ letter ~ letter | upper ~ ']') -%}
        {%- endfor -%}
        {%- do patterns.append(letters | join) -%}
    {%- endfor -%}
    {{ return('(?:' ~ patterns | join('|') ~ ')') }}
{%- endmacro %}

{#-
    One row per table and matching rule of `family_rules`: rule_number, key_kind, prefix, member_key, suffix, sort_key,
    key_number, key_length (for hashes, which have equal lengths in a family; else 0), the flags that `linker_tables` counts per
    group, and `demand`, the condition under which a group is a family:
    'date'   none
    'piece'  none: a number after a word for a part (`part_3`, `_p12`, `_s001`), or `3_of_16`
    'close'  a separate number (`events_9`): close, large, padded or many numbers
    'run'    a number that may belong to its word (`recode3`): 1, 2, 3 without a gap, or padded
    'hash'   equal lengths, with letters among the digits
    'digits' few hexadecimal digits (`users_0f`): at least five (of one digit twelve), with letters and digits at one position
    'months' month names without a year (`orders_jan`): three, or two consecutive ones
    'five'   a number after a year (`sales_2024_1`): at least five
    'weeks'  two digits after a year (`sales_2024_52`): more than twelve
    A number is no key after a version (`v1_17`) or a grade word, before a unit (`30_days`), or as the whole name. Neither
    numbers nor dates are keys after a word of 'named' (`room_1901`).
-#}
{% macro family_keys(relation) -%}
    {%- set rules = linker.family_rules() -%}
    {%- set rest = 'substr(padded_name, length(padded_prefix) + 1)' -%}
    {%- set percentiles = ['1', '5', '10', '25', '50', '75', '90', '95', '99', '999'] -%}
    {%- set tenants = linker.family_words('tenant') -%}
    {#- A digit, a month name, or a few hexadecimal letters. -#}
    {%- set may_hold_a_key = '[0-9]|[^a-zA-Z]' ~ linker._any_case(linker.family_words('month_name')) ~ '[^a-zA-Z]'
        ~ '|[^0-9a-zA-Z][a-fA-F]{1,7}[^0-9a-zA-Z]' ~ ('|' ~ linker._any_case(tenants) if tenants else '') -%}
    {#- `v` and the like before the number, or before preceding numbers: v2, r24, v1_17, storiesv2. -#}
    {%- set version_before_number = '([a-z]v|[^a-z](' ~ linker.family_words('version') | join('|')
        ~ ')[^a-z0-9]?)([0-9]+[^a-z0-9]+)*$' -%}
    {#- A key that is the whole name has no table name left. -#}
    {%- set needs_a_stem = ['number', 'hash'] + (['tenant'] if tenants else []) -%}
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
            and {{ linker.regex_matches("'_' || table_name || '_'", may_hold_a_key) }}
    ),

    {#- Each pattern is used once, since a warehouse compiles it at each use, which takes longer than reading a hundred names. #}
    opened as {{ linker.dialect().materialized }}(
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

    keyed as {{ linker.dialect().materialized }}(
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
            case
                when rule_kind in ({{ linker._literals(needs_a_stem) }}) and prefix = '' and suffix = '' then null
                when rule_kind <> 'hash' and word_before in ({{ linker._literals(linker.family_words('named')) }}) then null
                when rule_kind = 'hash' and rule_demand is null
                    then case when {{ linker.regex_matches('member_key', '[0-9]') }} then 'hash' end
                when rule_kind = 'hash' and word_before in ({{ linker._literals(linker.family_words('piece')) }}) then 'hash'
                when rule_kind not in ('number', 'shard', 'hash') then coalesce(rule_demand, 'date')
                when rule_kind = 'shard' then 'piece'
                when word_before in ({{ linker._literals(linker.family_words('piece') + linker.family_words('counted')) }}) then 'piece'
                when word_before in ({{ linker._literals(linker.family_words('grade')) }}) then null
                when word_after in ({{ linker._literals(linker.family_words('unit')) }}) then null
                when {{ linker.regex_matches('lower_prefix', version_before_number) }} then null
                when rule_demand is not null then rule_demand
                when {{ linker.regex_matches('lower_prefix', '[a-z0-9][^a-z]+[ps]$') }} then 'piece'
                when {{ linker.regex_matches('lower_prefix', '[a-z]$') }} then 'run'
                else 'close'
            end as demand
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
                and word_before in ({{ linker._literals(linker.family_words('piece') + ['p', 's']) }})
                then 'shard'
            else rule_kind
        end as key_kind,
        prefix,
        member_key,
        suffix,
        -- Dates sort as text, year first; numbers are padded, so that shard 10 follows shard 9.
        {%- set digits = "replace(replace(replace(lower(member_key), '_', ''), '-', ''), 't', '')" %}
        case
            {%- for rule in rules if rule.sort_key %}
            when rule_number = {{ rules.index(rule) + 1 }}
                then {{ rule.sort_key }}
            {%- endfor %}
            when rule_kind in ('number', 'shard') then lpad(member_key, 40, '0')
            else {{ digits }}
        end as sort_key,
        cast(
            case
                when rule_demand = 'months' then {{ (rules | selectattr('demand', 'equalto', 'months') | first).sort_key }}
                else {{ linker.regex_extract('member_key', '^([0-9]{1,18})$') }}
            end as {{ dbt.type_bigint() }}
        ) as key_number,
        case when rule_kind = 'hash' then length(member_key) else 0 end as key_length,
        member_key like '0_%' as is_padded,
        -- A word of hexadecimal letters followed by a number is no hash.
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
