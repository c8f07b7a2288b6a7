"""
Labelled columns for PII detection in many trades and languages, deterministic.

More than half are not PII. Every second column of a group is held out.
"""

import hashlib
import string
import uuid
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from random import Random

from msgspec import Struct

Value = str | int | float | date
Make = Callable[[Random], Value]
ROWS = 60


class Labelled(Struct, frozen=True):
    """A column; `kind` is the kind of personal data in it, or none."""

    kind: str | None
    table: str
    name: str
    data_type: str
    values: tuple[Value, ...]
    is_held_back: bool


def columns() -> Iterator[Labelled]:
    """All of them, in a fixed order."""
    for kind, data_type, make, places in (*_PERSONAL, *_OF_NOBODY):
        for number, place in enumerate(places.split()):
            table, _, name = place.rpartition(".")
            dealt = Random(place)
            values = tuple(make(dealt) for _ in range(ROWS))
            yield Labelled(kind, table or "t", name, data_type, values, number % 2 == 1)


def _one_of(*texts: str) -> Make:
    choices = [choice for text in texts for choice in text.split("|")]
    return lambda dealt: dealt.choice(choices)


def _shaped(*shapes: str) -> Make:
    """
    `#` is a digit, `%` one from 1 to 9, `^` a capital, `~` a small letter, `&` a letter or digit.
    """
    alphabets = {
        "#": string.digits,
        "%": string.digits[1:],
        "^": string.ascii_uppercase,
        "~": string.ascii_lowercase,
        "&": string.ascii_letters + string.digits,
    }

    def make(dealt: Random) -> str:
        shape = dealt.choice(shapes)
        return "".join(
            dealt.choice(alphabets[sign]) if sign in alphabets else sign for sign in shape
        )

    return make


def _number(make: Make) -> Make:
    return lambda dealt: int(str(make(dealt)))


def _joined(form: str, *parts: Make) -> Make:
    return lambda dealt: form.format(*(part(dealt) for part in parts))


def _between(first: int, last: int) -> Make:
    return lambda dealt: dealt.randint(first, last)


def _day(first: str, last: str, form: str = "") -> Make:
    start, end = date.fromisoformat(first), date.fromisoformat(last)

    def make(dealt: Random) -> Value:
        day = start + timedelta(days=dealt.randint(0, (end - start).days))
        return day.strftime(form) if form else day

    return make


def _mostly(make: Make, other: Make, share: float) -> Make:
    return lambda dealt: make(dealt) if dealt.random() < share else other(dealt)


def _with_luhn(shape: str) -> Make:
    start = _shaped(shape)

    def make(dealt: Random) -> str:
        number = str(start(dealt))
        counted = [int(digit) * (2 - place % 2) for place, digit in enumerate(reversed(number))]
        return number + str(-sum(worth // 10 + worth % 10 for worth in counted) % 10)

    return make


def _in_fours(make: Make) -> Make:
    def grouped(dealt: Random) -> str:
        text = str(make(dealt))
        return " ".join(text[start : start + 4] for start in range(0, len(text), 4))

    return grouped


def _iban(country: str, shape: str) -> Make:
    account = _shaped(shape)

    def make(dealt: Random) -> str:
        rest = str(account(dealt))
        number = int("".join(str(int(sign, 36)) for sign in f"{rest}{country}00"))
        return f"{country}{98 - number % 97:02}{rest}"

    return make


def _steuer_id(dealt: Random) -> str:
    start = str(_shaped("%#########")(dealt))
    product = 10
    for digit in start:
        product = 2 * ((int(digit) + product) % 10 or 10) % 11
    return start + str((11 - product) % 10)


def _cpf(dealt: Random) -> str:
    number = str(_shaped("%########")(dealt))
    for length in (10, 11):
        total = sum(
            int(digit) * weight for digit, weight in zip(number, range(length, 1, -1), strict=True)
        )
        number += str(total * 10 % 11 % 10)
    return f"{number[:3]}.{number[3:6]}.{number[6:9]}-{number[9:]}"


def _dni(dealt: Random) -> str:
    number = dealt.randint(10_000_000, 99_999_999)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def _aadhaar(dealt: Random) -> str:
    """
    By the tables of https://en.wikipedia.org/wiki/Verhoeff_algorithm: each last digit is tried.
    """
    start = str(_shaped("%##########")(dealt)).replace("1", "4", 1)
    return next(start + last for last in string.digits if _verhoeff(start + last) == 0)


def _verhoeff(number: str) -> int:
    product = 0
    for place, character in enumerate(reversed(number)):
        digit = int(character)
        for _ in range(place):
            digit = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[digit]
        if product < 5:
            product = (product + digit) % 5 + (5 if digit >= 5 else 0)
        else:
            product = (product - digit) % 5 + (0 if digit >= 5 else 5)
    return product


def _ean(dealt: Random) -> str:
    start = str(_shaped("4############"[:12])(dealt))
    total = sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(start))
    return start + str(-total % 10)


def _digest(name: str) -> Make:
    return lambda dealt: hashlib.new(name, dealt.randbytes(8), usedforsecurity=False).hexdigest()


def _uuid(dealt: Random) -> str:
    return str(uuid.UUID(int=dealt.getrandbits(128), version=4))


def _decimal(first: float, last: float, places: int) -> Make:
    return lambda dealt: round(dealt.uniform(first, last), places)


ENGLISH = _one_of(
    "James|Olivia|Noah|Amelia|Ethan|Sophie|Liam|Grace|Jack|Mia|Daniel|Chloe|Thomas|Hannah|Ryan|Megan|Adam|Jessica",
    "Callum|Imogen|Darren|Kayleigh|Tyrone|Shanice|Brooke|Wesley|Priscilla|Clifford|Beatrix|Alfie|Poppy|Dexter|Ruth",
)
GERMAN = _one_of(
    "Anna|Bernd|Carla|Dieter|Eva|Frank|Greta|Hans|Ines|Jonas|Kira|Lars|Monika|Norbert|Petra|Ralf|Sabine|Uwe|Jürgen",
    "Gudrun|Hartmut|Liselotte|Ekkehard|Mechthild|Burkhard|Roswitha|Till|Janina|Meike|Sigrun|Lennart|Ottilie",
)
FRENCH = _one_of(
    "Camille|Julien|Élodie|Mathieu|Inès|Guillaume|Chloé|Bastien|Margaux|Rémi|Solène|Thibault|Apolline|Corentin"
)
SPANISH = _one_of(
    "Carmen|José|Lucía|Javier|Marta|Álvaro|Pilar|Sergio|Rocío|Iker|Nerea|Ximena|Joaquín|Fernanda|Thiago"
)
ITALIAN = _one_of(
    "Giulia|Marco|Chiara|Luca|Francesca|Matteo|Alessia|Davide|Ginevra|Edoardo|Beatrice|Nicolò|Ludovica|Gennaro"
)
POLISH = _one_of(
    "Katarzyna|Piotr|Agnieszka|Tomasz|Małgorzata|Marcin|Zofia|Bartosz|Iwona|Sławomir|Jadwiga|Kacper|Oliwia"
)
INDIAN = _one_of(
    "Priya|Rahul|Anjali|Vikram|Sunita|Arjun|Deepika|Sanjay|Lakshmi|Aarav|Meera|Tejas|Bhavna|Yash|Ritu"
)
TURKISH = _one_of(
    "Mehmet|Ayşe|Mustafa|Fatma|Emre|Zeynep|Hüseyin|Elif|Burak|Şebnem|Kerem|Gülşen|Onur|Defne"
)
ARABIC = _one_of(
    "Ahmed|Fatima|Mohammed|Layla|Omar|Aisha|Hassan|Yasmin|Ibrahim|Noor|Tariq|Zainab|Waleed|Rasha|Bassam"
)
CHINESE = _one_of("王伟|李娜|张敏|刘洋|陈静|杨磊|赵丽|黄强|周杰|吴霞|徐明|孙悦")
JAPANESE = _one_of("佐藤 健|鈴木 愛|高橋 翔|田中 美咲|伊藤 蓮|渡辺 結衣|山本 大輔|中村 陽菜")
RUSSIAN = _one_of("Анна|Дмитрий|Ольга|Сергей|Елена|Иван|Татьяна|Алексей|Наталья|Михаил")
SURNAMES = _one_of(
    "Smith|Johnson|Brown|Taylor|Wilson|Davies|Evans|Walker|Wright|Thompson|Hughes|Edwards|Clarke|Whitfield|Ashworth|Pemberton",
    "Hollingsworth|Carmichael|Bexley|Trent|Okafor|Nguyen|Kowalski|O'Connor|McAllister|Fitzgerald",
)
GERMAN_SURNAMES = _one_of(
    "Müller|Schmidt|Weber|Wagner|Becker|Hoffmann|Schulz|Koch|Richter|Klein|Wolf|Neumann|Schwarz|Braun|Hofmann|Zimmermann",
    "Brunnhuber|Oberleitner|Wiesinger|Stoltenberg|Achternbusch|Kübler|Dörfler|Nachtigall",
)
OTHER_SURNAMES = _one_of(
    "García|Martínez|Rossi|Bianchi|Dubois|Moreau|Silva|Santos|Kaya|Demir|Nowak|Sharma|Patel|Khan|Hassan|Haddad"
)
CITIES = _one_of(
    "Berlin|Paris|London|Madrid|Roma|Wien|Zürich|Oslo|Lyon|Hamburg|München|Kyoto|Lagos|Lima|Austin|Florence|Victoria|Sydney",
    "Charlotte|San Jose|Santiago|Leipzig|Porto|Gdańsk|Brno|Graz|Bern|Antwerpen|Utrecht|Malmö|Bergen|Bordeaux|Sevilla",
)
WORDS = _one_of(
    "oak|linen|copper|garden|winter|velvet|classic|mini|ultra|daily|silver|marble|forest|urban|coastal|nordic|amber|cotton"
)
COMPANIES = _one_of(
    "Acme Corporation|Globex GmbH|Initech|Umbrella Logistics|Stark Industries|Blue Ocean Ltd|Müller & Söhne KG",
    "Sunrise Foods|Deutsche Papier AG|Hansen Shipping A/S|Vertex Systems|Banco del Sur|Lumen Energie|Kaffeehaus Huber",
    "Johnson & Johnson|Procter Supplies|Martin Marietta|Ferrari Ricambi S.r.l.|Atelier Nord|Zenith Travel",
)
STREETS = _one_of(
    "Hauptstraße|Bahnhofstraße|Gartenweg|Lindenallee|Marktplatz|Schillerstr.|Am Bach|Kirchgasse|Rosenweg"
)
ENGLISH_STREETS = _one_of(
    "Main Street|Oak Avenue|Elm Road|Maple Drive|Church Lane|Park Boulevard|Hill Court|King Street"
)
NOTES = _one_of(
    "see attachment|ok|call back tomorrow|paid in cash|delivered late|needs review|n/a|duplicate|second try"
)
TITLES = _one_of(
    "Emma|Jane Eyre|The Old House|Winter Sun|Anna Karenina|A Quiet Place|Blue Train|Die Verwandlung|Night Ferry",
    "The Long Walk|Cien años|La Strada|Rebecca|Small Gods|The Glass Room|Northern Lights|Der Prozess|Stillwater",
)
SHORT = _one_of("new|open|closed|pending|shipped|returned")
TOKENS = _shaped("&" * 32)
BASE64 = "&" * 22

_full = _joined("{} {}", ENGLISH, SURNAMES)
_full_german = _joined("{} {}", GERMAN, GERMAN_SURNAMES)
_us_dashes = _shaped(
    "%15-%36-####".replace("%15", "4%5").replace("%36", "5%6"), "2%3-4%7-####", "7%8-6%2-####"
)
_us_dots = _shaped("4%5.5%6.####", "2%3.4%7.####", "9%8.6%2.####")
_german_mobile = _shaped("0151 #######", "0170 #######", "0160 ########", "0176 ########")
_german_landline = _shaped("089 / ######", "030 / #######", "0221 / ######", "040 / #######")
_french_phone = _shaped("06 ## ## ## ##", "01 ## ## ## ##", "07 ## ## ## ##")
_british_phone = _shaped("07700 9#####", "07911 1#####", "020 7946 0###", "01632 960###")
_international = _shaped(
    "+49 151 #######", "+44 7700 9#####", "+33 6 ## ## ## ##", "+1 415 555 0###", "+48 601 ### ###"
)
_zero_zero = _shaped("0049 151 #######", "0044 7700 9#####", "0033 6 ## ## ## ##")
_ipv4 = _joined(
    "{}.{}.{}.{}", _between(11, 223), _between(0, 255), _between(0, 255), _between(1, 254)
)
_ipv4_at_home = _joined("192.168.{}.{}", _between(0, 60), _between(1, 254))
_ipv6 = _shaped("2001:db8:%%::1%", "2a02:8109:9%4:%23:%a4b:%c1d:%e2f:%333")
_bcrypt = _shaped("$2b$12$" + "&" * 53, "$2a$10$" + "&" * 53)
_argon = _shaped("$argon2id$v=19$m=65536,t=3,p=4$" + BASE64 + "$" + "&" * 43)
_pbkdf2 = _shaped("pbkdf2_sha256$260000$&&&&&&&&&&&&$" + "&" * 43 + "=")
_scrypt = _shaped("scrypt:32768:8:1$&&&&&&&&&&&&&&&&$" + "&" * 60)
_slack = _shaped("https://hooks.slack.com/" + "services/T^^#^^##/B^^#^^##/" + "&" * 24)
_discord = _shaped("https://discord.com/api/" + "webhooks/##################/" + "&" * 60)
_reset = _joined("https://app.example/reset?token={}", TOKENS)
_magic = _joined("https://{}.example.com/login/magic/{}", WORDS, TOKENS)
_diagnosis = _one_of(
    "Asthma|Diabetes type 2|Hypertension|Depression|Migraine|Anaemia|COPD|Arthritis|HIV positive|Epilepsy"
)
_religion = _one_of("catholic|protestant|muslim|jewish|hindu|buddhist|none|orthodox")
_birth = _day("1935-01-01", "2008-12-31")
_recent = _day("2019-01-01", "2025-12-31")

_PERSONAL: tuple[tuple[str, str, Make, str], ...] = (
    (
        "name",
        "varchar",
        ENGLISH,
        "customers.first_name users.FirstName crm.given_name people.fname t4.c2 staff.forename",
    ),
    ("name", "varchar", GERMAN, "kunden.vorname mitarbeiter.Vorname t8.spalte_3 person.rufname"),
    ("name", "varchar", FRENCH, "clients.prenom patients.prénom"),
    ("name", "varchar", SPANISH, "socios.nombre_de_pila alumnos.primer_nombre_completo"),
    (
        "name",
        "varchar",
        SURNAMES,
        "customers.last_name users.surname members.family_name leads.lname orders.billing_last_name",
    ),
    (
        "name",
        "varchar",
        GERMAN_SURNAMES,
        "kunden.nachname mitarbeiter.familienname vertraege.versicherter_nachname",
    ),
    (
        "name",
        "varchar",
        OTHER_SURNAMES,
        "empleados.apellidos clienti.cognome socios.apellido pracownicy.nazwisko",
    ),
    (
        "name",
        "varchar",
        _full,
        "accounts.full_name t12.a employees.name orders.customer_name tickets.requester_name x.col_7",
    ),
    (
        "name",
        "varchar",
        _full_german,
        "patienten.name t3.wert_a vertrag.ansprechpartner bewerber.name faelle.sachbearbeiter_name",
    ),
    (
        "name",
        "varchar",
        _joined("{1}, {0}", GERMAN, GERMAN_SURNAMES),
        "akten.name_voll t31.f4 personal.mitarbeitername",
    ),
    (
        "name",
        "varchar",
        _joined("{} {}", FRENCH, OTHER_SURNAMES),
        "dossiers.nom_complet t21.q patients.name",
    ),
    (
        "name",
        "varchar",
        _joined("{} {}", SPANISH, OTHER_SURNAMES),
        "t22.r pacientes.nombre_completo",
    ),
    (
        "name",
        "varchar",
        _joined("{} {}", ITALIAN, OTHER_SURNAMES),
        "t23.s dipendenti.nome_completo",
    ),
    ("name", "varchar", _joined("{} {}", POLISH, OTHER_SURNAMES), "t24.t pacjenci.imie_i_nazwisko"),
    ("name", "varchar", _joined("{} {}", INDIAN, OTHER_SURNAMES), "t25.u students.student_name"),
    ("name", "varchar", _joined("{} {}", TURKISH, OTHER_SURNAMES), "t26.v uyeler.ad_soyad"),
    (
        "name",
        "varchar",
        _joined("{} {}", ARABIC, OTHER_SURNAMES),
        "t27.w passengers.passenger_name",
    ),
    ("name", "varchar", CHINESE, "students.姓名 employees.name"),
    ("name", "varchar", JAPANESE, "guests.氏名 contacts.full_name"),
    ("name", "varchar", RUSSIAN, "users.имя clients.first_name"),
    (
        "name",
        "varchar",
        _mostly(_full, _one_of("unknown"), 0.7),
        "calls.contact_name deliveries.recipient_name",
    ),
    (
        "birth_date",
        "date",
        _birth,
        "customers.birth_date users.dob patients.date_of_birth mitarbeiter.geburtsdatum hr.birthday",
    ),
    (
        "birth_date",
        "date",
        _birth,
        "socios.fecha_nacimiento clients.date_naissance leden.geboortedatum clienti.data_di_nascita",
    ),
    (
        "birth_date",
        "varchar",
        _day("1940-01-01", "2005-12-31", "%d.%m.%Y"),
        "personen.geb_datum import.Geburtstag",
    ),
    (
        "birth_date",
        "integer",
        _number(_day("1940-01-01", "2005-12-31", "%Y%m%d")),
        "legacy.dob insured.birth_dt",
    ),
    (
        "address",
        "varchar",
        _joined("{} {}", STREETS, _between(1, 200)),
        "kunden.strasse t41.c1 lieferung.anschrift adr.Straße",
    ),
    (
        "address",
        "varchar",
        _joined("{} {}", _between(1, 900), ENGLISH_STREETS),
        "customers.street t42.c2 orders.ship_address crm.address_line1",
    ),
    (
        "address",
        "varchar",
        _joined(
            "{} rue {}", _between(1, 90), _one_of("de la Paix|des Lilas|du Moulin|Victor Hugo")
        ),
        "clients.adresse t43.c3",
    ),
    (
        "address",
        "varchar",
        _joined("Calle {} {}", _one_of("Mayor|Real|del Sol|Nueva"), _between(1, 90)),
        "socios.direccion t44.c4",
    ),
    (
        "address",
        "varchar",
        _joined("{}, {} {}", _joined("{} {}", STREETS, _between(1, 99)), _shaped("%####"), CITIES),
        "t45.c5 firma.postadresse",
    ),
    ("address", "varchar", STREETS, "kunden.strassenname adressen.street_name"),
    ("phone", "varchar", _us_dashes, "leads.phone t51.c1 crm.contact_line t52.v9"),
    ("phone", "varchar", _us_dots, "vendors.phone_number t53.c1"),
    ("phone", "varchar", _german_mobile, "kunden.mobil t54.c1 t55.feld_8 kontakt.handynummer"),
    ("phone", "varchar", _german_landline, "kunden.telefon t56.c1"),
    ("phone", "varchar", _french_phone, "clients.telephone t57.c1"),
    ("phone", "varchar", _british_phone, "members.mobile t58.c1"),
    ("phone", "varchar", _zero_zero, "t59.c1 hotels.guest_phone"),
    ("phone", "varchar", _international, "users.msisdn t60.c1 devices.owner_tel t61.x"),
    (
        "phone",
        "varchar",
        _mostly(_us_dashes, _one_of("unknown|none"), 0.75),
        "t62.y surveys.callback_phone",
    ),
    (
        "phone",
        "bigint",
        _number(_shaped("49151#######", "4477009#####")),
        "users.phone subscribers.msisdn kunden.rufnummer sms.mobile_number",
    ),
    (
        "email",
        "varchar",
        _joined("{}.{}@mail.example", WORDS, _between(1, 999)),
        "users.email t63.c1 newsletter.empfaenger crm.login",
    ),
    (
        "ip",
        "varchar",
        _ipv4,
        "logins.ip_address t64.c1 sessions.client_ip events.remote_addr hits.ip t65.q2",
    ),
    ("ip", "varchar", _ipv4_at_home, "devices.ipv4 wifi.last_ip"),
    ("ip", "varchar", _ipv6, "logins.ipv6 t66.c1"),
    ("national_id", "varchar", _shaped("1##-%#-#%##", "5##-%#-%###"), "employees.tax_no t71.c1"),
    ("national_id", "varchar", _steuer_id, "mitarbeiter.steuer_id t72.c1"),
    ("national_id", "bigint", _number(_steuer_id), "t73.c1 personal.steueridentifikationsnummer"),
    ("national_id", "varchar", _in_fours(_aadhaar), "customers.aadhaar t74.c1"),
    ("national_id", "bigint", _number(_aadhaar), "t75.c1 kyc.aadhaar_number"),
    (
        "national_id",
        "varchar",
        _shaped("AB######C", "CE######A", "JK######D"),
        "payroll.nino t76.c1",
    ),
    (
        "national_id",
        "varchar",
        _shaped("AB ## ## ## C", "PR ## ## ## B"),
        "t77.c1 staff.national_insurance_number",
    ),
    ("national_id", "varchar", _cpf, "clientes.cpf t78.c1"),
    ("national_id", "varchar", _dni, "socios.dni t79.c1"),
    (
        "national_id",
        "varchar",
        _shaped("C0%X0%T4#", "L7######9"),
        "travellers.passport_no guests.passport bewerber.reisepass_nr",
    ),
    ("national_id", "varchar", _shaped("756.%###.%###.##"), "versicherte.ahv t80.c1"),
    ("card", "varchar", _with_luhn("411111#########"), "payments.card_number t81.c1"),
    ("card", "varchar", _in_fours(_with_luhn("5425##########%")), "t82.c1 bookings.cc_number"),
    ("card", "bigint", _number(_with_luhn("411111#########")), "t83.c1 payments.pan"),
    ("iban", "varchar", _iban("DE", "##################"), "kunden.iban t84.c1"),
    (
        "iban",
        "varchar",
        _in_fours(_iban("FR", "#######################")),
        "t85.c1 payouts.account_iban",
    ),
    ("health", "varchar", _diagnosis, "patients.diagnosis visits.medical_condition claims.illness"),
    (
        "health",
        "varchar",
        _one_of("Asthma|Heuschnupfen|Bluthochdruck|Rheuma|Migräne|keine"),
        "patienten.diagnose akten.vorerkrankungen",
    ),
    ("health", "varchar", _one_of("A+|A-|B+|0+|AB-|0-"), "donors.blood_type patienten.blutgruppe"),
    (
        "health",
        "varchar",
        _shaped("E1#.%", "J4#.#", "F3%.#"),
        "stays.icd10_code encounters.diagnosis_code",
    ),
    (
        "health",
        "varchar",
        _one_of("penicillin|nuts|pollen|latex|none"),
        "patients.allergies pupils.food_allergy",
    ),
    (
        "belief",
        "varchar",
        _religion,
        "employees.religion members.religious_affiliation students.faith",
    ),
    (
        "belief",
        "varchar",
        _one_of("rk|ev|--|jd"),
        "mitarbeiter.konfession lohn.kirchensteuermerkmal",
    ),
    (
        "belief",
        "varchar",
        _one_of("White|Black|Asian|Hispanic|Mixed"),
        "applicants.ethnicity census.ethnic_group patients.race",
    ),
    (
        "belief",
        "varchar",
        _one_of("heterosexual|gay|bisexual|undisclosed"),
        "profiles.sexual_orientation",
    ),
    (
        "belief",
        "varchar",
        _one_of("Democratic|Republican|Green|none"),
        "voters.party_affiliation donors.political_party",
    ),
    ("credential", "varchar", _bcrypt, "t91.c1 users.digest_value accounts.c9"),
    ("credential", "varchar", _argon, "t92.c1 logins.verifier"),
    ("credential", "varchar", _pbkdf2, "t93.c1 auth_user.pass_hash"),
    ("credential", "varchar", _scrypt, "t94.c1 web_user.check_value"),
    ("credential", "varchar", _slack, "integrations.url alerts.target"),
    ("credential", "varchar", _discord, "bots.hook channels.endpoint"),
    ("credential", "varchar", _reset, "mails.link t95.c1"),
    ("credential", "varchar", _magic, "outbox.cta t96.c1"),
    ("credential", "varchar", _shaped("sk_" + "live_" + "&" * 24), "t97.c1 billing.account_ref"),
    ("credential", "varchar", _shaped("&" * 40), "clients.value_x t98.c1"),
    (
        "credential",
        "varchar",
        _shaped("eyJ" + "&" * 20 + ".eyJ" + "&" * 30 + "." + "&" * 43),
        "t99.c1 sessions.bearer",
    ),
    ("credential", "varchar", _shaped("~~~~~~##!"), "users.password ftp.passwd vpn.passphrase"),
)

_OF_NOBODY: tuple[tuple[None, str, Make, str], ...] = (
    (
        None,
        "varchar",
        _joined("{} {} {}", WORDS, _one_of("chair|lamp|table|mug|shirt"), _between(1, 99)),
        "products.name items.product_name t101.c1 catalog.title",
    ),
    (
        None,
        "varchar",
        _one_of("Anna|Hektar|Billy|Malm|Poäng|Ektorp|Klippan|Friheten"),
        "furniture.model products.name artikel.bezeichnung",
    ),
    (
        None,
        "varchar",
        _one_of(
            "Calvin Klein|Hugo Boss|Ralph Lauren|Giorgio Armani|Tommy Hilfiger|Michael Kors|Zara"
        ),
        "products.brand brands.name",
    ),
    (
        None,
        "varchar",
        COMPANIES,
        "suppliers.name customers.company t102.c1 kunden.firma accounts.account_name orders.customer_name",
    ),
    (
        None,
        "varchar",
        COMPANIES,
        "vendors.vendor_name lieferanten.name t103.c2 deals.organization employers.employer",
    ),
    (
        None,
        "varchar",
        CITIES,
        "customers.city airports.city t104.c1 kunden.ort addresses.town stores.location hotels.name",
    ),
    (
        None,
        "varchar",
        _one_of("Germany|France|Poland|India|Chad|Jordan|Georgia|Brazil|Japan|Kenya"),
        "countries.name customers.country t105.c1 users.birth_country",
    ),
    (
        None,
        "varchar",
        _one_of("Bayern|Hessen|Sachsen|Texas|Ohio|Georgia|Virginia|Kent|Ontario"),
        "regions.name kunden.bundesland t106.c1 orders.state",
    ),
    (
        None,
        "varchar",
        TITLES,
        "books.title films.name t107.c1 songs.track_name library.titel albums.album_title",
    ),
    (
        None,
        "varchar",
        _one_of("red|blue|dark green|ivory|schwarz|weiß|amber|ruby|rose"),
        "products.colour cars.color t108.c1 artikel.farbe",
    ),
    (
        None,
        "varchar",
        _one_of("Finance|Sales|Research|Human Resources|Legal|Einkauf|Vertrieb"),
        "departments.name employees.department t109.c1",
    ),
    (
        None,
        "varchar",
        _one_of("BER|MUC|JFK|LHR|CDG|OSL|NRT|SYD"),
        "flights.origin airports.iata t110.c1",
    ),
    (
        None,
        "varchar",
        _one_of("Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"),
        "calendar.name_of_day dim_date.weekday t111.c1",
    ),
    (
        None,
        "varchar",
        _one_of("January|February|March|April|May|June|July|August"),
        "calendar.month_name t112.c1 dim_date.monatsname",
    ),
    (None, "varchar", SHORT, "orders.status t113.c1 tickets.state shipments.phase invoices.flag"),
    (None, "varchar", NOTES, "orders.note t114.c1 visits.comment bestellungen.bemerkung"),
    (
        None,
        "varchar",
        _one_of("Labrador|Siamese|Beagle|Persian|Poodle"),
        "pets.breed animals.race t115.c1",
    ),
    (
        None,
        "varchar",
        _one_of("Monaco Grand Prix|Italian Grand Prix|Le Mans|Monza Sprint"),
        "races.race results.race race_calendar.name",
    ),
    (
        None,
        "varchar",
        _one_of("Titanic|Queen Mary|Santa Maria|Bounty|Endeavour|Nordstern"),
        "ships.name fleet.vessel_name",
    ),
    (
        None,
        "varchar",
        _one_of("Stanford University|ETH Zürich|Sorbonne|Humboldt-Universität|King's College"),
        "universities.name schools.school_name",
    ),
    (
        None,
        "varchar",
        _one_of("FC Bayern|Real Madrid|Ajax|Arsenal|Juventus"),
        "teams.name clubs.club_name",
    ),
    (
        None,
        "varchar",
        _one_of("Merlot|Riesling|Chardonnay|Malbec|Syrah"),
        "wines.variety wines.name",
    ),
    (
        None,
        "varchar",
        _one_of("aspirin|ibuprofen|metformin|insulin"),
        "drugs.name pharmacy.substance",
    ),
    (
        None,
        "varchar",
        _one_of("admin|editor|viewer|owner"),
        "roles.name users.role grants.privilege",
    ),
    (
        None,
        "varchar",
        _one_of("mobile|desktop|tablet"),
        "sessions.device_type t116.c1 visits.phone_type",
    ),
    (
        None,
        "varchar",
        _one_of("Vodafone|Telekom|O2|Orange"),
        "lines.phone_carrier tariffs.provider",
    ),
    (
        None,
        "varchar",
        _shaped("#.#.#", "#.##.#", "#.#.#.#", "##.#.#####.#"),
        "releases.version apps.app_version t117.c1 drivers.release builds.build",
    ),
    (
        None,
        "varchar",
        _shaped("1.2.3.#", "2.0.#.#", "#.#.#.#"),
        "packages.ver t118.c1 firmware.firmware_version",
    ),
    (
        None,
        "varchar",
        _joined("{}.0.{}.{}", _between(80, 120), _between(3000, 6400), _between(10, 199)),
        "browsers.version t119.c1",
    ),
    (
        None,
        "varchar",
        _shaped("ORD-####-#####", "SO######"),
        "orders.order_number t120.c1 bestellung.auftragsnummer shop.reference",
    ),
    (
        None,
        "varchar",
        _shaped("###-###-####"),
        "items.part_number products.sku inventory.item_code orders.order_no",
    ),
    (
        None,
        "varchar",
        _shaped("^^-####-^", "^^^######"),
        "products.sku t121.c1 artikel.artikelnummer stock.lot",
    ),
    (
        None,
        "varchar",
        _shaped("1Z^^^^^^##########", "JD01460000########"),
        "parcels.tracking_number t122.c1 sendungen.sendungsnummer",
    ),
    (None, "varchar", _ean, "products.ean t123.c1 artikel.gtin scan.barcode"),
    (None, "bigint", _number(_ean), "products.ean_code t124.c1"),
    (None, "varchar", _shaped("978-3-16-######-#", "978-0-####-####-#"), "books.isbn t125.c1"),
    (None, "varchar", _digest("sha256"), "files.sha256 t126.c1 artifacts.checksum"),
    (None, "varchar", _digest("sha1"), "commits.commit_sha t127.c1 repo.git_hash"),
    (None, "varchar", _digest("md5"), "files.md5 t128.c1 cache.etag"),
    (None, "varchar", _uuid, "events.event_id t129.c1 orders.uuid sessions.visitor_key"),
    (
        None,
        "varchar",
        _shaped("cus_&&&&&&&&&&&&&&", "ch_&&&&&&&&&&&&&&&&"),
        "payments.stripe_id t130.c1",
    ),
    (
        None,
        "varchar",
        _joined("{},{}", _decimal(47, 54, 6), _decimal(6, 15, 6)),
        "places.lat_lon t131.c1 tracks.point",
    ),
    (None, "double", _decimal(-90, 90, 6), "places.latitude stations.lat t132.c1"),
    (
        None,
        "double",
        _decimal(1, 900, 2),
        "orders.price t133.c1 invoices.total rechnung.betrag items.unit_cost",
    ),
    (
        None,
        "integer",
        _between(1, 100_000),
        "orders.order_id customers.address_id t134.c1 visits.phone_id t135.number",
    ),
    (
        None,
        "integer",
        _between(1, 99),
        "orders.quantity t136.c1 products.ip_rating children.age t137.cnt",
    ),
    (None, "bigint", _between(10**9, 9 * 10**9), "sales.transaction_no t138.c1 cargo.container_no"),
    (None, "bigint", _between(10**15, 9 * 10**15), "events.sequence t139.c1 snowflake.row_key"),
    (None, "bigint", _between(10**10, 9 * 10**10), "t140.c1 orders.external_ref ledger.booking"),
    (None, "bigint", _between(10**11, 9 * 10**11), "t141.c1 parcels.parcel_no"),
    (None, "bigint", _between(1_600_000_000_000, 1_750_000_000_000), "events.created_ms t142.c1"),
    (
        None,
        "date",
        _recent,
        "orders.order_date customers.first_order_date t143.c1 visits.diagnosis_date contracts.name_changed_on"
        " users.phone_verified_at",
    ),
    (
        None,
        "varchar",
        _day("2019-01-01", "2025-12-31", "%d.%m.%Y"),
        "import.datum t144.c1 rechnung.faellig_am",
    ),
    (
        None,
        "varchar",
        _day("2019-01-01", "2025-12-31", "%Y-%m-%dT08:15:00Z"),
        "log.at t145.c1 events.ts_text",
    ),
    (None, "varchar", _shaped("0#:##-1#:##"), "shops.opening_hours t146.c1"),
    (None, "varchar", _shaped("%####"), "customers.zip adressen.plz t147.c1"),
    (
        None,
        "varchar",
        _joined("https://shop.example/{}/{}", WORDS, _between(1, 999)),
        "pages.url t148.c1 products.link images.src",
    ),
    (None, "varchar", _joined("/{}/{}.png", WORDS, WORDS), "files.path t149.c1 assets.filename"),
    (None, "varchar", _one_of("text/html|image/png|application/json"), "files.mime_type t150.c1"),
    (None, "varchar", _one_of("EUR|USD|GBP|PLN"), "orders.currency t151.c1"),
    (None, "varchar", _one_of("de|en|fr|pl|de-AT"), "users.language t152.c1 pages.locale"),
    (
        None,
        "varchar",
        _one_of("Europe/Berlin|America/New_York|Asia/Tokyo"),
        "users.timezone t153.c1",
    ),
    (None, "varchar", _one_of("visa|mastercard|amex"), "payments.card_type orders.card_brand"),
    (None, "varchar", _one_of("mr|mrs|dr|none"), "contacts.salutation customers.anrede"),
    (None, "varchar", _one_of("m|f|x"), "users.gender t154.c1"),
    (None, "varchar", _one_of("home|work|billing|shipping"), "addresses.address_type phones.label"),
    (None, "varchar", _one_of("Sensor A|Sensor B|Pump 3|Valve 12"), "devices.name machines.label"),
    (
        None,
        "varchar",
        _one_of("Spring Sale|Black Friday|Newsletter May|Retargeting"),
        "campaigns.name ads.campaign",
    ),
    (None, "varchar", _one_of("Math|Physics|History|Latin"), "courses.name subjects.subject"),
    (None, "varchar", _one_of("int4|varchar|bool"), "columns.column_type fields.data_type"),
    (None, "varchar", _shaped("00:1b:44:1%:3a:b%"), "nics.mac_address devices.hw_addr"),
    (None, "varchar", _joined("10.{}.0.0/16", _between(0, 9)), "networks.subnet vpc.cidr"),
    (
        None,
        "varchar",
        _joined("srv-{}.example.net", _between(1, 40)),
        "hosts.hostname servers.server_name",
    ),
    (
        None,
        "varchar",
        _shaped("DE#########", "ATU########"),
        "companies.vat_number invoices.ust_idnr_firma",
    ),
    (None, "varchar", _shaped("### ### ###"), "companies.siren firms.registration"),
    (None, "varchar", _shaped("0%%%.###.###"), "companies.kbo t155.c1"),
    (None, "varchar", _shaped("0%%%-####-0#"), "drugs.ndc t156.c1"),
    (None, "varchar", _shaped("04###-#####"), "parts.oem t157.c1"),
    (None, "varchar", _shaped("WVWZZZ1JZ3W######"), "cars.vin t158.c1"),
    (None, "varchar", _one_of("theme|page_size|currency|locale"), "app_settings.key prefs.k"),
    (None, "varchar", _one_of("dark|20|EUR|de"), "app_settings.value prefs.v"),
    (None, "varchar", _one_of("Main Hall|Room 12|Gate B4|Floor 3"), "rooms.name events.venue"),
    (None, "varchar", _one_of("Warehouse North|Hub Leipzig|Depot 7"), "warehouses.name sites.site"),
    (None, "integer", _between(1950, 2024), "films.release_year cars.year t159.c1"),
    (None, "varchar", _one_of("true|false"), "users.has_phone users.is_disabled t160.c1"),
    (None, "integer", _between(0, 30), "users.phone_count stats.diagnosis_count patients.visits"),
    (None, "double", _decimal(0, 1, 3), "stats.name_score models.birthday_discount t161.c1"),
    (None, "varchar", _one_of("sum of the day|mean|count by hour"), "metrics.metric_name t162.c1"),
)
