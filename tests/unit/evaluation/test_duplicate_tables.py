"""Duplicate tables count once, worked out by hand."""

from linker.evaluation import Gold, Level, Prediction
from linker.evaluation.scoring import fold, groups_of, score_prediction
from linker.types import Catalog, Column, Columns, Table, TableRef
from tests.evaluations import answer, asked, gold, table

PATHS = ("a", "b", "c", "d")


def catalog(**paths: tuple[str, ...]) -> Catalog:
    tables_items = []
    for name, held in paths.items():
        tables_items.append(
            Table(
                table(name),
                "table",
                None,
                None,
                Columns(
                    Column(path, path, 0, place, "TEXT", True, None)
                    for place, path in enumerate(held, start=1)
                ),
            )
        )
    tables = tuple(tables_items)
    return Catalog(tables, len(tables))


COPIED = catalog(visits=PATHS, visits_2=PATHS, visits_old=PATHS, staff=("id", "name"))


def scored(prediction: Prediction, *golds: Gold) -> Level:
    folded = fold(prediction, golds, groups_of(COPIED))
    return score_prediction(*folded, asked(), COPIED, "sqlite").score.columns


def test_a_sibling_of_the_gold_table_will_do() -> None:
    found = scored(answer("visits_2.a", "visits_2.b"), gold("visits.a", "visits.b"))
    assert found.is_complete
    assert (found.recall, found.precision, found.count) == (1.0, 1.0, 2)


def test_a_column_of_two_siblings_counts_once() -> None:
    found = scored(answer("visits_2.a", "visits.a", "staff.id"), gold("visits.a"))
    assert (found.count, found.precision) == (2, 0.5)


def test_a_gold_that_reads_two_siblings_reads_one_table_to_the_score() -> None:
    folded, golds = fold(
        answer("visits_old.a"), (gold("visits.a", "visits_2.a"),), groups_of(COPIED)
    )
    assert folded.tables == (TableRef("main", "visits_old"),)
    assert {ref for choice in golds[0].tables for ref in choice} == {TableRef("main", "visits_old")}
    assert scored(answer("visits_old.a"), gold("visits.a", "visits_2.a")).is_complete


def test_other_columns_of_a_sibling_are_still_missed() -> None:
    assert not scored(answer("visits_2.a"), gold("visits.a", "visits.b")).is_complete


def test_tables_without_siblings_stay_as_they_are() -> None:
    prediction, golds = answer("staff.id"), (gold("staff.name"),)
    assert fold(prediction, golds, groups_of(COPIED)) == (prediction, golds)
    assert fold(prediction, golds, {}) == (prediction, golds)
