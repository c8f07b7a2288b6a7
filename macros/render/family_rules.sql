{#-
    The keys that cut a logical table into members, as a list of {kind, before, key}: two patterns, of which `before`
    yields what stands before the key, and `key`, on the rest, the key. Dates come before numbers, fine ones before
    coarse ones; which rule decides among those that fit is said in `family_keys` and `linker_tables`. A rule may have
    `parts`   patterns that yield the parts of its key, the year first: keys are put in the order of these
    `demand`  what a group has to show, instead of what its kind asks for

    The patterns are read with one more `_` at both ends of the name, so that a key always has a neighbour. They keep to
    what all warehouses read: no look-around, nothing lazy, and the group that is asked for opens first.
    A key ends where neither a digit nor a letter follows; before it a letter may stand (`census2010`, `part07`), but not
    before one that begins with a letter or with a month (`q1_2024`, `01_2024`).

    Years of two digits are read as numbers, except after `fy` and beside a quarter or the name of a month: `250131` and
    `100101` cannot be told apart, and they sort the same.
-#}
{% macro family_rules() -%}
    {%- set rules = [] -%}
    {%- do rules.extend(linker._date_rules()) -%}
    {%- do rules.extend(linker._period_rules()) -%}
    {%- do rules.extend(linker._month_name_rules()) -%}
    {%- do rules.extend(linker._year_rules()) -%}
    {%- do rules.extend(linker._number_rules()) -%}
    {{ return(rules) }}
{%- endmacro %}

{% macro _key_parts() -%}
    {%- set year = '(?:19|20)[0-9]{2}' -%}
    {%- set month = '(?:0[1-9]|1[0-2])' -%}
    {{ return({
        'gap': '[_-]',
        'year': year,
        'month': month,
        'day': '(?:0[1-9]|[12][0-9]|3[01])',
        'marked_year': '(?:' ~ year ~ '|[yY][0-9]{2}|[fF][yY]_?(?:' ~ year ~ '|[0-9]{2}))',
        'short_year': '(?:[fF][yY]_?)?(?:' ~ year ~ '|[0-9]{2})',
        'year_in_front': '^[a-zA-Z]*_?((?:19|20)[0-9]{2}|[0-9]{2})',
        'year_behind': '((?:19|20)[0-9]{2}|[0-9]{2})$',
        'number_in_front': '^[^0-9]*([0-9]{1,2})',
        'number_behind': '[^0-9]([0-9]{1,2})$',
        'month_name': '(' ~ linker._any_case(linker.month_names(3)) ~ ')',
        'any': '.*[^0-9]',
        'apart': '.*[^0-9a-zA-Z]',
    }) }}
{%- endmacro %}

{#- Moments, days and months in digits. Which of the two days is meant, those after the twelfth tell: it is the one that takes in all tables. -#}
{% macro _date_rules() -%}
    {%- set parts = linker._key_parts() -%}
    {%- set gap, year, month, day = parts.gap, parts.year, parts.month, parts.day -%}
    {%- set hour = '(?:[01][0-9]|2[0-3])' -%}
    {%- set sixty = '[0-5][0-9]' -%}
    {%- set year_month = year ~ gap ~ '?' ~ month -%}
    {%- set date = year_month ~ gap ~ '?' ~ day -%}
    {%- set then = '[_tT-]?' -%}
    {%- set day_first = day ~ gap ~ '?' ~ month ~ gap ~ '?' ~ year -%}
    {%- set month_first = month ~ gap ~ '?' ~ day ~ gap ~ '?' ~ year -%}
    {%- set in_front = '^([0-9]{2})' -%}
    {%- set second = '^[0-9]{2}[_-]?([0-9]{2})' -%}
    {{ return([
        linker._family_rule('second', parts.any, date ~ then ~ hour ~ '_?' ~ sixty ~ '_?' ~ sixty),
        linker._family_rule('minute', parts.any, date ~ then ~ hour ~ '_?' ~ sixty),
        linker._family_rule('hour', parts.any, date ~ then ~ hour),
        linker._family_rule('day', parts.any, date),
        linker._family_rule('day', parts.any, year ~ gap ~ '?[mM]' ~ month ~ gap ~ '?[dD]' ~ day),
        linker._family_rule('day', parts.any, day_first, [parts.year_behind, second, in_front]),
        linker._family_rule('day', parts.any, month_first, [parts.year_behind, in_front, second]),
        linker._family_rule('month', parts.any, year_month),
        linker._family_rule('month', parts.apart, month ~ gap ~ '?' ~ year, [parts.year_behind, in_front]),
        linker._family_rule('day', parts.any, date ~ gap ~ date),
        linker._family_rule('month', parts.any, year_month ~ gap ~ year_month),
    ]) }}
{%- endmacro %}

{#- A part of a year that a letter or a word marks, before the year or behind it: `2024w05`, `q1_2024`, `1q24`, `y2024m01`. -#}
{% macro _period_rules() -%}
    {%- set parts = linker._key_parts() -%}
    {%- set gap = parts.gap ~ '?' -%}
    {%- set week = '(?:0?[1-9]|[1-4][0-9]|5[0-3])' -%}
    {%- set month = '(?:0?[1-9]|1[0-2])' -%}
    {%- set rules = [] -%}
    {%- for kind, words, number, year in [
        ('week', ['w', 'wk', 'week', 'kw', 'cw'], week, parts.marked_year),
        ('month', ['m', 'mo', 'month'], month, parts.marked_year),
        ('month', ['per', 'period'], '(?:0?[1-9]|1[0-3])', parts.marked_year),
        ('quarter', ['q', 'qtr', 'quarter'], '0?[1-4]', parts.short_year),
        ('half-year', ['h', 'hy', 'half'], '0?[12]', parts.marked_year),
    ] -%}
        {%- set word = linker._any_case(words) -%}
        {%- set year_first = [parts.year_in_front, parts.number_behind] -%}
        {%- do rules.append(linker._family_rule(kind, parts.any, year ~ gap ~ word ~ gap ~ number, year_first)) -%}
        {#- Behind a number of one or two digits the year needs a gap. -#}
        {%- set then = gap if kind in ['quarter', 'half-year'] else parts.gap -%}
        {%- set in_front = '^[^0-9]*(' ~ number ~ ')' if kind in ['quarter', 'half-year'] else parts.number_in_front -%}
        {%- set number_first = [parts.year_behind, in_front] -%}
        {%- do rules.append(linker._family_rule(kind, parts.apart, word ~ gap ~ number ~ then ~ year, number_first)) -%}
        {%- if kind in ['quarter', 'half-year'] -%}
            {%- do rules.append(linker._family_rule(kind, parts.any, number ~ word ~ gap ~ year, number_first)) -%}
            {%- do rules.append(linker._family_rule(
                kind, parts.any, year ~ parts.gap ~ number ~ word, [parts.year_in_front, '([0-9]+)[a-zA-Z]+$']
            )) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(rules) }}
{%- endmacro %}

{#- `jan_2024`, `2024jan`, `05jan2024`, and `jan` alone, which has to be one of several. -#}
{% macro _month_name_rules() -%}
    {%- set parts = linker._key_parts() -%}
    {%- set gap, year, day = parts.gap ~ '?', parts.short_year, parts.day -%}
    {%- set name = linker._any_case(linker.month_names()) -%}
    {%- set named, year_behind, year_in_front = parts.month_name, parts.year_behind, parts.year_in_front -%}
    {{ return([
        linker._family_rule('day', parts.any, day ~ gap ~ name ~ gap ~ year, [year_behind, named, parts.number_in_front]),
        linker._family_rule('day', parts.apart, name ~ gap ~ day ~ parts.gap ~ year, [year_behind, named, parts.number_in_front]),
        linker._family_rule('day', parts.any, year ~ gap ~ name ~ gap ~ day, [year_in_front, named, '([0-9]{2})$']),
        linker._family_rule('month', parts.apart, name ~ gap ~ year, [year_behind, named]),
        linker._family_rule('month', parts.any, year ~ gap ~ name, [year_in_front, named]),
        linker._family_rule('month', parts.apart, name, [named], demand='months'),
    ]) }}
{%- endmacro %}

{#- Years, and numbers behind a year that nothing marks: months and weeks where there are many. -#}
{% macro _year_rules() -%}
    {%- set parts = linker._key_parts() -%}
    {%- set gap, year = parts.gap, parts.year -%}
    {%- set numbered = ['^([0-9]{4})', '([0-9]+)$'] -%}
    {%- set seasons = [] -%}
    {%- for number in range(100) -%}
        {%- do seasons.append('%02d' | format(number) ~ gap ~ '%02d' | format((number + 1) % 100)) -%}
    {%- endfor -%}
    {{ return([
        linker._family_rule('month', parts.any, year ~ gap ~ '(?:[1-9]|1[0-2])', numbered, demand='five'),
        linker._family_rule('year', parts.any, year),
        linker._family_rule('year', parts.any, '[fF][yY]_?[0-9]{2}'),
        linker._family_rule('year', parts.any, year ~ gap ~ year),
        linker._family_rule('year', parts.any, '(?:19|20)(?:' ~ seasons | join('|') ~ ')'),
        linker._family_rule(
            'week', parts.any, year ~ gap ~ '(?:0[1-9]|[1-4][0-9]|5[0-3])', ['^([0-9]{4})', '([0-9]{2})$'], demand='weeks'
        ),
    ]) }}
{%- endmacro %}

{#- Of numbers the last of the name, then the first: `chr10` of `methylation_chr10_2017`. -#}
{% macro _number_rules() -%}
    {%- set parts = linker._key_parts() -%}
    {%- set gap, hexadecimal = parts.gap, '[0-9a-fA-F]' -%}
    {%- set uuid = hexadecimal ~ '{8}(?:_' ~ hexadecimal ~ '{4}){3}_' ~ hexadecimal ~ '{12}' -%}
    {%- set numbered = ['^([0-9]{4})', '([0-9]+)$'] -%}
    {{ return([
        {
            'kind': 'shard',
            'before': '^(.*[^0-9])[0-9]+' ~ gap ~ '[oO][fF]' ~ gap ~ '[0-9]+[^0-9a-zA-Z]',
            'key': '^([0-9]+)' ~ gap ~ '[oO][fF]' ~ gap,
        },
        linker._family_rule('number', parts.any, parts.year ~ gap ~ '[0-9]{3,6}', numbered, demand='five'),
        linker._family_rule('number', parts.any, '[0-9]+'),
        linker._family_rule('number', '[^0-9]*', '[0-9]+'),
        linker._family_rule('hash', parts.apart, hexadecimal ~ '{8,64}'),
        linker._family_rule('hash', parts.apart, uuid),
        linker._family_rule('hash', parts.apart, hexadecimal ~ '{1,7}', demand='digits'),
    ]) }}
{%- endmacro %}

{% macro _family_rule(kind, before, key, parts=none, demand=none) -%}
    {{ return({
        'kind': kind,
        'before': '^(' ~ before ~ ')' ~ key ~ '[^0-9a-zA-Z]',
        'key': '^(' ~ key ~ ')[^0-9a-zA-Z]',
        'parts': parts,
        'demand': demand,
    }) }}
{%- endmacro %}

{#- The names of the months, long and short, or their first letters. -#}
{% macro month_names(length=none) -%}
    {%- set names = [
        'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november',
        'december',
    ] -%}
    {%- if length is none -%}
        {%- set short = [] -%}
        {%- for name in names -%}
            {%- do short.append(name[:3]) -%}
        {%- endfor -%}
        {{ return(names + ['sept'] + short) }}
    {%- endif -%}
    {%- set first = [] -%}
    {%- for name in names -%}
        {%- do first.append(name[:length]) -%}
    {%- endfor -%}
    {{ return(first) }}
{%- endmacro %}

{#- A pattern for these words in capital and small letters. -#}
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
