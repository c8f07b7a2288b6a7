"""Column names that suggest PII in several languages and spellings."""

from collections.abc import Callable

from tests.rendering import Rendering

HINTS = {
    "phone": [
        "phone",
        "phoneNumber",
        "contact.mobile_no",
        "TEL",
        "private_phone",
        "telefonnummer",
        "Rufnummer",
        "fax2",
    ],
    "address": ["billing_addr", "adresse", "Anschrift"],
    "street": [
        "street",
        "Straße",
        "home_street",
        "addressLine1",
        "billing_address",
        "strassenname",
        "calle",
    ],
    "card": ["card_number", "creditCard", "cc_num", "Kartennummer"],
    "national_id": [
        "tax_id",
        "national_id",
        "passport_number",
        "dni",
        "codice_fiscale",
        "bsn",
        "Reisepassnummer",
        "aadhaar_no",
    ],
    "iban": ["iban", "own_iban"],
    "ip": ["ip", "client_ip", "ip_address", "IPv4", "remoteAddr"],
    "birth_date": [
        "date_of_birth",
        "DOB",
        "birthDate",
        "Geburtsdatum",
        "fecha_nacimiento",
        "date_naissance",
        "geb_dat",
    ],
    "name": [
        "first_name",
        "LastName",
        "Vorname",
        "nachname",
        "customer_full_name",
        "prénom",
        "apellidos",
        "sobrenome",
        "имя",
        "employee_name",
        "patientenname",
        "Ansprechpartner",
        "contact.firstName",
        "first_name_kana",
        "name.last",
    ],
    "health": [
        "diagnosis",
        "diagnosis_code",
        "icd10_code",
        "Blutgruppe",
        "blood_type",
        "allergies",
        "medication",
        "Diagnosen",
    ],
    "belief": [
        "religion",
        "ethnicity",
        "Konfession",
        "sexual_orientation",
        "political_party",
        "religionszugehoerigkeit",
    ],
    "thing": [
        "order_number",
        "product_name",
        "brand",
        "city",
        "app_version",
        "name_of_day",
        "companyName",
        "Firma",
        "titel",
        "country_code",
        "card_brand",
        "department_name",
        "sku",
        "phone_type",
        "color",
    ],
    "": [
        "id",
        "email_address",
        "has_phone",
        "phone_id",
        "mobile_sessions",
        "hotelling",
        "addressed_at",
        "mac_address",
        "cellar",
        "first_order_date",
        "address_id",
        "ip_rating",
        "birthday_discount",
        "diagnosis_count",
        "server_ip",
        "username",
        "filename",
        "is_disabled",
        "name",
        "rename_count",
        "street_number",
    ],
}
OF_TABLES = {
    ("name", "employees"): "name",
    ("name", "dim_patient"): "name",
    ("Name", "HR.Contacts"): "name",
    ("name", "users"): "name",
    ("name", "products"): "thing",
    ("name", "airports"): "thing",
    ("title", "books"): "thing",
    ("name", "customers"): "",
    ("name", "user_groups"): "",
    ("race", "patients"): "belief",
    ("race", "results"): "",
    ("v", "settings"): "setting",
    ("k", "settings"): "setting_name",
    ("value", "app_config"): "setting",
}


def test_a_name_hints_at_personal_data_but_not_at_what_is_merely_about_it(
    rendering: Callable[[str], Rendering],
) -> None:
    expected = {name: hint for hint, names in HINTS.items() for name in names}
    found = rendering("duckdb").expressions(
        *("{{ linker.personal_data_hints([" + repr(name) + "])[0] or '' }}" for name in expected)
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_a_bare_name_is_that_of_what_its_table_lists(rendering: Callable[[str], Rendering]) -> None:
    found = rendering("duckdb").expressions(
        *(
            f"{{{{ linker.personal_data_hints([{name!r}], [{table!r}])[0] or '' }}}}"
            for name, table in OF_TABLES
        )
    )
    assert dict(zip(OF_TABLES, found, strict=True)) == OF_TABLES
