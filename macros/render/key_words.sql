{#-
    The words that say what a number beside them means, by meaning:
    'piece'    after them it tells one piece from the next, whatever the numbers are
    'counted'  after them it does so, too, and is a number like others
    'grade'    after them it says which thing it is, not which piece of it: a grade (`level_1` is no piece of what
               `level_2` is), a kind, a stretch of time, a standard, a corner of a cloud region
    'named'    after them it names a thing, even where it reads like a date: `iso_2001`, `room_1901`
    'unit'     before them it is a measure: `active_30_days`, `temperature_2_m`
    'version'  after them it is a version
-#}
{% macro key_words(meaning) -%}
    {%- set words = {
        'piece': ['batch', 'bucket', 'chunk', 'fragment', 'part', 'partition', 'shard', 'slice', 'split', 'stripe'],
        'counted': ['chr', 'chrom', 'chromosome'],
        'grade': [
            'adm', 'admin', 'depth', 'gen', 'generation', 'grade', 'layer', 'level', 'lvl', 'phase', 'rank', 'res',
            'resolution', 'stage', 'step', 'tier', 'zoom', 'exp', 'experiment',
            'category', 'class', 'kind', 'option', 'plan', 'scenario', 'type', 'variant',
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
    } -%}
    {{ return(words[meaning]) }}
{%- endmacro %}
