"""The schema briefing: value sets, joins, and likely values."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts, KeyPair
from linker.linking.mschema import render
from linker.linking.result import BY_NAME, Evidence, Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.retrieval.hits import Hits, Retrieved
from linker.sql.candidates import briefing, near_values, widened
from linker.types import Column, ColumnRef, Columns, Family, Hit, Table, TableRef, ValueMatch

STAFF = TableRef("people", "employees")
UNITS = TableRef("people", "departments")
ACTORS = TableRef("main", "actor")


def column(
    path: str, *, values: tuple[str, ...] = (), evidence: tuple[Evidence, ...] = ()
) -> LinkedColumn:
    return LinkedColumn(
        Column(path, path, 0, 1, "VARCHAR", True, None), 0.0, "", evidence=evidence, examples=values
    )


def linked(ref: TableRef, *columns: LinkedColumn, family: Family | None = None) -> LinkedTable:
    own = tuple(item.column for item in columns)
    return LinkedTable(Table(ref, "table", None, None, Columns(own), family), columns)


def schema(
    *tables: LinkedTable, question: str = "Who?", joins: tuple[Join, ...] = ()
) -> LinkedSchema:
    return LinkedSchema(question, "shop.dev", "evilink", tables, joins)


def test_a_short_list_of_values_is_whole_and_one_that_is_long_or_holds_keys_stays_as_it_is() -> (
    None
):
    codes = tuple("ABCDE")
    names = [
        ("code", 5, "category"),
        ("known_in_part", 9, "category"),
        ("id", 5, "identifier"),
        ("label", 5, "text"),
    ]
    facts = Facts(
        {
            ColumnRef(UNITS, name): ColumnFacts(kind, distinct, values=codes)
            for name, distinct, kind in names
        }
    )
    bare = linked(UNITS, *(column(name, values=("E", "A")) for name, _, _ in names))
    [table] = widened(schema(bare), facts).tables
    whole = ("E", "A", "B", "C", "D")
    assert [item.examples for item in table.columns] == [whole, ("E", "A"), ("E", "A"), whole]


def test_all_joins_between_the_chosen_tables_are_shown_once_and_no_others() -> None:
    works_in = KeyPair(STAFF, ("department_id",), UNITS, ("department_id",))
    is_led_by = KeyPair(UNITS, ("head_id",), STAFF, ("employee_id",))
    reports_to = KeyPair(STAFF, ("manager_id",), STAFF, ("employee_id",))
    unsure = KeyPair(STAFF, ("desk",), UNITS, ("floor",), confidence=0.3)
    beyond = KeyPair(STAFF, ("office",), TableRef("people", "offices"), ("code",))
    found = Join(UNITS, ("department_id",), STAFF, ("department_id",), BY_NAME)
    bare = schema(
        linked(STAFF, *map(column, ("department_id", "employee_id", "manager_id", "desk"))),
        linked(UNITS, *map(column, ("department_id", "head_id", "floor"))),
        joins=(found,),
    )
    joins = widened(bare, Facts(joins=(works_in, is_led_by, reports_to, unsure, beyond))).joins
    assert [str(join) for join in joins] == [
        "people.departments.department_id = people.employees.department_id",
        "people.departments.head_id = people.employees.employee_id",
        "people.employees.manager_id = people.employees.employee_id",
    ]


def test_a_join_over_a_column_that_is_not_shown_is_not_listed() -> None:
    is_led_by = KeyPair(UNITS, ("head_id",), STAFF, ("employee_id",))
    works_in = KeyPair(STAFF, ("department_id",), UNITS, ("department_id",))
    bare = schema(
        linked(STAFF, column("department_id"), column("employee_id")),
        linked(UNITS, column("department_id")),
    )
    joins = widened(bare, Facts(joins=(is_led_by, works_in))).joins
    assert [str(join) for join in joins] == [
        "people.employees.department_id = people.departments.department_id"
    ]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        (
            "Visits from 28 to 30 November 2025?",
            ["visits_20251128, visits_20251129, visits_20251130"],
        ),
        (
            "Visits in November and December 2025?",
            ["visits_20251101, visits_20251102, …, visits_20251231"],
        ),
        ("Visits in 2019?", []),
        ("Visits by device?", []),
    ],
)
def test_of_a_large_family_the_tables_of_the_period_are_named(
    question: str, named: list[str]
) -> None:
    names = tuple(
        f"visits_2025{month:02}{day:02}" for month in range(1, 13) for day in range(1, 32)
    )
    family = Family("day", "20250101", "20251231", names, names[-1])
    shown = briefing(
        schema(
            linked(TableRef("web", "visits_*"), column("device"), family=family), question=question
        )
    )
    line = next(line for line in shown.splitlines() if line.startswith("web.visits_*:"))
    limit = "web.visits_*: read at most 100 of its tables, by their own names, with `union all`"
    assert line.split("; of the time that is asked for are ") == [limit, *named]


def test_a_time_of_no_year_is_shown_only_where_the_question_has_no_other() -> None:
    def times(question: str) -> list[str]:
        return [
            line
            for line in briefing(
                schema(linked(UNITS, column("code")), question=question)
            ).splitlines()
            if "is" in line
        ]

    assert times("Visits on Friday, 28 November 2025?") == [
        "'28 November 2025' is >= 2025-11-28 and < 2025-11-29"
    ]
    assert times("Visits on Fridays?") == ["'Fridays' is of any year"]


def test_a_probe_that_saw_several_columns_is_shown_once() -> None:
    probe = Evidence("probe", "select code, label from x -> 2 rows: A | open; B | closed")
    told = Evidence("value", "holds open")
    bare = schema(
        linked(UNITS, column("code", evidence=(probe,)), column("label", evidence=(told, probe)))
    )
    assert briefing(bare).splitlines()[len(render(bare).splitlines()) :] == [
        f"Probe: {probe.text}",
        "people.departments.label: holds open",
    ]


@dataclass
class StrategyResult:
    """A retriever that finds columns by their values only."""

    hits: tuple[Hit, ...]

    def search(self, _text: str, *, limit: int) -> Retrieved:
        return Retrieved(Hits.create(self.hits[:limit]), ())


def test_values_that_words_may_mean_are_those_of_the_schema_that_are_not_surely_meant() -> None:
    def hit(path: str, *matches: ValueMatch) -> Hit:
        return Hit(ColumnRef(ACTORS, path), 1.0, (("value", 1.0),), matches)

    retriever = StrategyResult(
        (
            hit("last_name", ValueMatch("Guinness", "GUINESS", 0.79), ValueMatch("us", "US", 1.0)),
            hit("first_name", ValueMatch("Penelope", "PENELOPE", 1.0)),
            hit("note", ValueMatch("Penelope", "Penelope", 1.0)),
        )
    )
    sure = column("first_name", evidence=(Evidence("value", "holds PENELOPE"),))
    table = linked(ACTORS, column("last_name"), sure)
    table = replace(
        table,
        table=replace(table.table, columns=Columns((*table.table.columns, column("note").column))),
    )
    lines = [*near_values(schema(table, question="Penelope Guinness of us"), retriever)]  # type: ignore[arg-type]
    assert lines == ["“Guinness” may be the value GUINESS of main.actor.last_name"]
