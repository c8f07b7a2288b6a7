{#-
    The suffixes that make a family, the most telling first, as a list of {kind, stem, key}:
    two patterns over a table's name, of which `stem` yields the part in front of the key and `key` the key.
-#}
{% macro family_rules() -%}
    {%- set year = '(?:19|20)[0-9]{2}' -%}
    {%- set month = '(?:0[1-9]|1[0-2])' -%}
    {%- set day = '(?:0[1-9]|[12][0-9]|3[01])' -%}
    {%- set rules = [] -%}
    {%- for kind, key in [
        ('day', year ~ month ~ day),
        ('day', year ~ '_' ~ month ~ '_' ~ day),
        ('day', year ~ '-' ~ month ~ '-' ~ day),
        ('month', year ~ month),
        ('month', year ~ '[_-]' ~ month),
        ('quarter', year ~ '[_-]?[qQ][1-4]'),
        ('year', year),
        ('number', '[0-9]+'),
    ] -%}
        {%- do rules.append({'kind': kind, 'stem': '^(.*[^0-9])' ~ key ~ '$', 'key': '^.*[^0-9](' ~ key ~ ')$'}) -%}
    {%- endfor -%}
    {{ return(rules) }}
{%- endmacro %}
