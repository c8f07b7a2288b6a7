"""Execution accuracy against a brute-force judge of column orders."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import permutations
from random import Random
from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st

from linker.evaluation import Verdict
from linker.evaluation.running import compare_rows
from linker.sql import Attempt, Cells, Result

Rows = list[tuple[Any, ...]]
# Few values, so that columns look alike by chance; none is near another.
CELLS = st.sampled_from([None, 0, 1, 2, "a", "b", 0.5])


def judged(written: Rows, gold: Rows, ordered: str = "") -> Verdict:
    """The verdict where the right statement gives these rows of columns c0, c1 and so on."""
    width = len(gold[0]) if gold else 1
    names = tuple(f"c{place}" for place in range(width))
    sql = f"select {', '.join(names)} from t{f' order by {ordered}' if ordered else ''}"
    attempt = Attempt(sql, sql, Result(names, tuple(gold)), is_ordered=bool(ordered))
    return compare_rows(written, attempt, "duckdb")


def results(least: int = 1, most: int = 3) -> st.SearchStrategy[Rows]:
    widths = st.integers(least, most)
    return widths.flatmap(
        lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=5)
    )


def picked(places: Sequence[int], row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(row[place] for place in places)


def projected(rows: Rows, places: tuple[int, ...]) -> Counter[tuple[Any, ...]]:
    # 1 and True are the same key, and there are no booleans here.
    return Counter(map(partial(picked, places), rows))


def tried(written: Rows, gold: Rows) -> Verdict:
    """The same by trying all choices and orders of columns."""
    wide, narrow = (written, gold) if len(written[0]) >= len(gold[0]) else (gold, written)
    own = tuple(range(len(narrow[0])))
    fits = any(
        projected(wide, places) == projected(narrow, own)
        for places in permutations(range(len(wide[0])), len(own))
    )
    if not fits:
        return "wrong"
    if len(written[0]) == len(gold[0]):
        return "right"
    return "more columns" if wide is written else "fewer columns"


@given(results(), results())
def test_a_verdict_is_that_of_trying_everything(written: Rows, gold: Rows) -> None:
    assert judged(written, gold) == tried(written, gold)


@given(results(), st.data())
def test_rows_and_columns_may_come_in_any_order(gold: Rows, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(gold[0]))))
    written = data.draw(st.permutations([picked(order, row) for row in gold]))
    assert judged(written, gold) == "right"


@given(results(), st.data())
def test_the_right_rows_with_columns_more_or_fewer_are_told_from_wrong_ones(
    gold: Rows, data: st.DataObject
) -> None:
    more = [(*row, data.draw(CELLS)) for row in gold]
    assert judged(more, gold) == "more columns"
    assert judged(gold, more) == "fewer columns"
    # A value that does not exist.
    strange = [*gold[1:], (*gold[0][:-1], "elsewhere")]
    assert judged(strange, gold) == "wrong"
    assert judged([(*row, 7) for row in strange], gold) == "wrong"


@given(results())
def test_a_row_more_or_less_is_wrong(gold: Rows) -> None:
    assert judged([*gold, gold[0]], gold) == "wrong"
    assert judged(gold[1:], gold) == "wrong"


# Words beside numbers: two columns of numbers, one of them upside down, may be each other's.
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), min_size=2, max_size=6),
    st.randoms(),
)
@example([(1, "a"), (1, "b"), (0, "a")], Random(1))
def test_order_counts_where_the_gold_orders_and_not_among_what_it_puts_in_one_place(
    rows: Rows, random: Random
) -> None:
    gold = sorted(rows, key=lambda row: -row[0])
    mixed = random.sample(gold, len(gold))
    within = sorted(mixed, key=lambda row: -row[0])
    for ordered in ("c0 desc", "1 desc", "C0 desc"):
        assert judged(within, gold, ordered) == "right"
        assert judged([(word, number) for number, word in within], gold, ordered) == "right"
        assert judged([(*row, 9) for row in within], gold, ordered) == "more columns"
        assume(gold[0][0] != gold[-1][0])
        assert judged(gold[::-1], gold, ordered) == "wrong"
    assert judged(gold[::-1], gold) == "right"


def test_what_is_ordered_by_something_that_is_not_shown_keeps_its_place() -> None:
    gold = [("a",), ("b",), ("a",)]
    assert judged(gold, gold, "hidden") == "right"
    assert judged([("a",), ("a",), ("b",)], gold, "hidden") == "wrong"


def test_numbers_within_the_noise_of_floating_point_are_the_same_and_whole_ones_never_nearly() -> (
    None
):
    assert judged([(0.1 + 0.2, 5)], [(0.3, 5.0)]) == "right"
    assert judged([(12_345_678,)], [(12_345_679,)]) == "wrong"


def test_results_of_nothing_are_the_same() -> None:
    assert judged([], []) == "right"
    assert judged([], [(1,)]) == "wrong"
    assert judged([(None,)], [(None,)]) == "right"
    assert judged([(None,)], [(0,)]) == "wrong"


def test_a_wide_result_is_judged_in_time_also_where_its_columns_look_alike() -> None:
    gold: list[Cells] = [tuple(range(40)) for _ in range(50)]
    assert judged(gold, gold) == "right"
    alike: list[Cells] = [(0,) * 12 for _ in range(50)]
    assert judged([(*row, 1) for row in alike], alike) == "more columns"
