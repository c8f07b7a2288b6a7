"""Scores answers of agents against gold: one line per file with means and totals."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.agents.conversation import Answered
from linker.config.settings import load_settings
from linker.errors import NameLookupError
from linker.evaluation import GoldenQuestion, Prediction, QuestionOutcome, RankedColumn
from linker.evaluation.preparing import MergedDatabase, Prepared, prepare
from linker.evaluation.scoring import fold, golds_of, groups_of, scorable, score_prediction
from linker.identifiers.resolver import find
from linker.types import Catalog, ColumnRef, TableRef

_SEED = 0


class Judge:
    """The demo or a project with golden questions, in random order, with gold."""

    def __init__(self, state_dir: Path, golden: Path | None = None) -> None:
        suite, values = ("golden", {}) if golden else ("demo", {"state_dir": state_dir})
        settings = load_settings({"kept_traces": 0, **values})
        self._prepared: Prepared = prepare(suite, golden, settings)

    @property
    def database(self) -> MergedDatabase:
        """The database of the questions."""
        return self._prepared.databases[0]

    @cached_property
    def questions(self) -> tuple[GoldenQuestion, ...]:
        """Answerable questions with scorable gold; the first twenty are used for figures."""
        usable = [
            question
            for question in sorted(self._prepared.questions, key=lambda question: question.id)
            if question.is_answerable and scorable(golds_of(question, self.database))
        ]
        return tuple(random.Random(_SEED).sample(usable, len(usable)))  # noqa: S311 - nothing is kept secret by it

    def outcome(self, answered: Answered) -> QuestionOutcome:
        """How good an answer is."""
        [question] = (
            question for question in self.questions if question.id == answered.question_id
        )
        catalog = self.database.catalog
        refs = dict.fromkeys(_column(name, catalog) for name in answered.columns)
        columns = tuple(RankedColumn(ref, 1.0) for ref in refs)
        prediction = Prediction(question.id, "agent", None, columns, ())
        folded = fold(prediction, golds_of(question, self.database), groups_of(catalog))
        return score_prediction(*folded, question, catalog, self.database.dialect)


def _column(name: str, catalog: Catalog) -> ColumnRef:
    """The column by name; an unknown one counts as wrong."""
    try:
        ref = find(name, catalog)
    except NameLookupError:
        return ColumnRef(TableRef("", ""), name)
    return ref if isinstance(ref, ColumnRef) else ColumnRef(TableRef("", ""), name)


def read_answers(path: Path) -> tuple[Answered, ...]:
    """Answers of a file; empty without a file."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return tuple(
        Answered(**{**entry, "columns": tuple(entry["columns"])})
        for entry in map(json.loads, lines)
    )


def keep_answer(path: Path, answered: Answered) -> None:
    """Append an answer to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(asdict(answered), ensure_ascii=False)}\n")


def table(judge: Judge, files: Sequence[Path]) -> Iterator[str]:
    """One line per file."""
    yield (
        "| answers | questions | complete | columns | precision | calls | turns | characters, all "
        "| a question |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for path in files:
        answers = [answered for answered in read_answers(path) if not answered.error]
        levels = [judge.outcome(answered).score.columns for answered in answers]
        counts = [(answer.calls, answer.turns, answer.characters) for answer in answers]
        sums = [sum(values) for values in zip(*counts, strict=True)]
        if levels:
            yield (
                f"| {path.stem} | {len(levels)} | {sum(level.is_complete for level in levels)} "
                f"| {np.mean([level.count for level in levels]):.1f} "
                f"| {100 * np.mean([level.precision for level in levels]):.1f} "
                f"| {sums[0]} | {sums[1]} | {sums[2]:,} | {sums[2] / len(levels):,.0f} |"
            )
