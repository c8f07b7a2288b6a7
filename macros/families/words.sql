{#-
    Words in table and schema names, from the package and the var family_words. Meanings:
    'piece'        a number after it is a shard, whatever the numbers are
    'counted'      a number after it is a shard, under the same conditions as other numbers
    'grade'        a number after it distinguishes tables, not shards: a grade (`level_1` is not part of `level_2`), a kind, a
                   period, a standard, a corner of a cloud region
    'named'        a number after it is a name, even if it looks like a date: `iso_2001`, `room_1901`
    'unit'         a number before it is a measure: `active_30_days`, `temperature_2_m`
    'version'      a number after it is a version
    'week', 'month', 'period', 'quarter', 'half_year'
                   a number next to it is a part of a year: `2024w05`, `q1_2024`
    'month_name'   month names with their numbers; the package's also match by their first three letters
    'tenant'       owners of the rows: `orders_acme` and `orders_globex` are one table; the package lists none
    'region'       parts of the world, ISO 3166-1 two-letter codes of countries, and states of the USA
    'corner'       parts of a region: `us_east_1`
    'environment'  parts of schema names for a stage or purpose; such schemas with the same tables are copies
-#}
{% macro family_words(meaning) -%}
    {%- set months = {
        'january': 1, 'february': 2, 'march': 3, 'april': 4, 'may': 5, 'june': 6, 'july': 7, 'august': 8, 'september': 9,
        'october': 10, 'november': 11, 'december': 12, 'sept': 9, 'jan': 1, 'feb': 2, 'mar': 3, 'apr': 4, 'jun': 6, 'jul': 7,
        'aug': 8, 'sep': 9, 'oct': 10, 'nov': 11, 'dec': 12,
    } -%}
    {%- set regions = (
        'africa amer americas amrs anz apac apj asia asean benelux brazil canada cee china dach eea emea eu'
        ~ ' europe france gcc germany global india intl italy japan jpn latam mea mena mexico nam namer noram'
        ~ ' nordic nordics oceania oceanic row sea spain uk usa world ww ad ae af ag ai al am ao aq ar as at au'
        ~ ' aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl'
        ~ ' cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge'
        ~ ' gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm'
        ~ ' jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml'
        ~ ' mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk'
        ~ ' pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx'
        ~ ' sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws'
        ~ ' ye yt za zm zw ak ct dc fl hi ia ks mi nd nh nj nm nv ny oh ok or ri tx ut wa wi wv'
    ) -%}
    {%- set environments = (
        'archive backup bak base bronze ci clean copy core curated dev develop development e2e gold history int integration'
        ~ ' intermediate landing live local main mart marts mirror new old play pr preprod prod production public qa raw'
        ~ ' replica sandbox shadow silver snapshot snapshots source src stage staging stg test testing tmp temp uat'
    ) -%}
    {{ return(linker.words_of_meaning('family_words', meaning, {
        'piece': ['batch', 'bucket', 'chunk', 'fragment', 'part', 'partition', 'shard', 'slice', 'split', 'stripe'],
        'counted': ['chr', 'chrom', 'chromosome'],
        'grade': [
            'adm', 'admin', 'depth', 'gen', 'generation', 'grade', 'layer', 'level', 'lvl', 'phase', 'rank', 'res',
            'resolution', 'stage', 'step', 'tier', 'zoom', 'category', 'class', 'kind', 'option', 'plan', 'scenario', 'type', 'variant',
            'days', 'hours', 'mins', 'minutes', 'months', 'weeks', 'first', 'last', 'next', 'past', 'top', 'trailing',
            'grch', 'hg', 'http', 'icd', 'ipv', 'isic', 'naics', 'nuts', 'pm', 'sic', 'utf',
            'central', 'east', 'north', 'northeast', 'northwest', 'south', 'southeast', 'southwest', 'west',
        ],
        'named': ['din', 'ean', 'iec', 'iso', 'model', 'room', 'sku'],
        'unit': [
            'd', 'day', 'days', 'h', 'hour', 'hours', 'hr', 'hrs', 'km', 'm', 'meter', 'meters', 'mi', 'min', 'mins',
            'minute', 'minutes', 'mm', 'month', 'months', 'pct', 'percent', 'week', 'weeks', 'y', 'year', 'years',
            'yr', 'yrs',
        ],
        'version': ['v', 'ver', 'version', 'r', 'rel', 'release', 'rev', 'revision'],
        'week': ['w', 'wk', 'week', 'kw', 'cw'],
        'month': ['m', 'mo', 'month'],
        'period': ['per', 'period'],
        'quarter': ['q', 'qtr', 'quarter'],
        'half_year': ['h', 'hy', 'half'],
        'month_name': months,
        'tenant': [],
        'region': regions.split(),
        'corner': ['central', 'east', 'north', 'northeast', 'northwest', 'south', 'southeast', 'southwest', 'west'],
        'environment': environments.split(),
    })) }}
{%- endmacro %}

{#-
    The words of a meaning, out of all meanings, with the words of a project variable: a list, or {word: expansion} for
    meanings whose package words have expansions. Invalid variables raise an error, whatever the meaning.
-#}
{% macro words_of_meaning(var_name, meaning, words) -%}
    {#- No error while dbt parses, since that would stop the models of other packages too. -#}
    {%- set added = (var(var_name, none) or {}) if execute else {} -%}
    {%- if added is not mapping -%}
        {{ exceptions.raise_compiler_error('linker: the var ' ~ var_name ~ ' must map a meaning to words: ' ~ added) }}
    {%- endif -%}
    {%- for name, listed in added.items() -%}
        {%- set place = 'linker: the var ' ~ var_name ~ ', `' ~ name ~ '`: ' -%}
        {%- if name not in words -%}
            {{ exceptions.raise_compiler_error(place ~ 'there are words for ' ~ words | sort | join(', ')) }}
        {%- elif words[name] is mapping and listed is not mapping -%}
            {{ exceptions.raise_compiler_error(place ~ 'each word needs a meaning, as in `word: meaning`') }}
        {%- elif words[name] is not mapping and (listed is string or listed is mapping or listed is not iterable) -%}
            {{ exceptions.raise_compiler_error(place ~ 'not a list of words: ' ~ listed) }}
        {%- endif -%}
        {%- for word in listed if not modules.re.fullmatch('[A-Za-z0-9_]+', word | string) -%}
            {{ exceptions.raise_compiler_error(place ~ 'a word may only have letters from a to z, digits and `_`: ' ~ word) }}
        {%- endfor -%}
        {%- for word, meant in (listed.items() if listed is mapping else []) -%}
            {%- set known = words[name].values() | unique | list -%}
            {%- if known and meant not in known -%}
                {{ exceptions.raise_compiler_error(place ~ word ~ ' can stand for ' ~ known | join(', ')) }}
            {%- elif not known and not modules.re.fullmatch('[A-Za-z0-9]+', meant | string) -%}
                {{ exceptions.raise_compiler_error(place ~ word ~ ' has to stand for one word: ' ~ meant) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set listed = added.get(meaning) or [] -%}
    {%- if words[meaning] is not mapping -%}
        {{ return(words[meaning] + listed | map('string') | map('lower') | list) }}
    {%- endif -%}
    {#- The project's words come first: they may start like one of the package's and mean something else. -#}
    {%- set stands_for = {} -%}
    {%- for word in listed -%}
        {%- do stands_for.update({word | lower: listed[word] | lower if listed[word] is string else listed[word]}) -%}
    {%- endfor -%}
    {{ return(dict(dict(stands_for, **words[meaning]), **stands_for)) }}
{%- endmacro %}
