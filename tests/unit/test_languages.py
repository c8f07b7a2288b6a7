"""Language detection of questions; English by default."""

import pytest

from linker.text.words import is_english


@pytest.mark.parametrize(
    "text",
    [
        "employee salary",
        "most expensive beverage",
        "CO2 emissions",
        "late carriers",
        "soil moisture",
        "revenue by month",
        "sales in Los Angeles",
        "orders from El Salvador and San Marino",
        "Which Müller yoghurt sells best?",
        "average die size per wafer",
        "customers who bought Lindt Les Grandes",
        "What was the gross margin on Fernweh Pro?",
        "",
        "2025",
    ],
)
def test_phrases_without_small_words_and_foreign_names_are_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Welche Kunden kaufen am meisten?",
        "Umsatz pro Filiale 2025",
        "Postleitzahl der Kundin Mary Smith",
        "Quels acteurs jouent dans des films d'horreur ?",
        "¿Cuántos clientes hay en cada ciudad?",
        "Quanti ordini sono stati spediti?",
        "Quantos clientes foram registrados?",
        "Hoeveel klanten zijn er?",
        "Сколько клиентов в Москве?",
        "每个城市有多少客户",
        "كم عدد العملاء",
    ],
)
def test_small_words_and_scripts_tell_another_language(text: str) -> None:
    assert not is_english(text)
