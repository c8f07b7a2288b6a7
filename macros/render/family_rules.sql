{#-
    The keys that cut a logical table into members, as a list of {kind, before, key, order}: two patterns, of which
    `before` yields what stands before the key, and `key`, on the rest, the key; and, where the year comes last, the
    places of year, month and day among its digits. Dates come before numbers, fine ones before
    coarse ones; which rule decides among those that fit is said in `family_keys` and `linker_tables`.

    The patterns are read with one more `_` at both ends of the name, so that a key always has a neighbour. They keep to
    what all warehouses read: no look-around, nothing lazy, and the group that is asked for opens first.
    A key ends where neither a digit nor a letter follows; before it a letter may stand (`census2010`, `part07`).

    Years of two digits are read as numbers, except after `fy`: `250131` and `100101` cannot be told apart, and they
    sort the same.
-#}
{% macro family_rules() -%}
    {%- set year = '(?:19|20)[0-9]{2}' -%}
    {%- set month = '(?:0[1-9]|1[0-2])' -%}
    {%- set day = '(?:0[1-9]|[12][0-9]|3[01])' -%}
    {%- set hour = '(?:[01][0-9]|2[0-3])' -%}
    {%- set sixty = '[0-5][0-9]' -%}
    {%- set gap = '[_-]' -%}
    {%- set year_month = year ~ gap ~ '?' ~ month -%}
    {%- set date = year_month ~ gap ~ '?' ~ day -%}
    {%- set day_first = day ~ gap ~ '?' ~ month ~ gap ~ '?' ~ year -%}
    {%- set month_first = month ~ gap ~ '?' ~ day ~ gap ~ '?' ~ year -%}
    {%- set then = '[_tT-]?' -%}
    {%- set hexadecimal = '[0-9a-fA-F]' -%}
    {%- set rules = [] -%}
    {%- for kind, key in [
        ('second', date ~ then ~ hour ~ '_?' ~ sixty ~ '_?' ~ sixty),
        ('minute', date ~ then ~ hour ~ '_?' ~ sixty),
        ('hour', date ~ then ~ hour),
        ('day', date),
        ('week', year ~ gap ~ '?[wW](?:0[1-9]|[1-4][0-9]|5[0-3])'),
        ('month', year_month),
        ('quarter', year ~ gap ~ '?[qQ][1-4]'),
        ('half-year', year ~ gap ~ '?[hH][12]'),
        ('year', year),
        ('year', '[fF][yY]_?[0-9]{2}'),
        ('day', date ~ gap ~ date),
        ('month', year_month ~ gap ~ year_month),
        ('year', year ~ gap ~ year),
    ] -%}
        {%- do rules.append(linker._family_rule(kind, '.*[^0-9]', key)) -%}
    {%- endfor -%}
    {#- Which of the two it is, the days after the twelfth tell: it is the one that takes in all tables. -#}
    {%- do rules.append(dict(linker._family_rule('day', '.*[^0-9]', day_first), order=[5, 3, 1])) -%}
    {%- do rules.append(dict(linker._family_rule('day', '.*[^0-9]', month_first), order=[5, 1, 3])) -%}
    {%- do rules.append({
        'kind': 'shard',
        'before': '^(.*[^0-9])[0-9]+' ~ gap ~ '[oO][fF]' ~ gap ~ '[0-9]+[^0-9a-zA-Z]',
        'key': '^([0-9]+)' ~ gap ~ '[oO][fF]' ~ gap,
    }) -%}
    {#- The last number of the name, then the first: `chr10` of `methylation_chr10_2017`. -#}
    {%- do rules.append(linker._family_rule('number', '.*[^0-9]', '[0-9]+')) -%}
    {%- do rules.append(linker._family_rule('number', '[^0-9]*', '[0-9]+')) -%}
    {%- do rules.append(linker._family_rule('hash', '.*[^0-9a-zA-Z]', hexadecimal ~ '{8,64}')) -%}
    {%- do rules.append(linker._family_rule(
        'hash',
        '.*[^0-9a-zA-Z]',
        hexadecimal ~ '{8}(?:' ~ gap ~ hexadecimal ~ '{4}){3}' ~ gap ~ hexadecimal ~ '{12}',
    )) -%}
    {{ return(rules) }}
{%- endmacro %}

{% macro _family_rule(kind, before, key) -%}
    {{ return({
        'kind': kind,
        'before': '^(' ~ before ~ ')' ~ key ~ '[^0-9a-zA-Z]',
        'key': '^(' ~ key ~ ')[^0-9a-zA-Z]',
    }) }}
{%- endmacro %}
