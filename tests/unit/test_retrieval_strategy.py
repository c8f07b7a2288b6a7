"""How the model-free strategy spends its budget."""

from hypothesis import given
from hypothesis import strategies as st

from linker.strategies.retrieval import choose_tables
from linker.types import Catalog, Column, ColumnRef, Hit, Table, TableRef


def column(path: str) -> Column:
    return Column(path, path, 0, 1, "VARCHAR", is_nullable=True, description=None)


def table(name: str, *paths: str) -> Table:
    return Table(TableRef("s", name), "table", None, None, tuple(column(path) for path in paths))


def hit(name: str, path: str, score: float) -> Hit:
    return Hit(ColumnRef(TableRef("s", name), path), score, (("dense", score),))


def chosen(tables: tuple[Table, ...], hits: list[Hit], budget: int) -> dict[str, list[str]]:
    linked = choose_tables(hits, Catalog(tables, len(tables)), budget)
    return {one.table.ref.name: [kept.column.path for kept in one.columns] for one in linked}


def test_a_table_of_several_good_columns_comes_before_one_of_a_single_lucky_column() -> None:
    tables = (table("lucky", "x"), table("telling", "a", "b", "c"))
    hits = [hit("lucky", "x", 0.9), hit("telling", "a", 0.6), hit("telling", "b", 0.6), hit("telling", "c", 0.6)]
    # Means of three: 0.6 against 0.9 / 3 = 0.3.
    assert list(chosen(tables, hits, budget=8)) == ["telling", "lucky"]


def test_the_budget_is_spent_on_the_best_columns_of_the_chosen_tables() -> None:
    tables = (table("a", "p", "q", "r"), table("b", "p", "q", "r"), table("c", "p"))
    hits = [hit("a", "p", 0.9), hit("a", "q", 0.5), hit("a", "r", 0.2)]
    hits += [hit("b", "p", 0.8), hit("b", "q", 0.4), hit("b", "r", 0.3), hit("c", "p", 0.2)]
    assert chosen(tables, hits, budget=5) == {"a": ["p", "q", "r"]}
    assert chosen(tables, hits, budget=6) == {"a": ["p", "q", "r"], "b": ["p", "q", "r"]}


def test_no_table_is_without_a_column() -> None:
    tables = (table("a", *"pqrstu"), table("b", "p"))
    hits = [hit("a", path, 0.9) for path in "pqrstu"] + [hit("b", "p", 0.1)]
    assert chosen(tables, hits, budget=8)["b"] == ["p"]


hits_of_any_kind = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("pqrstu"), st.floats(-1, 1)),
    max_size=40,
    unique_by=lambda one: one[:2],
)


@given(found=hits_of_any_kind, budget=st.integers(1, 30))
def test_the_budget_is_kept_and_the_answer_does_not_depend_on_the_order_of_hits(
    found: list[tuple[str, str, float]], budget: int
) -> None:
    tables = tuple(table(name, *"pqrstu") for name in "abcdefgh")
    hits = [hit(*one) for one in found]
    answer = chosen(tables, hits, budget)
    assert sum(len(paths) for paths in answer.values()) <= budget
    assert all(answer.values())
    assert bool(answer) == bool(hits)
    assert chosen(tables, hits[::-1], budget) == answer
