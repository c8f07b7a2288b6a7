{#-
    Detects postal addresses in a text: a street with a number in several languages, or a PO box; with the `hint` 'address',
    any text of words and a number.
-#}
{% macro is_address(value, hint) -%}
    {#- English and Italian street words have other meanings too, so the street name must be capitalised. -#}
    {%- set name = '([^][ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}' -%}
    {%- set start = '(^|[^0-9A-Za-z.,%-])' -%}
    {%- set end = '($|[^A-Za-z])' -%}
    {%- set as_written = [
        start ~ '[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ' ~ name ~ '(' ~ [
            'Street', 'Avenue', 'Road', 'Boulevard', 'Lane', 'Drive', 'Court', 'Square', 'Terrace', 'Parkway', 'Highway',
            'Crescent', 'Mews', 'Grove', 'Gardens', 'Alley', 'Turnpike', 'Esplanade', 'Close', 'Place', 'Way', 'Trail', 'Circle',
            'Cove', 'Loop', 'Plaza', 'Ridge', 'Walk', 'Pike', 'Crossing', 'Heights', 'Landing', 'Parade', 'Chowk', 'Marg',
            'STREET', 'AVENUE', 'ROAD', 'BOULEVARD', 'LANE', 'DRIVE', 'TERRACE', 'PARKWAY', 'HIGHWAY', 'CRESCENT',
            'Blvd', 'BLVD', 'Pkwy', 'Hwy', 'Ave', 'AVE', 'Rd', 'RD',
        ] | join('|') ~ ')' ~ end,
        start ~ '[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ' ~ name ~ '(St|ST|Dr|Ln|LN|Ct|Pl|Sq)[.]?($|[,;#\\n]| (Apt|Unit|Suite|Ste|N|S|E|W|N[EW]|S[EW])($|[^A-Za-z]))',
        start ~ '[0-9]{1,5}[A-Za-z]?,? ' ~ name ~ '[^ ,;:!?(){}=]+,? (Apt|Apartment|Suite|Ste|Unit|Flat)[.]? ?#?[0-9A-Z]{1,5}' ~ end,
        '[A-Z][^ 0-9]+ (Street|Avenue|Road|Boulevard|Lane|Blvd|Ave|Rd|St|Dr)[.]? [0-9]{1,4}($|[,;#\\n])',
        '(^|[^A-Za-z])(Via|Viale|Piazza|Piazzale|Corso|Vicolo|Strada|Contrada|Borgo|Largo|VIA|VIALE|PIAZZA|CORSO) [^][0-9a-z,;:!?(){}=][^][0-9,;:!?(){}=]+,? ?(n[.]? ?)?[0-9]{1,4}' ~ end,
    ] -%}
    {#- German, Dutch and Nordic street words end a word; Romance and Polish ones precede the name. -#}
    {#- East Asian: a street or road with a number; a block, lot or house with a number. -#}
    {%- set street = '[' ~ linker.character_ranges([('901a', none), ('8857', none), ('8def', none)]) ~ ']' -%}
    {%- set block = linker.character_ranges([('4e01', none), ('756a', none), ('53f7', none)]) -%}
    {%- set east_asian = street ~ '[' ~ linker.character_ranges([('308a', none)]) ~ ']? ?[0-9]{1,4}|[0-9]{1,4}[' ~ block ~ ']' -%}
    {%- set sharp_s = '[' ~ linker.character_ranges([('00df', none)]) ~ ']' -%}
    {%- set accented = '[' ~ linker.character_ranges([('00e0', '00ff')]) ~ ']' -%}
    {%- set start = '(^|[^0-9a-z])' -%}
    {%- set number = '[0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])' -%}
    {%- set in_lower_case = [
        '(stra(ss|' ~ sharp_s ~ ')e|[a-z]{3}str[.]?|(^|[^a-z])str[.]|platz|gasse|allee|weg|damm|chaussee),? ' ~ number,
        '(straat|laan|plein|gracht|kade|dijk|singel|gatan|v' ~ accented ~ 'gen|gade|vej|vejen|veien|katu),? ' ~ number,
        start ~ '[0-9]{1,4}( ?(bis|ter))?,? (rue|avenue|av[.]|boulevard|bd|chemin|impasse|all(e|' ~ accented ~ ')e|quai|place|route|faubourg) (de |du |des |d.|la |le |les |l.|saint|[a-z])[a-z]',
        start ~ '(rue|all(e|' ~ accented ~ ')e|chemin|quai) [^][0-9,;:!?(){}=]+ [0-9]{1,4}($|[^0-9a-z%])',
        start ~ '(calle|c/|avenida|avda[.]?|paseo|plaza|pasaje|callej.n|ronda|glorieta|carrer|camino|rua|travessa|pra' ~ accented ~ 'a|alameda) ?[^][0-9,;:!?(){}=]+,? ?(n[^ 0-9]{0,2} ?)?[0-9]{1,5}($|[^0-9a-z%])',
        start ~ '(ul|al|os)[.] ?[^][0-9,;:!?(){}=]+ [0-9]{1,4}',
        start ~ '(p[.]? ?o[.]? ?box|postfach|postbus|bo' ~ accented ~ 'te postale|apartado( de correos)?|casilla|skr[.] poczt[.]) ?[0-9]{1,6}',
        east_asian,
    ] -%}
    case
        when {{ linker.regex_matches(value, as_written | join('|')) }} then true
        when {{ linker.regex_matches('lower(' ~ value ~ ')', in_lower_case | join('|')) }} then true
        when {{ hint }} = 'address'
            then
                {{ linker.regex_matches(value, '(^|[ ,])[0-9]+[A-Za-z]?([ ,/-]|$)') }}
                and {{ linker.regex_matches(value, '[^][ -@_{}]{3}') }}
                and not {{ linker.regex_matches(value, '@|://|=') }}
        else false
    end
{%- endmacro %}
