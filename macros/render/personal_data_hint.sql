{#-
    PII hints from column names, or none; one call takes all names of a warehouse. The hints 'name', 'birth_date', 'street',
    'health' and 'belief' are accepted without values, which seldom show them. 'iban', 'card', 'national_id', 'phone', 'address'
    and 'ip' support values that are ambiguous alone. 'thing': values that look personal are codes, companies, places or titles.
    'setting' and 'setting_name': the value and the name of a setting, which may be a password.
-#}
{% macro personal_data_hints(names, table_names=none) -%}
    {#- No statement contains these, since not all databases can store them. -#}
    {%- set other_alphabets = {
        '姓名': 'name', '姓': 'name', '名字': 'name', '氏名': 'name', '名前': 'name', '이름': 'name', '성명': 'name', 'الاسم': 'name',
        'имя': 'name', 'фамилия': 'name', 'отчество': 'name', 'фио': 'name', 'όνομα': 'name', 'επώνυμο': 'name',
        '生年月日': 'birth_date', '出生日期': 'birth_date', '생년월일': 'birth_date', 'дата_рождения': 'birth_date',
        '电话': 'phone', '手机': 'phone', '电话号码': 'phone', '手机号': 'phone', '電話番号': 'phone', '전화번호': 'phone', 'телефон': 'phone',
        '地址': 'street', '住所': 'street', '주소': 'street', 'адрес': 'street', '身份证号': 'national_id', '身份证': 'national_id',
        '宗教': 'belief', '病名': 'health', 'диагноз': 'health',
    } -%}
    {%- set names_of_rows = 'name|nom|nombre|nome|naam|navn|namn|nazwa|nev|full|first|last|middle|given|family|race|title|titel|label|bezeichnung'
        ~ '|k|v|key|val|value|wert|setting|config|param|parameter|option|property|variable' -%}
    {%- set known = linker._patterns_of_hints() -%}
    {%- set any_kind = modules.re.compile(known.any_kind) -%}
    {%- set generic = modules.re.compile('^_(' ~ names_of_rows ~ ')_$') -%}
    {%- set decided_by = linker.rules_of_hints() -%}
    {%- set about = modules.re.compile(decided_by.about) -%}
    {%- set things = modules.re.compile(decided_by.things) -%}
    {#- `crm.contactPerson2` is `_crm__contact_person_`: one underscore between words, two between the steps of a path. -#}
    {%- set words_of = {} -%}
    {%- for path in names + (table_names or []) if path not in words_of -%}
        {%- set steps = [] -%}
        {%- for step in (modules.re.sub('([a-z0-9])([A-Z])', '\\1_\\2', path or '') | lower).split('.') -%}
            {%- do steps.append(modules.re.sub('[\\W\\d_]+', '_', step).strip('_')) -%}
        {%- endfor -%}
        {%- do words_of.update({path: '_' ~ steps | join('__') ~ '_'}) -%}
    {%- endfor -%}
    {%- set hints = [] -%}
    {%- for name in names -%}
        {%- set words = words_of[name] -%}
        {%- if table_names and generic.search(words) -%}
            {#- A plain `name` refers to the table's entities. -#}
            {%- set words = '_' ~ words_of[table_names[loop.index0]].strip('_').split('_')[-1] ~ '_' ~ words -%}
        {%- endif -%}
        {%- set found = [] -%}
        {%- if words.split('__')[-1].strip('_') in other_alphabets -%}
            {%- do found.append(other_alphabets[words.split('__')[-1].strip('_')]) -%}
        {%- elif any_kind.search(words) and not about.search(words) -%}
            {%- for hint, pattern, unless in known.patterns if not found -%}
                {%- if modules.re.search(pattern, words) and not (unless and modules.re.search(unless, words)) -%}
                    {%- do found.append(hint) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endif -%}
        {%- if not found and things.search(words) -%}
            {%- do found.append('thing') -%}
        {%- endif -%}
        {%- do hints.append(found[0] if found else none) -%}
    {%- endfor -%}
    {{ return(hints) }}
{%- endmacro %}

{#- The same as SQL, for a path inside a document, known from values only. -#}
{% macro personal_data_hint_of_path(path) -%}
    {%- set parted = linker.regex_replace(path, '([a-z0-9])([A-Z])', '\\1_\\2') -%}
    {%- set letters = linker.regex_replace('lower(' ~ parted ~ ')', '[^.a-z' ~ linker.character_ranges([('00df', 'ffff')]) ~ ']+', '_') -%}
    {%- set decided_by = linker.rules_of_hints() -%}
    {%- set words = "'_' || replace(" ~ letters ~ ", '.', '__') || '_'" -%}
    case
        when {{ linker.regex_matches(words, decided_by.about) }} then null
        {%- for hint, pattern, unless in linker._patterns_of_hints().patterns %}
        when
            {{ linker.regex_matches(words, pattern) }}
            {{- ' and not ' ~ linker.regex_matches(words, unless) if unless }}
            then '{{ hint }}'
        {%- endfor %}
        when {{ linker.regex_matches(words, decided_by.things) }} then 'thing'
    end
{%- endmacro %}

{#-
    Patterns for column names: `any_kind` matches all that give any hint, and `patterns` lists by priority (hint,
    word pattern, exclusion pattern or none). Hints accepted without checking values must be at the end of a name:
    `birthday_discount` is no date of birth.
-#}
{% macro _patterns_of_hints() -%}
    {#- Entities whose `name` is a person's. Customers, suppliers and owners may be companies, so the values decide. -#}
    {%- set persons = 'person|people|persona|employee|staff|worker|colleague|manager|supervisor|patient|doctor|physician|nurse|therapist|practitioner'
        ~ '|student|pupil|teacher|instructor|professor|tutor|lecturer|candidate|applicant|recruiter|passenger|guest|travell?er'
        ~ '|attendee|participant|speaker|contact|contact_?person|recipient|addressee|beneficiary|insured|policy_?holder'
        ~ '|card_?holder|account_?holder|driver|rider|courier|(sales_?)?rep|sales_?person|salesman|landlord|witness|victim|suspect'
        ~ '|defendant|plaintiff|attorney|lawyer|judge|inmate|resident|citizen|voter|donor|volunteer|member|author|player|athlete'
        ~ '|coach|referee|actor|actress|director|mother|father|spouse|guardian|sibling|husband|wife|next_of_kin'
        ~ '|emergency_contact|signer|signatory|reviewer|approver|assignee|requester|mitarbeiter(in)?|angestellter?|patient(en|in)'
        ~ '|arzt|.rztin|sch.ler|lehrer|bewerber|ansprech_?partner|kontakt_?person|teilnehmer|mitglied(er)?|versicherter?n?|fahrer'
        ~ '|empf.nger|vater|mutter|ehepartner|employ.e?|m.decin|empleado|paciente|alumno|dipendente|paziente|medewerker|pracownik'
        ~ '|funcion.rio' -%}
    {%- set any_name = 'name|nom|nombre|nome|naam|navn|namn' -%}
    {%- set words = {
        'iban': 'iban|(bank_?)?account_?iban',
        'card': '(card|cc|kreditkarten?|karten)_?(number|no|num|nr|nummer)|(credit|debit)_?card|pan|kreditkarte|numero_(de_)?(carte|tarjeta)',
        'national_id': 'ssn|sin|social_(security|insurance)|national_insurance|nino|insee|nir|dni|nie|nif|codice_fiscale|fiscal_code'
            ~ '|tax_?(payer_?)?(id|number|no)|steuer_?(id|nummer|identifikations_?nummer)|idnr|bsn|burgerservicenummer|cpf|curp|cnp|egn|jmbg|oib'
            ~ '|pesel|personn?ummer|personnummer|(national|personal|citizen|government|govt|resident)_?(id|number|no|identity)|nric|hkid'
            ~ '|identity_(card|number|no|document)|id_?card|passport|passeport|pasaporte|passaporto|paspoort|(reise_?|personal)?ausweis|reisepass|aadhaa?r|rodne_cislo|c.dula'
            ~ '|(passport|passeport|pasaporte|ausweis|personalausweis|reise_?pass|f.hrerschein|sozial_?versicherungs|sv|renten_?versicherungs|versicherten|kranken_?versicherungs)_?(number|numero|nummer|no|num|nr)'
            ~ '|driv(er|ing)_?s?_?licen[cs]e(_(number|no|num))?|nhs_(number|no)',
        'phone': '(tele)?phone|tele?fono?|telefone|telefoon|telephone|(tele)?fax|tel|mobile|mobil|mobiel|cell|handy|msisdn|whatsapp|festnetz'
            ~ '|celular|movil|telemovel|cellulare|puhelin|((tele)?phone|telefon|tel|mobile|mobil|cell|handy|fax|contact|ruf|sms|whatsapp)_?(phone|number|numero|nummer|no|num|nr)',
        'ip': 'ip|ipv|ip_?addr(ess)?|ip_?adresse|(client|remote|source|src|dest|dst|user|login|signup|visitor|peer|last|origin)_?ip'
            ~ '|remote_?addr(ess)?|(x_)?forwarded_for|adresse_?ip|direccion_?ip|indirizzo_?ip',
        'street': 'street|street_?(name|address|line)|(home|postal|mailing|billing|shipping|delivery|residential|street)_?address|address_?line|addr_?line'
            ~ '|stra(ss|.)e|stra(ss|.)en?_?name|(liefer|rechnungs|wohn|post)_?(adresse|anschrift)|calle|logradouro|straat(naam)?|adresse_?postale',
        'address': 'address|addr|adresse?|anschrift|direcci.n|direccion|indirizzo|endere.o|endereco|adres|domicilio',
        'birth_date': 'date_?of_?birth|dob|birth_?(date|day|dt)|born_(on|at)|geburts_?(datum|tag)|geb_?(datum|dat|tag)|geboren(_am)?'
            ~ '|date_(de_)?naissance|fecha_(de_)?nacimiento|data_(di_)?nascita|data_(de_)?nascimento|geboorte_?datum|f.dsels_?dato'
            ~ '|f.delse_?datum|syntym.aika|data_urodzenia|datum_narozen.|do.um_tarihi',
        'name': '(first|given|fore|middle|last|family|sur|second|maiden|birth|full|real|person)_?name|name_?(first|last|middle|full)|[flm]name'
            ~ '|vor_?name|nach_?name|familien_?name|geburts_?name|ruf_?name|zu_?name|(vor_und_|voller_?)(nach|zu)?name|pr.nom|nom_(de_)?famille|nom_complet'
            ~ '|nombre_(completo|de_pila)|(primer_|segundo_)?apellido|nome_completo|sobrenome|cognome|voor_?naam|achter_?naam|imi.|imi._i_nazwisko|nazwisko'
            ~ '|for_?navn|etter_?navn|efter_?navn|f.r_?namn|efter_?namn|etunimi|sukunimi|kereszt_?n.v|vezet.k_?n.v|jm.no|p..jmen.|ad_?soyad.?|soyad.?'
            ~ '|(' ~ persons ~ ')s?(_{0,2}|en|innen)(' ~ any_name ~ ')|(user|person|profile)s?__(' ~ any_name ~ ')'
            ~ '|(' ~ persons ~ '|user|name)s?__(full|first|last|middle|given|family)'
            ~ '|ansprech_?partner(in)?|kontakt_?person|contact_?person|konto_?inhaber|(card|account)_?holder|emergency_contact|next_of_kin',
        'health': 'diagnos(is|es|e|en|tic|tico|i)|diagnosis_(code|name|text|description)|icd(_code)?|disease|illness|(medical|health|mental_health)_(condition|history|record|note|status|issue)'
            ~ '|mental_health|allerg(y|ie|en|ien|ia)|medication|prescription|symptome?|blood_?(type|group)|hiv(_status)?|pregnan(t|cy)(_status)?|disability(_status)?|handicap'
            ~ '|behinderung(s_?(grad|art))?|grad_der_behinderung|schwer_?behindert|(vor_?)?erkrankung(en)?|krankheit(en|s_?bild)?|befund|medikation|medikament|blut_?gruppe'
            ~ '|schwangerschaft|vaccination(_status)?|impf_?status|comorbidit(y|ie)|maladie|enfermedad|malattia|choroba|diagn.stico|groupe_sanguin|grupo_sangu.neo|alergia',
        'belief': 'religion|religi(o|.n|.o|one)|religi(on|ous)_(affiliation|belief|group)|religious_denomination|religions_?zugeh(.|oe)rigkeit|konfession|faith|belief|(kirchen|church)_?(steuer|tax|zugeh(.|oe)rigkeit)(_?merkmal)?'
            ~ '|ethnicity|ethnic_?(group|origin|background|category)|ethnie|ethnische_?(herkunft|zugeh(.|oe)rigkeit|gruppe)|etnia|race_?ethnicity|race_or_ethnicity'
            ~ '|(' ~ persons ~ '|user|customer|client)s?_{1,2}race|political_(party|affiliation|view|opinion|leaning|orientation)|party_(affiliation|membership)|partei_?(zugeh(.|oe)rigkeit|mitgliedschaft)|politische_?(einstellung|meinung|gesinnung)'
            ~ '|(trade_|labor_)?union_member(ship)?|trade_union|gewerkschaft(s_?(zugeh(.|oe)rigkeit|mitglied))?|sexual_(orientation|preference)|sexuelle_?orientierung|caste|godsdienst|wyznanie',
        'setting': '_(v|val|value|wert)|(setting|config|configuration|param|parameter|option|property|attribute|variable|meta|text|string|str)_?value|value_(text|string|str)',
        'setting_name': '_(k|key|setting|config|param|parameter|option|property|variable)|(setting|config|configuration|param|parameter|option|property|attribute|variable|meta|env)_?(key|name)',
    } -%}
    {#- The same in other scripts, languages or states. -#}
    {%- set variants = 'kana|kanji|katakana|romaji|latin|cyrillic|local|native|english|original|en|de|fr|es|ar|ascii|normali[sz]ed|clean|raw|old|new'
        ~ '|prev|previous|name|text|txt|desc|description|code' -%}
    {%- set decided_by = linker.rules_of_hints() -%}
    {%- set patterns = [] -%}
    {%- for hint, stems in words.items() -%}
        {%- if hint in decided_by.believed -%}
            {%- do patterns.append((hint, '_(' ~ stems ~ ')s?(_(' ~ variants ~ '))?_$', none)) -%}
        {%- else -%}
            {%- do patterns.append((hint, '_(' ~ stems ~ ')s?_$', none)) -%}
            {%- do patterns.append((hint, '_(' ~ stems ~ ')s?_', decided_by.after)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return({'any_kind': '_(' ~ words.values() | join('|') ~ ')s?_', 'patterns': patterns}) }}
{%- endmacro %}

{#-
    Rules for hints: those `believed` without values; words `about` personal data, words `after` it, and `things`, which mark
    other data with similar names.
-#}
{% macro rules_of_hints() -%}
    {%- set believed = ['name', 'birth_date', 'street', 'health', 'belief'] -%}
    {#- `has_phone`, `mail_address`, `server_ip`: a related fact, or another thing of that name. -#}
    {%- set about = '(^|_)_(is|has|num|count|n|nb|avg|sum|total|min|max|share|show|hide|require[sd]?|allow[sd]?)_'
        ~ '|_(e|email|mail|mac|url|uri|web|wallet|contract|memory|bucket|email_?address)_addr'
        ~ '|_(server|host|node|gateway|dns|subnet|proxy|listen|bind|router|firewall|broadcast)_ip' -%}
    {#- A name with one of these endings is about something else: `card_type`, `phone_sessions`, `diagnosis_date`. -#}
    {%- set after = '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by'
        ~ '|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class'
        ~ '|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid'
        ~ '|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$' -%}
    {#- Companies, products, places, works, and numbered things. -#}
    {%- set things = '_(brand|make|marke|maker|manufacturer|hersteller|vendor|supplier|lieferant(en)?|compan(y|ie)|firma|firmen|firm|organi[sz]ation|org|employer|merchant'
        ~ '|store|shop|filiale|restaurant|hotel|venue|stadium|bank|insurer|agency|agencie|product|produkte?|produit|producto|prodotto|item|article|artikel|model|modell'
        ~ '|title|titel|titre|titulo|titolo|song|track|album|film|movie|book|buch|serie|series|show|episode|game|character|figur|band|work|painting'
        ~ '|city|citie|town|village|stadt|st.dte|ort|ville|ciudad|citt.|cidade|place|location|countr(y|ie)|land|l.nder|pays|pa.s|region|state|bundesland|province|county|countie|district|municipality|gemeinde'
        ~ '|airport|station|bahnhof|port|harbou?r|island|river|mountain|lake|park|building|room|sku|version|release|build|firmware|revision|serial|part|teile?|order|bestell(ung)?|auftrags?|invoice|rechnungs?|tracking|shipment'
        ~ '|ref|reference|barcode|ean|upc|isbn|issn|gtin|asin|code|categor(y|ie)|kategorie|type|typ|kind|status|class|colou?r|farbe|material|flavou?r|variet(y|ie)|department|abteilung|division|team|club|verein|league'
        ~ '|school|schule|university|universitie|college|course|kurs|subject|language|sprache|currency|species|breed|plant|animal|ship|schiff|vessel|aircraft|event|campaign|project|projekt|workspace'
        ~ '|warehouse|depot|factory|plant|machine|server|host|domain|app|application|package|library|module|file|folder|table|column|schema|gene|drug|medicine|ingredient|dish|recipe|wine|beer|day|month|holiday|ticket|license|licence|plan|tier)s?'
        ~ '(_{1,2}(name|no|nr|num|number|nummer|label|text|title|titel|nom|nombre|nome|naam|bezeichnung|id|code))?_$'
        ~ '|_(firmen|produkt|artikel|stadt|orts|marken|laender|l.nder|abteilungs|projekt|hotel|film|buch)(name|titel|nummer|nr|bezeichnung)_$' -%}
    {{ return({'believed': believed, 'about': about, 'after': after, 'things': things}) }}
{%- endmacro %}
