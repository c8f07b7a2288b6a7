"""A complete run as a trace holds it."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from linker.budget import Cost
from linker.catalog.column_metadata import ColumnFacts, KeyPair
from linker.linking.actions import Discard, Keep, Malformed, ProbeSql
from linker.linking.assemble_result import LinkRecord, TraceRecord
from linker.linking.linking_state import (
    ActionResult,
    Divergence,
    Grounding,
    Hypothesis,
    Item,
    Proposal,
)
from linker.linking.result import Evidence, StepCost
from linker.linking.schema_completion import Survey, TableContext
from linker.linking.trace import FOLDER, FORMAT, write_lines
from linker.linking.value_linking import Binding, Mentions
from linker.models import Prompt
from linker.text.quoted_and_codes import Mention
from linker.text.time_expressions import Period
from linker.types import Column, ColumnRef, Columns, Table, TableRef, Usage, as_dict

ID = "20251121-101500-3f2a77"
QUESTION = "Which customers in \x1b[2JUlm ordered most in 2025?"
ORDERS, CUSTOMERS, RETURNS = (TableRef("shop", name) for name in ("orders", "customers", "returns"))
CUSTOMER_ID, TOTAL, STATE = (ColumnRef(ORDERS, path) for path in ("customer_id", "total", "state"))
KEY = ColumnRef(CUSTOMERS, "id")
CITY = ColumnRef(CUSTOMERS, "city")
REFUND = ColumnRef(RETURNS, "refund")
PAIR = KeyPair(ORDERS, ("customer_id",), CUSTOMERS, ("id",), 0.9, 0.99, 4.25, "n:1")
PROMPT = Prompt(
    "You find tables.\n  Answer as JSON.", '<data name="question">\nWhich customers?\n</data>'
)


def table(ref: TableRef, *paths: str) -> Table:
    """A table of texts."""
    columns = (
        Column(one, one, 0, at, "VARCHAR", is_nullable=True, description=None)
        for at, one in enumerate(paths)
    )
    return Table(ref, "table", None, 100, Columns(columns))


TABLES = (
    table(ORDERS, "customer_id", "total", "state"),
    table(CUSTOMERS, "id", "city"),
    table(RETURNS, "refund"),
)


def ways() -> tuple[Hypothesis, Hypothesis]:
    """By what was ordered, or by what was kept of it."""
    joins = ((CUSTOMER_ID, KEY),)
    kept = (Divergence("encoding", "the total, or the total less refunds"),)
    return (
        Hypothesis(1, "Totals of orders by customer.", (), (ORDERS, CUSTOMERS), joins, (TOTAL,)),
        Hypothesis(
            2, "Totals less refunds.", kept, (ORDERS, CUSTOMERS, RETURNS), joins, (TOTAL, REFUND)
        ),
    )


def turns() -> tuple[tuple[ActionResult, ...], ...]:
    """A look and a mistake, then two decisions."""
    probe = ProbeSql(sql="select count(*)\nfrom shop.returns")
    found = (REFUND, Evidence("probe", "no row since 2019"))
    discard = Discard(items=["shop.returns"], reason="holds refunds of a shop that closed in 2019")
    keep = Keep(items=["shop.orders.state"], reason="cancelled orders do not count")
    return (
        (
            ActionResult(probe, "1 row:\n  0", evidence=(found,)),
            ActionResult(
                Malformed(text="{drop}", problem="no such tool"), "no such tool", is_done=False
            ),
        ),
        (
            ActionResult(discard, "discarded", decided=(RETURNS,)),
            ActionResult(keep, "kept", decided=(STATE,)),
        ),
    )


def groundings() -> tuple[Grounding, ...]:
    """What each way needs."""
    first, second = ways()
    return (
        Grounding(first, (ORDERS, CUSTOMERS), (CUSTOMER_ID, TOTAL, KEY, CITY)),
        Grounding(
            second,
            (ORDERS, CUSTOMERS, RETURNS),
            (CUSTOMER_ID, TOTAL, KEY, CITY, REFUND),
            unknown=("shop.refunds",),
        ),
    )


def run(missing: str = "") -> LinkRecord:
    """The run; with `missing` it found that the warehouse cannot answer."""
    surveyed = tuple(TableContext(one, 0.5, ()) for one in TABLES[:2])
    return LinkRecord(
        question=QUESTION,
        target="shop.dev",
        strategy="evilink",
        groundings=groundings(),
        tables=TABLES,
        siblings=(),
        turns=turns(),
        survey=Survey(surveyed, (PAIR,), (Binding("Ulm", CITY, "Ulm", 1.0),)),
        missing=missing,
        warnings=(
            "hypothesis 2 named unknown tables or columns, which were left out: shop.refunds",
        ),
        cost=(
            StepCost("hypotheses", Cost(1, 3210, 1024, 210, seconds=0.8)),
            StepCost("refinement", Cost(probes=1, seconds=0.25)),
        ),
        seconds=1.125,
        trace=ID,
        facts=(
            (CITY, ColumnFacts("text", 20, values=("Ulm", "Bonn"))),
            (CUSTOMER_ID, ColumnFacts("foreign_key", 90, is_foreign_key=True, points_to=(KEY,))),
            (KEY, ColumnFacts("identifier", 100, is_primary_key=True, values=("1", "2"))),
        ),
    )


def events(missing: str = "") -> Iterator[dict[str, Any]]:
    """What the file of the trace holds, line by line."""
    ended = run(missing)
    mentions = Mentions(
        QUESTION,
        (Mention("Ulm", 12, "name"),),
        (Period("2025", *_year(2025)),),
        (),
        ("orders",),
        (Binding("Ulm", CITY, "Ulm", 1.0),),
    )
    items = (
        Item(
            ORDERS,
            "required",
            0.875,
            evidence=(Evidence("vote", "needed by 2 of 2 hypotheses"),),
        ),
        Item(
            REFUND,
            "undecided",
            0.5,
            evidence=(Evidence("vote", "needed by 1 of 2 hypotheses"),),
        ),
    )
    said = Proposal((*ways(), ways()[0]), missing)
    for name, told in (
        (
            "begin",
            {
                "format": FORMAT,
                "linker": "0.1.0",
                "started": "2025-11-21T10:15:00.5Z",
                "question": QUESTION,
            },
        ),
        ("mentions", {"mentions": mentions}),
        (
            "call",
            {
                "step": "hypotheses",
                "model": "scripted:rule",
                "prompt": PROMPT,
                "answer": {"hypotheses": ["Totals of orders"]},
                "usage": Usage(3210, 1024, 210),
            },
        ),
        (
            "call",
            {
                "step": "columns",
                "model": "scripted:rule",
                "prompt": PROMPT,
                "error": "the answer was cut off",
            },
        ),
        ("degraded", {"step": "columns", "what": "the answer was cut off"}),
        ("hypotheses", {"said": said, "distinct": ways()}),
        ("groundings", {"groundings": ended.groundings}),
        ("vote", {"items": items}),
        ("turns", {"turns": ended.turns, "missing": missing}),
        ("end", {"run": ended}),
    ):
        yield {
            "event": name,
            **{key: to_jsonable_python(value, fallback=_plain) for key, value in told.items()},
        }


def _plain(value: Any) -> list[Column] | dict[str, Any]:
    return list(value) if isinstance(value, Columns) else as_dict(value)


def record(missing: str = "", *, is_whole: bool = True) -> TraceRecord:
    """The trace as read from disk; an incomplete one ends after the vote."""
    told = tuple(events(missing))
    return TraceRecord(ID, told, run(missing)) if is_whole else TraceRecord(ID, told[:-2], None)


def write(state_dir: Path, name: str = ID, missing: str = "", *, is_whole: bool = True) -> None:
    """The trace as a file of a state folder."""
    folder = state_dir / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(
        folder, name, [json.dumps(event) for event in record(missing, is_whole=is_whole).events]
    )


def _year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)
