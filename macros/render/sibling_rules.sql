{#-
    What may be all that tells look-alikes apart, as a list of {kind, before, key}, read as those of `family_rules`.
    Neither makes a family. The rows of a family add up to one table; versions repeat each other, so that adding them
    counts everything twice, and a region is a thing of its own.
-#}
{% macro sibling_rules() -%}
    {%- set version = '(?:' ~ linker.key_words('version') | join('|') ~ ')[_-]?[0-9]+(?:[._p-][0-9]+)*' -%}
    {%- set corner = '(?:[_-](?:' ~ linker._corners() | join('|') ~ ')(?:[_-]?[0-9])?)?' -%}
    {%- set region = '(?:' ~ linker._regions() | join('|') ~ ')' ~ corner -%}
    {{ return([
        {'kind': 'version', 'before': '^(.*[^a-z0-9])' ~ version ~ '[^a-z0-9]', 'key': '^(' ~ version ~ ')[^a-z0-9]'},
        {'kind': 'region', 'before': '^(.*[^a-z0-9])' ~ region ~ '[^a-z0-9]', 'key': '^(' ~ region ~ ')[^a-z0-9]'},
    ]) }}
{%- endmacro %}

{#- Parts of the world, the countries of ISO 3166-1 by their two letters, and the states of the USA. -#}
{% macro _regions() -%}
    {{ return((
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
    ).split()) }}
{%- endmacro %}

{% macro _corners() -%}
    {{ return(['central', 'east', 'north', 'northeast', 'northwest', 'south', 'southeast', 'southwest', 'west']) }}
{%- endmacro %}
