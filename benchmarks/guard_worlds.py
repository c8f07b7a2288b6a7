"""
Safety of the guard in figures: `make bench-guard`.

Both corpora of tests/guard and generated statements are checked in four dialects. Accepted DuckDB
and Postgres statements run in two worlds that differ only in hidden and masked values: a differing
row is a leak. Statements that compare with a given value are excluded, since that answer is
intended. Where nothing is private, guarded rows must equal those of the original statement.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from linker.errors import GuardError
from tests.guard.corpora import HOSTILE, MASKED, METADATA_COMMANDS, of_dialect
from tests.guard.queries import queries
from tests.guard.same_rows import CHANGED, LIMITS, differs, of_corpora, opened_shop, passes
from tests.guard.shapes import shapes
from tests.guard.warehouse import DIALECTS, guard
from tests.guard.worlds import Worlds, is_comparable, worlds

FOLDER = Path(__file__).parent / "safety"
COLUMNS = (
    "statements",
    "dialect",
    "tried",
    "passed",
    "refused",
    "run in both databases",
    "rows compared",
    "differences",
)
EXECUTED = ("duckdb", "postgres")


def measure(
    name: str, statements: Iterable[str], dialect: str, both: Worlds | None
) -> list[object]:
    """One row of figures; each difference is printed."""
    count: Counter[str] = Counter()
    checks = guard(dialect)
    for sql in statements:
        count["tried"] += 1
        try:
            probe = checks.check(sql)
        except GuardError:
            count["refused"] += 1
            continue
        count["passed"] += 1
        if both is None or not is_comparable(sql):
            continue
        first, second = both.told(probe)
        count["worlds"] += 1
        count["rows"] += len(first) if isinstance(first, list) else 0
        if first != second:
            count["differences"] += 1
            sys.stderr.write(f"differs in {dialect}: {sql}\n")
    return [
        name,
        dialect,
        *(count[key] for key in ("tried", "passed", "refused", "worlds", "rows", "differences")),
    ]


def drawn(most: int) -> list[str]:
    """Statements that hypothesis draws, the same ones in every run."""
    found: list[str] = []

    @seed(0)
    @settings(
        max_examples=most,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(shapes(), queries())
    def draw(shape: str, mixture: str) -> None:
        found.extend((shape, mixture))

    draw()
    return list(dict.fromkeys(found))


def write_same_rows(generated: Sequence[str]) -> None:
    """Compare the rows of statements with and without the guard."""
    rows = list[list[object]]()
    for dialect in EXECUTED:
        named = {
            "limit clauses": LIMITS,
            "constructs that SQL generators change": CHANGED,
            "corpora": of_corpora(dialect),
            "generated": generated,
        }
        with (
            tempfile.TemporaryDirectory(prefix="linker-rows-") as folder,
            opened_shop(dialect, Path(folder)) as shop,
        ):
            for name, statements in named.items():
                passed = [sql for sql in statements if passes(shop, sql)]
                compared = [sql for sql in passed if shop.as_written(sql) is not None]
                changed = list(filter(None, (differs(shop, sql) for sql in compared)))
                sys.stderr.writelines(f"{dialect}: {difference}\n" for difference in changed)
                counts = map(len, (statements, passed, compared, changed))
                rows.append([name, dialect, *counts])
    write_figures(
        "same_rows.json",
        title="Rows with and without the SQL policy",
        note=(
            "Rows are compared sorted. Statements that the warehouse refuses or does not finish are "  # noqa: E501
            "not compared."
        ),
        columns=("statements", "dialect", "tried", "passed", "compared", "different rows"),
        rows=rows,
    )


def write_figures(file: str, **figures: object) -> None:
    """Write the figures of today, as the page on safety shows them."""
    today = {"command": "make bench-guard", "date": datetime.now(UTC).date().isoformat()}
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / file).write_text(json.dumps({**today, **figures}, indent=2) + "\n", "utf-8")


def main() -> None:
    """Judge, run, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--most", type=int, default=250, help="statements of each kind that are drawn"
    )
    most = parser.parse_args().most
    generated, rows = drawn(most), []
    for dialect in DIALECTS:
        named = {
            name: of_dialect(corpus, dialect)
            for name, corpus in (("legitimate", METADATA_COMMANDS), ("hostile", HOSTILE))
        }
        named |= {
            "masked columns": of_dialect(MASKED, dialect),
            "generated": generated if dialect in EXECUTED else [],
        }
        with tempfile.TemporaryDirectory(prefix="linker-worlds-") as folder:
            if dialect in EXECUTED:
                with worlds(dialect, Path(folder)) as both:
                    rows += [
                        measure(name, written, dialect, both) for name, written in named.items()
                    ]
            else:
                rows += [
                    measure(name, written, dialect, None)
                    for name, written in named.items()
                    if written
                ]
    write_same_rows(generated)
    write_figures(
        "guard.json",
        title="Statements judged by the SQL policy",
        note=(
            "Accepted statements run in two databases that differ only in hidden and masked values. "  # noqa: E501
            "Hostile statements that pass are harmless in that dialect. Snowflake and BigQuery "
            "statements are judged, not run."
        ),
        columns=COLUMNS,
        rows=rows,
    )
    sys.exit(any(row[-1] for row in rows))


if __name__ == "__main__":
    main()
