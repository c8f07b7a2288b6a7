"""Refresh plan for people and programs."""

import json

from linker.catalog.documents import IndexPlan
from linker.dbt.profiling import ProfileReport
from linker.output.status import refresh_plan
from linker.usage.sources import DueSource

SOURCES = (
    DueSource("q.sql", "q.sql", is_due=True, reason="not read yet", made_of="#"),
    DueSource("m.json", "m.json", is_due=False, reason="unchanged since it was read", made_of="#"),
    DueSource("x.sql", "x\n.sql", is_due=True, reason="cannot read x.sql: it is gone"),
)


def test_a_plan_says_what_would_be_learned_from_and_why() -> None:
    plan = (ProfileReport((), ()), IndexPlan((), (), ()), SOURCES)
    # Without a table to scan there is no head of a table either.
    assert refresh_plan(*plan, form="table").splitlines() == [
        "0 tables to scan, about 0 B; 0 unchanged, 0 left out",
        "the index is up to date (0 documents)",
        "reads q.sql: not read yet",
        "skips m.json: unchanged since it was read",
        "cannot read x .sql: cannot read x.sql: it is gone",
    ]
    assert json.loads(refresh_plan(*plan, form="json"))["sources"] == [
        {"source": one.name, "due": one.is_due, "reason": one.reason} for one in SOURCES
    ]


def test_a_plan_where_nothing_is_profiled_says_that_it_is_of_the_first_run() -> None:
    plan = (ProfileReport((), ()), None, ())
    assert refresh_plan(*plan, form="table").splitlines()[-1] == (
        "first run: no profiles and no index yet"
    )
    assert json.loads(refresh_plan(*plan, form="json"))["index"] is None
