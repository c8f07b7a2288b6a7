"""Hidden values planted in DuckDB appear nowhere after a full run."""

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.canary_warehouses import canaries, hidden_texts
from benchmarks.leaks import Found, measure, search


def test_no_planted_value_is_found_outside_of_the_warehouse_and_what_is_shown_is_found() -> None:
    # Not in pytest's own folder, which it closes to the user of the embedded server.
    with TemporaryDirectory(prefix="linker-leaks-") as folder:
        found = {one.place: one for one in measure("duckdb", Path(folder), is_short=True)}
    assert {place: one.texts for place, one in found.items() if one.hidden} == {}
    for place in (
        "output of commands",
        "prompts of a model",
        "profile tables in the warehouse",
        "rows of the store",
    ):
        assert found[place].shown > 0, place


def test_the_search_finds_planted_texts_in_whatever_case() -> None:
    texts = canaries()
    parts = [
        texts["password"].upper().encode(),
        b"x" + texts["shown"].encode(),
        texts["salary"].encode(),
    ]
    size = len(texts["password"]) + len(texts["salary"])
    expected = tuple(sorted((texts["password"], texts["salary"])))
    assert search("here", parts, texts) == Found("here", 3, sum(map(len, parts)), 1, size, expected)
    assert len(set(hidden_texts(texts))) == len(hidden_texts(texts)) > 100
