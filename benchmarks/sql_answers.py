"""
Measures SQL that is written without a language model: `python benchmarks/sql_answers.py [--root SPIDER1]`.

The questions of the demo, which has to be built before, and of Spider 1.0 dev under --root, are linked and answered;
what an answer gave is compared with what the right statements give. Each set is told in two halves, every other
question. An answer that is not right may still have the right rows and lack columns that the right statement shows
beside what was asked for; these are told behind, and count as wrong.
"""

import argparse
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from linker.config import load_settings
from linker.environment import Environment
from linker.errors import LinkerError
from linker.evals.environment import SuiteEnvironment
from linker.evals.preparing import Prepared, prepare
from linker.evals.types import Question
from linker.pipeline import index
from linker.sql.answering import answer_in_sql
from linker.sql.comparing import Row, same_result
from linker.sql.grouping import asks_for_order
from linker.sql.statements import plain
from linker.strategies import open_strategy

_MOST_ROWS = 100_000
_KINDS = ("right, certain", "right, draft", "wrong, draft", "wrong, certain", "no statement", "not to be answered")
_FEWER = "of the wrong: right rows, fewer columns"
_MOST_COLUMNS = 8


def main() -> None:
    """Print a row for each half of each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, help="the folder of Spider 1.0 dev")
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    options = parser.parse_args()
    settings = replace(load_settings({"state_dir": options.state_dir}), kept_traces=0, sql_rows=_MOST_ROWS, model=None)
    sys.stdout.write("| set | questions | " + " | ".join((*_KINDS, _FEWER)) + " |\n")
    sys.stdout.write("|---" * (len(_KINDS) + 3) + "|\n")
    for name, root in (("demo", None), ("spider1", options.root)):
        if name == "demo" or root:
            report(name, prepare(name, root, settings), root)


def report(name: str, prepared: Prepared, root: Path | None) -> None:
    """Answer all questions of a set."""
    halves: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    with Environment(prepared.settings) as parts:
        for number, (question, environment) in enumerate(questions(prepared, parts)):
            halves[number % 2].update(judged(question, environment, root))
    for half, kinds in zip("AB", halves, strict=True):
        told = " | ".join(str(kinds[one]) for one in (*_KINDS, _FEWER))
        sys.stdout.write(f"| {name}, half {half} | {sum(kinds[one] for one in _KINDS)} | {told} |\n")


def questions(prepared: Prepared, parts: Environment) -> Iterator[tuple[Question, SuiteEnvironment]]:
    """Every question with its database, indexed."""
    for database in dict.fromkeys(question.database for question in prepared.questions):
        environment = prepared.environment(prepared.database_by_name[database], parts)
        index(environment, lambda _done, _due: None)
        yield from ((one, environment) for one in prepared.questions if one.database == database)


def judged(question: Question, environment: SuiteEnvironment, root: Path | None) -> Iterator[str]:
    """What an answer is worth."""
    answer = answer_in_sql(open_strategy("evilink").link(question.text, environment), environment)
    if not question.gold_sql:
        yield "not to be answered" if answer.outcome != "answered" else "wrong, certain"
    elif answer.result is None:
        yield "no statement"
    else:
        found = answer.result.rows
        right = list(right_rows(question, environment, root))
        ordered = asks_for_order(question.text)
        is_right = any(same_result(found, rows, ordered=ordered) for rows in right)
        yield f"{'right' if is_right else 'wrong'}, {'certain' if answer.outcome == 'answered' else 'draft'}"
        if not is_right and any(lacks_columns(found, rows, ordered=ordered) for rows in right):
            yield _FEWER


def lacks_columns(found: Sequence[Row], right: Sequence[Row], *, ordered: bool) -> bool:
    """Whether an answer of several columns has the rows of the right one without some of its columns."""
    if not found or len(found) != len(right) or not 1 < len(found[0]) < len(right[0]) <= _MOST_COLUMNS:
        return False
    return any(
        same_result(found, [[row[place] for place in places] for row in right], ordered=ordered)
        for places in combinations(range(len(right[0])), len(found[0]))
    )


def right_rows(question: Question, environment: SuiteEnvironment, root: Path | None) -> Iterator[Sequence[Row]]:
    """The rows of the right statements, in the database for which they were written."""
    for sql in question.gold_sql:
        try:
            if root:
                path = root / "database" / question.database / f"{question.database}.sqlite"
                with sqlite3.connect(path) as connection:
                    rows: Sequence[Row] = connection.execute(sql).fetchall()
            else:
                rows = environment.warehouse.query(sql)
        except (LinkerError, sqlite3.Error):
            continue
        yield [tuple(plain(cell) for cell in row) for row in rows]


if __name__ == "__main__":
    main()
