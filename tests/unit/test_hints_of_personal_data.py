"""Names that hint at personal data: by words of several languages, however they are written."""

from collections.abc import Callable

from tests.rendering import Rendering

HINTS = {
    "phone": ["phone", "phoneNumber", "contact.mobile_no", "TEL", "private_phone", "telefonnummer", "fax2"],
    "address": ["street", "billing_address", "addressLine1", "Straße", "adresse", "home_street"],
    "card": ["card_number", "creditCard", "cc_num", "Kartennummer"],
    "national_id": ["tax_id", "national_id", "passport_number", "dni", "codice_fiscale", "bsn"],
    "iban": ["iban", "own_iban"],
    "": [
        *("id", "email_address", "ip_address", "has_phone", "phone_type", "phone_id", "mobile_sessions", "card_brand"),
        *("hotel", "country_code", "addressed_at", "mac_address", "order_number", "cellar"),
    ],
}


def test_a_name_hints_at_personal_data_but_not_at_what_is_merely_about_it(
    rendering: Callable[[str], Rendering],
) -> None:
    expected = {name: hint for hint, names in HINTS.items() for name in names}
    found = rendering("duckdb").expressions(
        *("{{ linker.personal_data_hint(" + repr(name) + ") or '' }}" for name in expected)
    )
    assert dict(zip(expected, found, strict=True)) == expected
