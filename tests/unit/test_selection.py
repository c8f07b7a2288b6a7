"""Table selection: meaning, errors, and dbt vars."""

from datetime import timedelta
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.config.values import TablePattern
from linker.dbt.selection import Older, Selection, nothing_matches, read_selection
from linker.errors import ConfigError

NAMES = st.text("abcxyz_09", min_size=1, max_size=8)


def no_project(pattern: TablePattern) -> list[str]:
    raise AssertionError(pattern)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("sales", TablePattern("sales", "name", "sales.*")),
        ("sales.*", TablePattern("sales.*", "name", "sales.*")),
        ("*.orders_*", TablePattern("*.orders_*", "name", "*.orders_*")),
        (" sales.orders ", TablePattern("sales.orders", "name", "sales.orders")),
        ("tag:nightly", TablePattern("tag:nightly", "tag", "nightly")),
        ("tag: two words ", TablePattern("tag: two words", "tag", "two words")),
        ("path:models/marts", TablePattern("path:models/marts", "path", "models/marts")),
        ("models/marts/**", TablePattern("models/marts/**", "path", "models/marts/**")),
        ("older:24h", Older("older:24h", timedelta(hours=24))),
        ("older:2d", Older("older:2d", timedelta(days=2))),
    ],
)
def test_a_pattern_is_a_name_a_tag_a_path_or_an_age(text: str, meant: TablePattern | Older) -> None:
    assert read_selection([text], []).select == (meant,)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "names nothing"),
        ("  ", "names nothing"),
        ("tag:", "names nothing"),
        ("older:", "names nothing"),
        ("older:24", "`24` is not a length of time"),
        ("older:1w", "`1w` is not a length of time"),
        ("state:modified", "`state:` is not a way to select tables"),
    ],
)
def test_what_is_no_pattern_is_refused_with_examples(text: str, what: str) -> None:
    with pytest.raises(ConfigError, match=what) as caught:
        read_selection([], [text])
    assert caught.value.hint


@given(schema=NAMES, table=NAMES)
def test_a_schema_means_each_of_its_tables_and_no_other(schema: str, table: str) -> None:
    [pattern] = read_selection([schema], []).select
    assert isinstance(pattern, TablePattern)
    assert fnmatchcase(f"{schema}.{table}", pattern.value)
    assert not fnmatchcase(f"{schema}x.{table}", pattern.value)


@given(names=st.lists(NAMES, max_size=4), ages=st.lists(st.integers(1, 99), max_size=3))
def test_what_is_written_of_a_selection_is_read_as_the_same(
    names: list[str], ages: list[int]
) -> None:
    words = [*names, *(f"older:{age}h" for age in ages)]
    selection = read_selection(words, words[:1])
    said = str(selection).split()
    pairs = list(zip(said[::2], said[1::2], strict=True))
    flags = {}
    for flag in ("select", "exclude"):
        flags[flag] = [word for name, word in pairs if name == f"--{flag}"]
    assert read_selection(flags["select"], flags["exclude"]) == selection
    assert bool(selection) == bool(words)


def test_dbt_gets_tables_and_hours() -> None:
    selection = read_selection(["sales", "tag:nightly"], ["older:90m"])
    assert selection.variables(lambda pattern: [f"shop.{pattern.value}"]) == {
        "select": [
            {"pattern": "sales", "tables": ["sales.*"]},
            {"pattern": "tag:nightly", "tables": ["shop.nightly"]},
        ],
        "exclude": [{"pattern": "older:90m", "older_hours": 1.5}],
    }
    assert Selection().variables(no_project) == {}


@pytest.mark.parametrize(
    ("pattern", "nearest"),
    [
        ("salse.*", "sales.*"),
        ("orders", "sales.orders"),
        ("sales.ordres", "sales.orders"),
        ("SALES.ORDER", "sales.orders"),
    ],
)
def test_the_nearest_names_are_told(pattern: str, nearest: str) -> None:
    error = nothing_matches(pattern, ["sales.orders", "sales.customers", "web.sessions_*"])
    assert error.what == f"no table matches `{pattern}`"
    assert nearest in error.hint


def test_where_nothing_is_near_the_plan_is_named() -> None:
    assert "linker profile --plan" in nothing_matches("zzz", ["sales.orders"]).hint
