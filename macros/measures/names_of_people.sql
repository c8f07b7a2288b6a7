{#-
    Detects person names: one to four capitalised words, with a common name among them or a family name suffix at the end; or
    Chinese, Japanese or Korean, by family name. Single values are ambiguous (Emma, Martin), so many values of a column must
    match, see `prevailing_personal_data`.
-#}
{% macro is_person(value) -%}
    {%- set others = '(^|[ .,&])(gmbh|inc|ltd|llc|llp|plc|corp|co|ag|kg|ohg|se|sa|srl|sarl|sas|spa|bv|nv|oy|ab|as|aps|pty|group|gruppe|holding|company'
        ~ '|industries|enterprises|systems|solutions|services|partners|associates|brothers|bros|sons|s.hne|bank|foods|motors|energy'
        ~ '|hotel|restaurant|university|school|college|hospital|museum|church|stadium|airport|station|park|beach|city|county|island'
        ~ '|river|lake|street|road|avenue|square|platz|stra.e|bridge|center|centre|foundation|institute|club|shop|store|records)([ .,]|$)' -%}
    {%- set title = '((Mr|Mrs|Ms|Miss|Dr|Prof|Dott|Sig|Ing|Herr|Frau|Sr|Sra|M|Mme|Mlle)[.]? )*' -%}
    {#- An upper-case letter or a letter of another alphabet, then no digits and little punctuation. -#}
    {%- set word = '[^][ -@^-~][^][ -&(-,/-@^-`{-~]*' -%}
    {%- set particle = '(van|von|de|der|den|da|dos|del|della|di|du|la|le|bin|al|el|ten|ter|zu|y|e)' -%}
    {%- set shape = '^ *' ~ title ~ word ~ '(,? (' ~ word ~ '|' ~ particle ~ ')){0,3} *$' -%}
    {%- set known = '(^|[ ,])(' ~ linker._common_names() | join('|') ~ ')([ ,-]|$)' -%}
    {#- Slavic, Nordic, Italian, Spanish, Greek, Turkish, Georgian and German, and the patronymics of Russian. -#}
    {%- set cyrillic = [] -%}
    {#- ov, ova, ev, eva, in, ina, ich, vna, skiy, enko. -#}
    {%- for ending in [
        ['043e', '0432'], ['043e', '0432', '0430'], ['0435', '0432'], ['0435', '0432', '0430'], ['0438', '043d'],
        ['0438', '043d', '0430'], ['0438', '0447'], ['0432', '043d', '0430'], ['043a', '0438', '0439'], ['043d', '043a', '043e'],
    ] -%}
        {%- set letters = [] -%}
        {%- for letter in ending -%}
            {%- do letters.append('[' ~ linker.character_ranges([(letter, none)]) ~ ']') -%}
        {%- endfor -%}
        {%- do cyrillic.append(letters | join('')) -%}
    {%- endfor -%}
    {%- set ends = 'ov|ova|ev|eva|ov.|sk[iy]|ska|ck[iy]|cka|wicz|czyk|enko|chuk|sson|ssen|elli|etti|ucci|guez|ndez|nchez|opoulos|idis|oglu|o.lu|shvili|mann|'
        ~ cyrillic | join('|') -%}
    {#-
        Two to four characters that start with a frequent Chinese or Korean family name, or a two-character Japanese one, with or
        without a space after it.
    -#}
    {%- set ideograph = '[' ~ linker.character_ranges([('3041', '30fa'), ('4e00', '9fff')]) ~ ']' -%}
    {%- set syllable = '[' ~ linker.character_ranges([('ac00', 'd7a3')]) ~ ']' -%}
    {%- set of_china, of_korea, of_japan = [], [], [] -%}
    {%- for code in [
        '738b', '674e', '5f20', '5218', '9648', '6768', '8d75', '5434', '5468', '5f90', '5b59', '6731', '90ed', '4f55', '7f57', '6881',
        '8c22', '5510', '8bb8', '9093', '51af', '97e9', '66f9', '66fe', '5f6d', '8427', '8521', '6f58', '8881', '8463', '4f59', '82cf',
        '53f6', '5415', '9b4f', '848b', '675c', '59dc', '718a', '8c2d', '97e6', '8d3e', '590f', '4ed8', '90b9', '859b', '95eb', '79e6',
    ] -%}
        {%- do of_china.append(linker.character_ranges([(code, none)])) -%}
    {%- endfor -%}
    {%- for code in ['ae40', 'c774', 'bc15', 'cd5c', 'c815', 'ac15', 'c870', 'c724', 'c7a5', 'c784', 'd55c', 'c2e0', 'c11c', 'ad8c', 'd669', 'c548', 'c1a1'] -%}
        {%- do of_korea.append(linker.character_ranges([(code, none)])) -%}
    {%- endfor -%}
    {%- for first, second in [
        ('4f50', '85e4'), ('9234', '6728'), ('9ad8', '6a4b'), ('7530', '4e2d'), ('4f0a', '85e4'), ('6e21', '8fba'), ('5c71', '672c'),
        ('4e2d', '6751'), ('5c0f', '6797'), ('52a0', '85e4'), ('5409', '7530'), ('5c71', '7530'), ('4f50', '3005'), ('5c71', '53e3'),
        ('677e', '672c'), ('4e95', '4e0a'), ('6728', '6751'), ('658e', '85e4'), ('6e05', '6c34'), ('5c71', '5d0e'), ('963f', '90e8'),
        ('6a4b', '672c'), ('6c60', '7530'), ('524d', '7530'), ('85e4', '7530'), ('5c0f', '5ddd'), ('5ca1', '7530'), ('5f8c', '85e4'),
        ('9577', '8c37'), ('77f3', '4e95'), ('6751', '4e0a'), ('8fd1', '85e4'), ('5742', '672c'), ('9060', '85e4'), ('9752', '6728'),
        ('85e4', '4e95'), ('897f', '6751'), ('798f', '7530'), ('592a', '7530'), ('4e09', '6d66'), ('5ca1', '672c'), ('677e', '7530'),
    ] -%}
        {%- do of_japan.append('[' ~ linker.character_ranges([(first, none)]) ~ '][' ~ linker.character_ranges([(second, none)]) ~ ']') -%}
    {%- endfor -%}
    {%- set east_asian = '^ *([' ~ of_china | join('') ~ '] ?' ~ ideograph ~ '{1,2}|(' ~ of_japan | join('|') ~ ') ?' ~ ideograph ~ '{1,3}'
        ~ '|[' ~ of_korea | join('') ~ '] ?' ~ syllable ~ '{2}) *$' -%}
    {%- set familiar = ' [^ ]{2,}(' ~ ends ~ ')$' -%}
    (
        length({{ value }}) <= 48
        and {{ linker.regex_matches(value, shape) }}
        and (
            {{ linker.regex_matches('lower(' ~ value ~ ')', known ~ '|' ~ familiar) }}
            or {{ linker.regex_matches(value, east_asian) }}
        )
        and not {{ linker.regex_matches('lower(' ~ value ~ ')', others) }}
    )
{%- endmacro %}

{#-
    First and family names in lower case, with a dot for each non-ASCII letter; without names of towns, colours and other words.
-#}
{% macro _common_names() -%}
    {{ return([
        '.ahin', '.elik', '.lodie', '.lvarez', '.lvaro', '.mer', '.ngel', '.ric', '.scar', '.tienne', '.ukasz',
        '.zlem', '.zt.rk', 'aarav', 'aaron', 'aarti', 'abdul', 'abdullah', 'abigail', 'adam', 'adams', 'adeyemi',
        'aditya', 'adri.n', 'adriana', 'advika', 'agarwal', 'agnieszka', 'aguilar', 'agustin', 'agustina', 'ahmed',
        'ahmet', 'ainhoa', 'aisha', 'aitor', 'ajay', 'akash', 'akcay', 'akira', 'alain', 'alan', 'albert', 'alberto',
        'albrecht', 'alejandro', 'aleksandr', 'aleksandra', 'aleksey', 'alena', 'alessandro', 'alessia', 'alexander',
        'alexandre', 'alexey', 'alexis', 'alfie', 'ali', 'alice', 'aline', 'alistair', 'allen', 'almeida', 'alonso',
        'alves', 'am.lie', 'amanda', 'amelia', 'amina', 'aminata', 'amit', 'amoros', 'amy', 'ana', 'ana.s', 'ananya',
        'anastasia', 'anders', 'andersen', 'anderson', 'andersson', 'andr.', 'andr.s', 'andrea', 'andreas', 'andrei',
        'andrew', 'andrey', 'andrzej', 'angela', 'angelika', 'angelo', 'anil', 'anita', 'anja', 'anjali', 'anke',
        'ankit', 'ann', 'anna', 'annamaria', 'anne', 'anneli', 'anneliese', 'annika', 'anouk', 'anthony', 'antje',
        'antoine', 'anton', 'antonella', 'antonia', 'antonio', 'antti', 'apolline', 'arie', 'arjun', 'armin',
        'arnaud', 'arne', 'arnold', 'arslan', 'arthur', 'arun', 'ashley', 'ashok', 'ashworth', 'asier', 'aslan',
        'astrid', 'aur.lie', 'axel', 'ay.e', 'aydin', 'b.hm', 'badoer', 'bailey', 'bakker', 'banerjee', 'baptiste',
        'barbara', 'barbosa', 'barnes', 'bart', 'bartosz', 'bassam', 'bastien', 'bauer', 'baumann', 'beata', 'beate',
        'beatrice', 'beatrix', 'beatriz', 'becker', 'bellucci', 'benjamin', 'bennett', 'beno.t', 'berger',
        'bergmann', 'berk', 'bernard', 'bernd', 'bertrand', 'betty', 'beverly', 'bhardwaj', 'bhatt', 'bhavna',
        'bianca', 'bianchi', 'bilal', 'billy', 'birgit', 'birgitta', 'bj.rn', 'bjoern', 'bobby', 'bohumil',
        'bonatti', 'bonnet', 'boris', 'bose', 'bourgeois', 'boyer', 'bram', 'brandon', 'brenda', 'brian', 'brigitte',
        'brittany', 'brooks', 'brouwer', 'bruce', 'brunnhuber', 'bruno', 'bryan', 'bryant', 'burak', 'burcu',
        'burkhard', 'c.dric', 'c.line', 'cabrera', 'caitlin', 'callum', 'calvo', 'camila', 'camille', 'campbell',
        'cardoso', 'carl', 'carla', 'carlos', 'carmen', 'carmichael', 'carolyn', 'carter', 'caruso', 'carvalho',
        'castejon', 'castillo', 'castro', 'catalina', 'catarina', 'caterina', 'catherine', 'cees', 'cem', 'cesare',
        'chadha', 'chandra', 'chantal', 'charles', 'charlie', 'chavez', 'chen', 'cheryl', 'chevalier', 'chevallier',
        'chiara', 'chidi', 'chinedu', 'chlo.', 'choi', 'chopra', 'chowdhury', 'christa', 'christensen', 'christian',
        'christina', 'christine', 'christoph', 'christophe', 'christopher', 'cinzia', 'cl.ment', 'claes', 'clara',
        'clark', 'claudia', 'claudio', 'clifford', 'coleman', 'colin', 'collins', 'colombo', 'concetta', 'consuelo',
        'cooper', 'corbacho', 'corentin', 'cornelia', 'correia', 'costa', 'cristina', 'cynthia', 'd.az', 'daan',
        'dagmar', 'daniel', 'daniela', 'daniele', 'danielle', 'danielsen', 'daria', 'darren', 'das', 'david',
        'davide', 'davies', 'davis', 'deborah', 'debra', 'deepa', 'deepak', 'defne', 'dekker', 'demir', 'denise',
        'dennis', 'desai', 'detlef', 'dexter', 'dhingra', 'diallo', 'diana', 'diane', 'didier', 'diego', 'dieter',
        'dietrich', 'dijkstra', 'dinesh', 'dirk', 'divya', 'diya', 'dmitri', 'dmitry', 'do.an', 'dom.nguez',
        'domenico', 'dominik', 'dominika', 'dominique', 'donald', 'donna', 'doris', 'dorota', 'dorothy', 'douglas',
        'duarte', 'dubois', 'dugal', 'dumas', 'dumont', 'duncan', 'dupont', 'dupuis', 'duran', 'durand', 'dvo..k',
        'dylan', 'ebba', 'ece', 'eduardo', 'edward', 'edwards', 'ekaterina', 'ekkehard', 'el.bieta', 'eleanor',
        'elena', 'elfriede', 'elif', 'elijah', 'elisa', 'elizabeth', 'elke', 'ella', 'ellen', 'ellis', 'ema',
        'emanuele', 'emeka', 'emil', 'emilia', 'emilio', 'emily', 'emine', 'emma', 'emre', 'encarnacion', 'enrico',
        'enrique', 'erik', 'erika', 'eriksson', 'ernst', 'esmee', 'esposito', 'esteban', 'esther', 'ethan', 'ettore',
        'eugene', 'eva', 'evans', 'evelyn', 'evgeny', 'ewa', 'ewan', 'fabian', 'fabio', 'facundo', 'fatima', 'fatma',
        'fatou', 'faure', 'federica', 'federico', 'felipe', 'felix', 'femke', 'fenna', 'fern.ndez', 'fernanda',
        'fernando', 'ferrara', 'ferreira', 'filippo', 'finn', 'fiona', 'fischer', 'fitzgerald', 'florencia',
        'flores', 'florian', 'fontaine', 'fontana', 'foster', 'fournier', 'fr.d.ric', 'fran.ois', 'fran.oise',
        'frances', 'francesca', 'francesco', 'francisco', 'frank', 'franke', 'franziska', 'fraser', 'fredrik',
        'freja', 'frieda', 'friedrich', 'fuentes', 'g.mez', 'g.nter', 'g.nther', 'g.rard', 'gabriel', 'gabriela',
        'gabriele', 'gail', 'galina', 'galli', 'garcia', 'garnier', 'gary', 'gaurav', 'gautam', 'gauthier', 'gavin',
        'geeta', 'gemma', 'genevi.ve', 'gennaro', 'gentile', 'george', 'gerald', 'gerda', 'gerhard', 'gerrit',
        'gertrud', 'ghosh', 'giacomo', 'gibson', 'gijs', 'gilles', 'ginevra', 'giorgio', 'giovanna', 'giovanni',
        'gisela', 'giulia', 'giuseppe', 'gizem', 'gloria', 'gomes', 'gonz.lez', 'gonzalo', 'goossens', 'gordon',
        'graham', 'gregory', 'greta', 'griffin', 'grzegorz', 'gudrun', 'guenter', 'guerin', 'guillaume', 'guillermo',
        'gulsen', 'gupta', 'gustafsson', 'gustav', 'gustavo', 'guti.rrez', 'guzman', 'h.ctor', 'h.l.ne', 'h.seyin',
        'haddad', 'hakan', 'halina', 'hamza', 'hanna', 'hannah', 'hanne', 'hannelore', 'hans', 'hansen', 'harish',
        'harold', 'harriet', 'harris', 'harrison', 'harry', 'hartmann', 'hartmut', 'haruto', 'hasan', 'hassan',
        'hatice', 'hayes', 'heather', 'heidi', 'heike', 'heikki', 'heiko', 'heinrich', 'heinz', 'helen', 'helga',
        'helmut', 'henderson', 'hendrik', 'hendriks', 'henning', 'henrik', 'henriksen', 'henrique', 'henry',
        'hern.ndez', 'herrera', 'herrmann', 'hildegard', 'hiroshi', 'hoang', 'hoffmann', 'hofmann', 'holger',
        'hollingsworth', 'holmes', 'horak', 'horst', 'horv.th', 'howard', 'huang', 'huber', 'hughes', 'hugo',
        'huong', 'hussain', 'hussein', 'ian', 'ibanez', 'ibrahim', 'ignacio', 'igor', 'iker', 'ilaria', 'ilse',
        'imogen', 'in.s', 'ingeborg', 'inger', 'ingo', 'ingrid', 'inmaculada', 'iqbal', 'irene', 'irina', 'irmgard',
        'isabel', 'isabella', 'isabelle', 'ishaan', 'ishita', 'ismail', 'ito', 'iv.n', 'ivanov', 'ivanova', 'iwona',
        'iyer', 'j.ger', 'j.rg', 'j.rgen', 'jack', 'jacob', 'jacobs', 'jacqueline', 'jacques', 'jaime', 'jakub',
        'james', 'jan', 'jana', 'jane', 'janet', 'janice', 'janina', 'jansen', 'janssen', 'jaromir', 'jaroslav',
        'jason', 'jasper', 'javier', 'jean', 'jeffrey', 'jenkins', 'jennifer', 'jens', 'jensen', 'jeong', 'jeremy',
        'jeroen', 'jerry', 'jerzy', 'jesper', 'jesse', 'jessica', 'ji..', 'jim.nez', 'jimena', 'jisoo', 'jo.o',
        'joan', 'joana', 'joanna', 'joaqu.n', 'joaquina', 'jochen', 'joe', 'joep', 'joerg', 'johan', 'johanna',
        'johannes', 'johansen', 'johansson', 'john', 'johnny', 'johnson', 'jonas', 'jonathan', 'jones', 'joost',
        'jorge', 'jos.', 'josefa', 'joseph', 'joshi', 'joshua', 'joyce', 'juan', 'judith', 'judy', 'juergen', 'juha',
        'jukka', 'julia', 'juliana', 'julie', 'julien', 'juliette', 'jun', 'justin', 'k.hler', 'kaarina', 'kacper',
        'kami.ski', 'kamil', 'kamla', 'kapoor', 'karen', 'kari', 'karim', 'karin', 'karina', 'karl', 'karlsson',
        'karol', 'karolina', 'karthik', 'katarzyna', 'katharina', 'katherine', 'kathleen', 'kathrin', 'kathryn',
        'katrin', 'kavita', 'kavya', 'kayla', 'kayleigh', 'kees', 'keiko', 'keith', 'keller', 'kemal', 'kenji',
        'kenneth', 'kerem', 'kerstin', 'kevin', 'khadija', 'khaled', 'khan', 'kilic', 'kim', 'kimberly', 'kira',
        'kirsten', 'kjell', 'klaus', 'knut', 'kobayashi', 'koehler', 'koen', 'kofi', 'konstantin', 'korhonen',
        'korkmaz', 'kov.cs', 'kowalczyk', 'kowalska', 'kowalski', 'kr.ger', 'kr.mer', 'kraus', 'krause', 'krishnan',
        'kristina', 'krueger', 'krystyna', 'krzysztof', 'kucera', 'kuhn', 'kuipers', 'kumar', 'kurt', 'kuznetsov',
        'kwame', 'kyle', 'l.a', 'l.pez', 'larissa', 'larry', 'lars', 'larsen', 'larsson', 'laura', 'lauren',
        'laurent', 'lauritsen', 'lawrence', 'layla', 'leah', 'leclercq', 'lefebvre', 'lefevre', 'legrand', 'lehmann',
        'leila', 'leire', 'lena', 'lenka', 'lennart', 'leo', 'leonardo', 'leone', 'leroy', 'let.cia', 'lewandowski',
        'lewis', 'liam', 'lieke', 'linda', 'linnea', 'lisa', 'liu', 'lombardi', 'longo', 'loredana', 'lorenz',
        'lori', 'lothar', 'louis', 'lourdes', 'luc.a', 'luca', 'lucas', 'lucie', 'lucien', 'lucrezia', 'lucy',
        'ludmila', 'ludovica', 'ludwig', 'luigi', 'luis', 'luisa', 'lukas', 'm.ller', 'm.nica', 'ma.gorzata',
        'maaike', 'maarten', 'macdonald', 'machado', 'maciej', 'mads', 'maes', 'magdalena', 'magnus', 'mahesh',
        'mahmoud', 'maier', 'maik', 'malhotra', 'malte', 'malwina', 'maly', 'mancini', 'manfred', 'manish', 'manoj',
        'manon', 'manuel', 'manuela', 'marc', 'marcel', 'marcelo', 'marcin', 'marco', 'marechal', 'marek',
        'margaret', 'margareta', 'margaux', 'maria', 'mariana', 'mariani', 'marie', 'marieke', 'marilyn', 'marina',
        'mario', 'markus', 'marlene', 'mart.n', 'mart.nez', 'marta', 'martha', 'martina', 'martine', 'martinelli',
        'martini', 'martins', 'mary', 'maryam', 'massimo', 'mateo', 'mateusz', 'mathieu', 'mathilda', 'mathilde',
        'mats', 'matteo', 'matthew', 'matthias', 'matti', 'maurizio', 'maxim', 'maxime', 'maximilian', 'mayer',
        'mcallister', 'mcdonald', 'mechthild', 'medina', 'meena', 'meera', 'megan', 'mehmet', 'mehta', 'meier',
        'meijer', 'meike', 'melanie', 'melissa', 'mendez', 'mendoza', 'menon', 'mensah', 'mercier', 'mertens',
        'merve', 'mette', 'meyer', 'mia', 'micha.', 'michael', 'michel', 'michela', 'michelle', 'miguel', 'mikael',
        'mikel', 'mikhail', 'mikkel', 'mikko', 'milan', 'minjun', 'mishra', 'mitchell', 'moeller', 'mohamed',
        'mohammad', 'mohammed', 'molina', 'molly', 'monika', 'monique', 'monteiro', 'montserrat', 'moore', 'morales',
        'moreau', 'moreira', 'morel', 'moreno', 'moretti', 'morgan', 'morin', 'moritz', 'morris', 'morten', 'mu.oz',
        'mueller', 'muhammad', 'mukesh', 'mukherjee', 'mulder', 'murat', 'murphy', 'murray', 'mustafa', 'myers',
        'nadia', 'nadine', 'nagy', 'nair', 'nakamura', 'nancy', 'naoko', 'natalia', 'natalie', 'nathalie', 'nathan',
        'navarro', 'naveen', 'neha', 'neil', 'nelson', 'nerea', 'neumann', 'ngozi', 'nguyen', 'nicholas', 'nicola',
        'nicolas', 'nicole', 'niels', 'nielsen', 'nieminen', 'nikhil', 'niklas', 'nikolai', 'nikolay', 'nils',
        'nilsson', 'nirmala', 'nisha', 'nitin', 'noah', 'nogueira', 'noor', 'nora', 'norbert', 'nov.k', 'novotny',
        'nowak', 'nuri', 'nuria', "o'connor", 'oberleitner', 'oc.ane', 'okafor', 'oksana', 'olaf', 'oleg', 'olga',
        'oliveira', 'oliver', 'olivia', 'olivier', 'oliwia', 'olof', 'olsen', 'olson', 'olsson', 'oluwaseun', 'omar',
        'ondrej', 'onur', 'orhan', 'ortega', 'ortiz', 'osman', 'ossola', 'ottilie', 'otto', 'ozdemir', 'p.rez',
        'pablo', 'pamela', 'pandey', 'pankaj', 'paola', 'paolo', 'pascal', 'patel', 'patricia', 'patrick',
        'patrizia', 'patrycja', 'patterson', 'paul', 'paula', 'paulina', 'pauline', 'paulo', 'pauwels', 'pavel',
        'pawe.', 'pedersen', 'pedro', 'peeters', 'peggy', 'pekka', 'pemberton', 'pepijn', 'pereira', 'perrin',
        'perry', 'persson', 'peter', 'peters', 'peterson', 'petr', 'petrov', 'petrova', 'pfeiffer', 'philip',
        'philipp', 'philippe', 'phillips', 'pia', 'pierre', 'piet', 'pieter', 'pietro', 'pillai', 'piotr', 'pohl',
        'polat', 'pooja', 'poonam', 'popov', 'powell', 'prakash', 'pranav', 'priscilla', 'priya', 'prochazka',
        'quentin', 'ra.l', 'rachel', 'rafael', 'rafaela', 'raffaele', 'raffaella', 'rahul', 'rainer', 'raj',
        'rajesh', 'rakesh', 'ralf', 'ram.n', 'ram.rez', 'ramesh', 'ramos', 'randy', 'rania', 'rao', 'raquel',
        'rasha', 'rashid', 'rasmus', 'rasmussen', 'raymond', 'rebecca', 'reddy', 'rekha', 'remi', 'ren.', 'renate',
        'reyes', 'reynolds', 'rhonda', 'ribeiro', 'ricardo', 'riccardo', 'ricci', 'richard', 'richardson', 'richter',
        'rinaldi', 'rita', 'ritu', 'rivera', 'rizzo', 'robert', 'roberto', 'roberts', 'robertson', 'robin',
        'robinson', 'roc.o', 'rodr.guez', 'rodrigo', 'rodrigues', 'roger', 'rogers', 'rohit', 'roksana', 'rolf',
        'romain', 'romero', 'ronald', 'roos', 'rosa', 'rosaria', 'rosario', 'rossi', 'roswitha', 'rousseau',
        'rousset', 'rub.n', 'rui', 'ruiz', 'russell', 'russo', 'ruth', 'ruud', 'ryan', 's.bastien', 's.nchez',
        's.ren', 's.rensen', 'sabine', 'sakura', 'salma', 'salvatore', 'samantha', 'samir', 'samira', 'samuel',
        'sandeep', 'sander', 'sandra', 'sanjay', 'sanne', 'santoro', 'santos', 'santosh', 'sara', 'sarah', 'sarita',
        'sato', 'satoshi', 'saverio', 'sch.fer', 'schaefer', 'schmidt', 'schmitt', 'schmitz', 'schneider', 'scholz',
        'schouten', 'schr.der', 'schreiber', 'schroeder', 'schubert', 'schulz', 'schulze', 'schuster', 'scott',
        'sean', 'sebastian', 'sebnem', 'seema', 'selin', 'seojun', 'serge', 'sergei', 'sergey', 'sergio', 'serkan',
        'serrano', 'sevgi', 'sezgin', 'shah', 'sharma', 'sharon', 'shaw', 'sheila', 'shirley', 'shreya', 'shroff',
        'shyam', 'siddharth', 'sigrid', 'silke', 'silva', 'silvia', 'simmons', 'simon', 'simone', 'simpson', 'singh',
        'siobhan', 'sjoerd', 'smirnov', 'smit', 'smith', 'sneha', 'snyder', 'sof.a', 'solana', 'solene', 'solveig',
        'songul', 'sonia', 'sophia', 'sophie', 'souza', 'stacy', 'stanis.aw', 'stefan', 'stefanie', 'stefano',
        'steffen', 'stephanie', 'stephen', 'steven', 'stevens', 'stewart', 'stoltenberg', 'stuart', 'su.rez',
        'sullivan', 'sunil', 'sunita', 'suresh', 'susan', 'susanne', 'suzuki', 'sven', 'svenja', 'svensson',
        'svetlana', 'svoboda', 'svobodova', 'swati', 'sylvie', 'szab.', 'tacchini', 'takahashi', 'takashi', 'tanaka',
        'tanja', 'tariq', 'tatiana', 'taylor', 'teixeira', 'tejas', 'teresa', 'tereza', 'terry', 'th.o', 'thanh',
        'theodore', 'theresa', 'thiago', 'thibault', 'thierry', 'thijs', 'thomas', 'thompson', 'thorsen', 'thorsten',
        'tiago', 'timo', 'timothy', 'tina', 'tobias', 'tolga', 'tom..', 'tomasz', 'tommaso', 'torres', 'torsten',
        'tracy', 'tran', 'traor.', 'trivedi', 'tucker', 'turner', 'tuula', 'tyler', 'tyrone', 'ufuk', 'ulrich',
        'ulrike', 'umberto', 'unai', 'ursula', 'usha', 'ute', 'uwe', 'v.ronique', 'v.zquez', 'vaclav', 'val.rie',
        'valentina', 'vanessa', 'vargas', 'varun', 'vasco', 'vasquez', 'vega', 'ver.nica', 'verhoeven', 'verma',
        'vermeulen', 'vicente', 'victor', 'vigorelli', 'vijay', 'vikram', 'vincent', 'vincenzo', 'vinod', 'viola',
        'virtanen', 'visser', 'vit.ria', 'vittorio', 'vivek', 'vladimir', 'vlasta', 'vogt', 'voigt', 'vojtech',
        'volkan', 'volker', 'w.jcik', 'wagner', 'waleed', 'walker', 'wallace', 'walter', 'waltraud', 'wang',
        'watanabe', 'watson', 'weber', 'wei.', 'wendy', 'werner', 'wessel', 'whitfield', 'wi.niewski', 'wiebke',
        'wiesinger', 'wiktoria', 'wilhelm', 'willem', 'willems', 'willemsen', 'william', 'williams', 'willie',
        'wilson', 'winkler', 'wojciech', 'wolfgang', 'wouter', 'wouters', 'wright', 'xiaoming', 'ximena', 'y.lmaz',
        'yamamoto', 'yara', 'yash', 'yasmin', 'yildiz', 'yogesh', 'yoko', 'yolanda', 'youssef', 'yuki', 'yulia',
        'yuri', 'yusuf', 'yves', 'yvonne', 'zachary', 'zainab', 'zara', 'zbigniew', 'zden.k', 'zeynep', 'zhang',
        'zhao', 'zhou', 'ziegler', 'zieli.ski', 'zimmermann', 'zoe', 'zofia', 'zuzanna',
    ]) }}
{%- endmacro %}
