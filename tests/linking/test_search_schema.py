"""`search_schema` on a small warehouse."""

from pathlib import Path

from linker.serve.tools_search import search_schema
from tests.linking.shop import SHOP, ShopEnvironment, build

FILMS = [
    ("film_id", "BIGINT", "identifier", "show", [1, 2, 3]),
    ("title", "VARCHAR", "text", "show", ["Ark", "Boat", "Canoe"]),
    ("release_year", "BIGINT", "constant", "show", [2006, 2006, 2006]),
    ("rate", "DOUBLE", "money", "show", [0.99, 2.99, 4.99]),
]


def test_a_constant_is_shown_where_the_question_asks_for_it(tmp_path: Path) -> None:
    build(tmp_path, {**SHOP, "rental.films": FILMS})
    with ShopEnvironment(tmp_path) as environment:
        asked, other = (
            search_schema(environment, [question], 8).lines
            for question in ("release year of films", "rate of films")
        )
    line = "  release_year constant; always 2006"
    assert line in asked
    assert line not in other
