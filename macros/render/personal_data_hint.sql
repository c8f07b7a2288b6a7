{#-
    What the name of a column says of personal data in it: 'iban', 'card', 'national_id', 'phone', 'address', or none.
    Only what values alone cannot tell needs a name; what is said here is always confirmed by the values.
-#}
{% macro personal_data_hint(name) -%}
    {{ return(linker.personal_data_hints([name])[0]) }}
{%- endmacro %}

{#- The same of many names, in their order: a warehouse has thousands. -#}
{% macro personal_data_hints(names) -%}
    {%- set other_things = modules.re.compile(linker._words_of_other_things()) -%}
    {%- set words_of_hints = linker._words_of_personal_data() -%}
    {%- set any_word = modules.re.compile('_(' ~ words_of_hints.values() | join('|') ~ ')s?_') -%}
    {%- set begins_word = modules.re.compile('([a-z0-9])([A-Z])') -%}
    {%- set between_words = modules.re.compile('[^a-z\\u00df-\\u00ff]+') -%}
    {%- set hints = [] -%}
    {%- for name in names -%}
        {%- set parted = begins_word.sub('\\1_\\2', name or '') | lower -%}
        {%- set words = '_' ~ between_words.sub('_', parted).strip('_') ~ '_' -%}
        {%- set found = [] -%}
        {%- if any_word.search(words) and not other_things.search(words) -%}
            {%- for hint, stems in words_of_hints.items() if not found and modules.re.search('_(' ~ stems ~ ')s?_', words) -%}
                {%- do found.append(hint) -%}
            {%- endfor -%}
        {%- endif -%}
        {%- do hints.append(found[0] if found else none) -%}
    {%- endfor -%}
    {{ return(hints) }}
{%- endmacro %}

{% macro _words_of_personal_data() -%}
    {{ return({
        'iban': 'iban|(bank_?)?account_?iban',
        'card': '(card|cc|kreditkarten?|karten)_?(number|no|num|nr|nummer)|credit_?card|pan|kreditkarte|numero_(de_)?(carte|tarjeta)',
        'national_id': 'ssn|sin|social_(security|insurance)|national_insurance|nino|insee|nir|dni|nie|nif|codice_fiscale'
            ~ '|tax_?(payer_?)?(id|number|no)|steuer_?(id|nummer|identifikationsnummer)|bsn|burgerservicenummer|cpf|curp'
            ~ '|pesel|personn?ummer|personnummer|(national|personal|citizen|government|govt)_?(id|number|no|identity)'
            ~ '|identity_(card|number|no)|id_?card|passport|ausweis|aadhaa?r',
        'phone': '(tele)?phone|tele?fono?|telefone|telefoon|telephone|(tele)?fax|tel|mobile|mobil|mobiel|cell|handy|msisdn|whatsapp'
            ~ '|celular|movil|telemovel|cellulare|puhelin|((tele)?phone|telefon|tel|mobile|mobil|cell|handy|fax|contact)_?(phone|number|numero|nummer|no|num|nr)',
        'address': 'address|addr|street|strasse|stra.e|adresse?|anschrift|direcci.n|direccion|indirizzo|endere.o|endereco'
            ~ '|adres|calle|logradouro|(street|home|postal|billing|shipping|delivery)_?address|address_?line',
    }) }}
{%- endmacro %}

{#- `mail_address`, `ip_address`, `card_type`, `has_phone`, `phone_sessions`: about it, or another thing of that name. -#}
{% macro _words_of_other_things() -%}
    {{ return(
        '^_(is|has|num|count|n|nb|avg|sum|total)_|_(e|email|mail|ip|ipv|mac|url|uri|web|wallet|contract|memory|bucket|email_?address)_addr'
        ~ '|_(type|kind|count|total|share|rate|ratio|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on'
        ~ '|date|ts|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality'
        ~ '|network|carrier|plan|provider|operator|prefix|country|city|region)_$'
        ~ '|_(card|phone|mobile|cell|street|address|addr|fax)_(id|key|fk|uuid)_$'
    ) }}
{%- endmacro %}
