"""Catalog UI pages: escaping and unique URLs."""

from collections.abc import Iterator
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from linker.catalog.profile import JoinEdge
from linker.history.column_changes import Thresholds
from linker.history.runs import WarehouseDiff, diff
from linker.serve.explorer.html import (
    MAX_NEIGHBOURS,
    column_url,
    growing_page,
    join_graph,
    numbered,
    page,
    slug,
)
from linker.serve.explorer.routes import AskOutcome, ShownStep
from linker.types import ColumnState, Run, TableRef, TableState

ORDERS = TableRef("shop", "orders")
HOSTILE = "<script>alert(1)</script>"


@given(st.text(max_size=300), st.text(max_size=300))
def test_names_are_parts_of_addresses_and_files_that_differ_where_they_do(
    one: str, other: str
) -> None:
    place = slug(one)
    assert set(place) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~")
    assert len(place) < 120
    assert (slug(other) == place) == (one == other)


def test_a_place_is_readable_where_the_name_is() -> None:
    assert column_url(ORDERS, "address.city") == "tables/shop/orders/address~2e~city"
    assert (numbered("schemas/shop", 1), numbered("schemas/shop", 3)) == (
        "schemas/shop.html",
        "schemas/shop.3.html",
    )


def test_texts_of_the_warehouse_are_escaped_and_cannot_reorder_what_is_read() -> None:
    shown = page("problem", "", served=True, what=f"{HOSTILE}\u202eabc", hint='"><img src=x>')
    assert HOSTILE not in shown
    assert "&lt;script&gt;" in shown
    assert "\u202e" not in shown
    assert "<img" not in shown


def changed(values: tuple[tuple[str, int], ...], rows: int) -> TableState:
    status = ColumnState(
        "status", "VARCHAR", is_nullable=True, null_ratio=0.0, privacy="show", values=values
    )
    return TableState(rows, datetime(2026, 1, 1, tzinfo=UTC), (status,))


def test_the_page_of_changes_says_what_came_went_and_moved() -> None:
    run = Run(
        1,
        "refresh",
        "done",
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2026, 1, 1, 0, 1, tzinfo=UTC),
    )
    before = {
        ORDERS: changed((("open", 50), ("paid", 50)), 100),
        TableRef("shop", "gone"): changed((), 7),
    }
    after = {
        ORDERS: changed((("open", 10), (HOSTILE, 90)), 100),
        TableRef("shop", "fresh"): changed((), 9),
    }
    tables = diff(before, after, Thresholds())
    comparison = WarehouseDiff("shop.dev", run, run, Thresholds(), tables, 0)
    shown = page(
        "changes",
        "changes.html",
        served=False,
        comparison=comparison,
        problem="",
        runs=[run],
        known={ORDERS: None},
    )
    assert "new: 9 rows, 1 column" in shown
    assert "gone: 7 rows, 1 column" in shown
    assert '<a href="tables/shop/orders.html">shop.orders</a>' in shown
    assert "new “&lt;script&gt;" in shown
    assert HOSTILE not in shown


def edge(source: str, key: str, confidence: float) -> JoinEdge:
    measures = (None,) * 7
    return JoinEdge(
        "shop",
        source,
        ("id",),
        "shop",
        key,
        ("id",),
        "inferred",
        *measures,
        confidence,
        "40 of 40 values",
    )


def test_a_graph_has_who_points_on_the_left_the_surest_first_and_counts_the_rest() -> None:
    joins = [
        *(edge(f"t{number:02}", "orders", 0.95) for number in range(30)),
        edge("orders", "people", 0.5),
    ]
    graph = join_graph(ORDERS, joins)
    left = [box.ref.name for box in graph.boxes if box.x < graph.centre.x]
    assert left == [f"t{number:02}" for number in range(MAX_NEIGHBOURS - 1)]
    assert [box.ref.name for box in graph.boxes if box.x > graph.centre.x] == ["people"]
    assert graph.left_out == 30 - len(left)
    assert [line.is_sure for line in graph.lines] == [True] * len(left) + [False]
    assert all(
        0 <= box.y <= graph.height - graph.box_height for box in (graph.centre, *graph.boxes)
    )


def test_the_page_of_a_question_shows_a_step_before_the_next_one_happened() -> None:
    seen = list[str]()

    def steps() -> Iterator[ShownStep]:
        assert "<main" in "".join(seen)
        yield ShownStep("retrieved candidates", "12 columns")
        assert "retrieved candidates" in "".join(seen)
        yield ShownStep("ranking", "")

    def answer() -> AskOutcome:
        assert "ranking" in "".join(seen)
        return AskOutcome(problem="the model is away; ask again")

    pieces = growing_page(
        "ask", "ask.html", question="Who?", steps=steps(), answer=answer, served=True
    )
    for piece in pieces:
        seen.append(piece)
    assert "the model is away; ask again" in "".join(seen)
