select case
        when not regexp_matches(name, '[0-9@]|-----BEGIN') then null
        when regexp_matches(name, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@)') then 'credential'
        when regexp_matches(name, '[^][ @(){}<>,;:"/]@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 'email'
        when case
        when length(name) > 48 then false
        when not regexp_matches(upper(replace(replace(name, ' ', ''), '-', '')), '^((NO)[0-9]{2}[A-Z0-9]{11}|(BE)[0-9]{2}[A-Z0-9]{12}|(DK|FI|FK|FO|GL|NL|SD)[0-9]{2}[A-Z0-9]{14}|(MK|SI)[0-9]{2}[A-Z0-9]{15}|(AT|BA|EE|KZ|LT|LU|MN|XK)[0-9]{2}[A-Z0-9]{16}|(CH|CR|HR|LI|LV)[0-9]{2}[A-Z0-9]{17}|(BG|BH|DE|GB|GE|IE|ME|RS|VA)[0-9]{2}[A-Z0-9]{18}|(AE|GI|IL|IQ|OM|SO|TL)[0-9]{2}[A-Z0-9]{19}|(AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG)[0-9]{2}[A-Z0-9]{20}|(LY|PT|ST)[0-9]{2}[A-Z0-9]{21}|(IS|TR)[0-9]{2}[A-Z0-9]{22}|(BI|DJ|FR|GR|IT|MC|MR|SM)[0-9]{2}[A-Z0-9]{23}|(AL|AZ|BY|CY|DO|GT|HN|HU|LB|NI|PL|SV)[0-9]{2}[A-Z0-9]{24}|(BR|EG|PS|QA|UA)[0-9]{2}[A-Z0-9]{25}|(JO|KW|MU|YE)[0-9]{2}[A-Z0-9]{26}|(MT|SC)[0-9]{2}[A-Z0-9]{27}|(LC)[0-9]{2}[A-Z0-9]{28}|(RU)[0-9]{2}[A-Z0-9]{29})$') then false
        when hint = 'iban' then true
        else mod(mod(try_cast(left(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(name, ' ', ''), '-', '')), 5) || left(upper(replace(replace(name, ' ', ''), '-', '')), 4), '([A-J])', '1\1', 'g'), '([K-T])', '2\1', 'g'), '([U-Z])', '3\1', 'g'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as hugeint), 97) * 64 + mod(try_cast(right(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(name, ' ', ''), '-', '')), 5) || left(upper(replace(replace(name, ' ', ''), '-', '')), 4), '([A-J])', '1\1', 'g'), '([K-T])', '2\1', 'g'), '([U-Z])', '3\1', 'g'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as hugeint), 97), 97) = 1
    end then 'iban'
        when case
        when not regexp_matches(name, '^ *[0-9]+([ -][0-9]+)* *$') then false
        when hint = 'card' then regexp_matches(replace(replace(name, ' ', ''), '-', ''), '^[1-9][0-9]{12,18}$')
        when regexp_matches(replace(replace(name, ' ', ''), '-', ''), '^(4[0-9]{15}([0-9]{3})?|(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|3[47][0-9]{13}|3(0[0-59]|[689][0-9])[0-9]{11}([0-9]{2})?|(6011|64[4-9][0-9]|65[0-9]{2}|35(2[89]|[3-8][0-9])|62[0-9]{2}|220[0-4])[0-9]{12,15}|(5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{10,15}|(60[0-9]{2}|508[5-9]|8[12][0-9]{2})[0-9]{12})$') then mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(regexp_replace(lpad(replace(replace(name, ' ', ''), '-', ''), 20, '0'), '([0-9])[0-9]', '\1', 'g'), '0123456789', '0246813579') || regexp_replace(lpad(replace(replace(name, ' ', ''), '-', ''), 20, '0'), '[0-9]([0-9])', '\1', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 10) = 0
        else false
    end then 'card'
        when case
        when length(name) > 24 then false
        when regexp_matches(name, '^ *((00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-(0[1-9]|[1-9][0-9])-(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D]|[A-Za-z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRSTabcdehlmprst][0-9LMNPQRSTUV]{2}[A-Za-z][0-9LMNPQRSTUV]{3}[A-Za-z]|[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{5}[A-Z0-9][0-9]|756[.][0-9]{4}[.][0-9]{4}[.][0-9]{2}) *$') then true
        when regexp_matches(regexp_replace(upper(name), '[ ./-]', '', 'g'), '^[0-9XYZ][0-9]{7}[A-Z]$') and substr('TRWAGMYFPDXBNJZSQVHLCKE', cast(mod(try_cast(replace(replace(replace(left(regexp_replace(upper(name), '[ ./-]', '', 'g'), 8), 'X', '0'), 'Y', '1'), 'Z', '2') as bigint), 23) + 1 as integer), 1) = substr(regexp_replace(upper(name), '[ ./-]', '', 'g'), 9, 1) then true
        when
            regexp_matches(regexp_replace(upper(name), '[ ./-]', '', 'g'), '^[1-478][0-9]{2}(0[1-9]|1[0-2]|[2-9][0-9])(2[AB]|[0-9]{2})[0-9]{8}$')
            and mod(try_cast(replace(replace(left(regexp_replace(upper(name), '[ ./-]', '', 'g'), 13), '2A', '19'), '2B', '18') as bigint), 97) + try_cast(substr(regexp_replace(upper(name), '[ ./-]', '', 'g'), 14, 2) as bigint) = 97
            then true
        when
            regexp_matches(name, '^ *[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2} *$')
            and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(left(regexp_replace(name, '[^0-9]', '', 'g'), 10), '^([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '\1\1\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3\3\3\4\4\4\4\4\4\4\5\5\5\5\5\5\6\6\6\6\6\7\7\7\7\8\8\8\9\9', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(name, '[^0-9]', '', 'g'), 10, 1) = '0' then 1 else 0 end and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(regexp_replace(name, '[^0-9]', '', 'g'), '^[0-9]([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '\1\1\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3\3\3\4\4\4\4\4\4\4\5\5\5\5\5\5\6\6\6\6\6\7\7\7\7\8\8\8\9\9', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(name, '[^0-9]', '', 'g'), 11, 1) = '0' then 1 else 0 end and not regexp_matches(regexp_replace(name, '[^0-9]', '', 'g'), '^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+)$')
            then true
        when hint = 'national_id'
            then
                regexp_matches(regexp_replace(upper(name), '[ ./-]', '', 'g'), '^[A-Z0-9]{8,18}$') and regexp_matches(regexp_replace(name, '[^0-9]', '', 'g'), '^[0-9]{6}')
        else false
    end then 'national_id'
        when case
        when not regexp_matches(regexp_replace(name, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *[+(]?[0-9][0-9 ()./-]{5,23} *$') then false
        when regexp_matches(regexp_replace(regexp_replace(name, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '[ ()./-]', '', 'g'), '^[+][1-9][0-9]{7,14}$')
            then not regexp_matches(regexp_replace(name, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *[+][0-9]+[.][0-9]+ *$')
        when regexp_matches(regexp_replace(name, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *([+]?1[ .-]?)?[(][2-9][0-9]{2}[)] ?[2-9][0-9]{2}[-. ][0-9]{4} *$') then true
        when hint = 'phone'
            then
                regexp_matches(regexp_replace(regexp_replace(name, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '[ ()./-]', '', 'g'), '^[0-9]{7,15}$')
                and not regexp_matches(regexp_replace(name, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *([0-9]+[.][0-9]+|[0-9]{1,8}|[0-9]{4}[./-][01]?[0-9][./-][0-3]?[0-9]([ 0-9]*)|[0-3]?[0-9][./-][0-3]?[0-9][./-][0-9]{4}([ 0-9]*)|[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}) *$')
        else false
    end then 'phone'
        when case
        when regexp_matches(name, '(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^][ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(Street|Avenue|Road|Boulevard|Lane|Drive|Court|Square|Terrace|Parkway|Highway|Crescent|Mews|Grove|Gardens|Alley|Turnpike|Esplanade|Close|Place|Way|Trail|STREET|AVENUE|ROAD|BOULEVARD|LANE|DRIVE|TERRACE|PARKWAY|HIGHWAY|CRESCENT|Blvd|BLVD|Pkwy|Hwy|Ave|AVE|Rd|RD)($|[^A-Za-z])|(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^][ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(St|ST|Dr|Ln|LN|Ct|Pl|Sq)[.]?($|[,;#\n]| (Apt|Unit|Suite|Ste|N|S|E|W|N[EW]|S[EW])($|[^A-Za-z]))|[A-Z][^ 0-9]+ (Street|Avenue|Road|Boulevard|Lane|Blvd|Ave|Rd|St|Dr)[.]? [0-9]{1,4}($|[,;#\n])|(^|[^A-Za-z])(Via|Viale|Piazza|Piazzale|Corso|Vicolo|VIA|VIALE|PIAZZA|CORSO) [^][0-9a-z,;:!?(){}=][^][0-9,;:!?(){}=]+,? ?(n[.]? ?)?[0-9]{1,4}($|[^A-Za-z])') then true
        when regexp_matches(lower(name), '(stra(ss|[\x{00df}])e|[a-z]{3}str[.]?|(^|[^a-z])str[.]|platz|gasse|allee|weg|damm|chaussee),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(straat|laan|plein|gracht|kade|dijk|singel|gatan|v[\x{00e0}-\x{00ff}]gen|gade|vej|vejen|veien|katu),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(^|[^0-9a-z])[0-9]{1,4}( ?(bis|ter))?,? (rue|avenue|av[.]|boulevard|bd|chemin|impasse|all(e|[\x{00e0}-\x{00ff}])e|quai|place|route|faubourg) (de |du |des |d.|la |le |les |l.|saint|[a-z])[a-z]|(^|[^0-9a-z])(rue|all(e|[\x{00e0}-\x{00ff}])e|chemin|quai) [^][0-9,;:!?(){}=]+ [0-9]{1,4}($|[^0-9a-z%])|(^|[^0-9a-z])(calle|c/|avenida|avda[.]?|paseo|plaza|carrer|camino|rua|travessa|pra[\x{00e0}-\x{00ff}]a|alameda) ?[^][0-9,;:!?(){}=]+,? ?(n[^ 0-9]{0,2} ?)?[0-9]{1,5}($|[^0-9a-z%])|(^|[^0-9a-z])(ul|al|os)[.] ?[^][0-9,;:!?(){}=]+ [0-9]{1,4}|(^|[^0-9a-z])(p[.]? ?o[.]? ?box|postfach|postbus|bo[\x{00e0}-\x{00ff}]te postale|apartado( de correos)?|casilla|skr[.] poczt[.]) ?[0-9]{1,6}|[\x{901a}\x{8857}\x{8def}][\x{308a}]? ?[0-9]{1,4}|[0-9]{1,4}[\x{4e01}\x{756a}\x{53f7}]') then true
        when hint = 'address'
            then
                regexp_matches(name, '(^|[ ,])[0-9]+[A-Za-z]?([ ,/-]|$)')
                and regexp_matches(name, '[^][ -@_{}]{3}')
                and not regexp_matches(name, '@|://|=')
        else false
    end then 'address'
        when (regexp_matches(name, '^[A-Za-z0-9+/_-]{32,}={0,2}$') and regexp_matches(name, '[A-Z]') and regexp_matches(name, '[a-z]') and regexp_matches(name, '[0-9]') and not regexp_matches(name, '[A-Z]{8}|[a-z]{8}|[0-9]{8}|^0x')) then 'random'
    end as kind from files;
