"""
The demo's own questions: enters the state folder in which the demo lives, leaves the Suite.

Its catalogue comes from the artifacts of the demo warehouse, as for any other target, so the one database has no
tables; see `linker.evaluation.merging.from_catalog`. The rows are the warehouse itself.
"""

from pathlib import Path

from linker.demo.prepare import DemoState
from linker.demo.questions import demo_questions
from linker.evaluation.types import GoldenQuestion, Suite, SuiteDatabase

DATABASE = "demo"


def read(state_dir: Path) -> Suite:
    """The demo's questions; how they were made hard is their difficulty."""
    warehouse = DemoState(state_dir).warehouse
    questions = tuple(
        GoldenQuestion(
            id=asked.key,
            database=DATABASE,
            text=asked.question,
            gold_sql=asked.gold_sql,
            difficulty=asked.kind,
            is_answerable=asked.kind != "unanswerable",
        )
        for asked in demo_questions()
    )
    rows = warehouse if warehouse.is_file() else None
    return Suite("demo", (SuiteDatabase(DATABASE, "duckdb", (), rows=rows),), questions)
