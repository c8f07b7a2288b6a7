"""
Effect of usage statistics on linking: `make bench-learn ROOT=PATH`, after `make demo`.

Half of each database's gold SQL is the query log and the questions of the other half are asked,
both ways round. Questions whose SQL differs only in literals are in the same half.
"""

import argparse
import dataclasses
import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from sqlglot.errors import SqlglotError

from linker.catalog.column_metadata import PriorUse
from linker.config.settings import load_settings
from linker.evaluation import GoldenQuestion
from linker.evaluation.preparing import MergedDatabase, Prepared, prepare
from linker.evaluation.training import Example, ranked_example
from linker.evaluation.tune import gather_examples
from linker.ranking.catalog_index import CatalogIndex
from linker.ranking.column_selection import allocate
from linker.ranking.inverted_index import build_graph
from linker.ranking.weights import Weights, read_weights
from linker.sql_analysis import Tables
from linker.sql_analysis.statements import split
from linker.usage.counting import count_use, shape_of
from linker.usage.sources import Logged

BUDGETS = {
    "demo": (10, 20, 30, 60),
    "bird": (10, 20, 30),
    "beaver": (30, 80, 160),
    "spider1": (5, 10),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One answer: how many columns it has, and how good they are."""

    columns: int
    is_complete: bool
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class Case:
    """A question without and with usage statistics from the other half."""

    without: Example
    learned: Example


def halves(
    database: MergedDatabase, questions: Sequence[GoldenQuestion]
) -> tuple[list[GoldenQuestion], list[GoldenQuestion]]:
    """The questions in two parts of about the same size, the same in every run."""
    groups: dict[str, list[GoldenQuestion]] = defaultdict(list)
    for question in questions:
        groups[
            _shape(question.gold_sql[0], database.dialect) if question.gold_sql else question.id
        ].append(question)
    parts: tuple[list[GoldenQuestion], list[GoldenQuestion]] = ([], [])
    for key in sorted(groups, key=lambda shape: hashlib.sha256(shape.encode()).hexdigest()):
        min(parts, key=len).extend(groups[key])
    return parts


def _shape(text: str, dialect: str) -> str:
    """SQL without literals and comments; unchanged if it cannot be tokenised."""
    try:
        return ";".join(shape_of(tokens) for _, tokens in split(text, dialect))
    except SqlglotError:
        return text


def learned_from(questions: Sequence[GoldenQuestion], database: MergedDatabase) -> PriorUse:
    """Usage statistics of gold SQL."""
    first_gold = chain.from_iterable(question.gold_sql[:1] for question in questions)
    return count_use(list(map(Logged, first_gold)), Tables(database))[0]


def cases(prepared: Prepared, examples: Sequence[Example]) -> Iterator[Case]:
    """Every question twice: without usage, and with usage from the other half."""
    by_id = {example.question_id: example for example in examples}
    for database in prepared.databases:
        asked = [
            example
            for example in prepared.questions
            if example.database == database.name and example.gold_sql
        ]
        parts = halves(database, asked)
        for own, log in ((0, 1), (1, 0)):
            use = learned_from(parts[log], database)
            known: dict[int, CatalogIndex] = {}
            for question in (example for example in parts[own] if example.id in by_id):
                example = by_id[question.id]
                before = example.evidence.index
                if id(before) not in known:
                    known[id(before)] = with_use(before, use)
                yield Case(example, with_known(example, known[id(before)]))


def with_use(known: CatalogIndex, use: PriorUse) -> CatalogIndex:
    """The catalogue after usage ingestion."""
    lexicon = dataclasses.replace(known.lexicon, facts=replace(known.lexicon.facts, prior_use=use))
    return CatalogIndex(lexicon, build_graph(lexicon), known.siblings)


def with_known(example: Example, known: CatalogIndex) -> Example:
    """The same question in a catalogue of which more is known."""
    matches = replace(example.evidence.matches, lexicon=known.lexicon)
    return replace(
        example, evidence=dataclasses.replace(example.evidence, index=known, matches=matches)
    )


def measured(example: Example, answer: frozenset[int]) -> Measured:
    """How good an answer is."""
    shown = answer.union(*(example.stand_ins.get(column, frozenset()) for column in answer))
    recall = 0.0
    for gold in filter(None, example.choices):
        found = sum(bool(choice & shown) for choice in gold)
        recall = max(recall, found / len(gold))
    right = set(chain.from_iterable(chain.from_iterable(example.choices)))
    right = right.union(*(example.stand_ins.get(column, frozenset()) for column in right))
    return Measured(
        len(answer), example.is_complete(answer), recall, len(right & answer) / max(len(answer), 1)
    )


def rows(name: str, found: Sequence[Case], weights: Weights) -> Iterator[str]:
    """A line a budget: strict recall, recall and precision, without and with what was learned."""
    budgets = BUDGETS[name]
    by_way: dict[tuple[str, int], list[Measured]] = defaultdict(list)
    for case in found:
        for way, result in (("without", case.without), ("learned", case.learned)):
            ranked = ranked_example(result, weights)
            for budget in budgets:
                by_way[way, budget].append(
                    measured(result, frozenset(allocate(ranked, budget).columns))
                )
    for budget in budgets:
        for way in ("without", "learned"):
            yield f"| {name} | {budget} | {way} | {' | '.join(_figures(by_way[way, budget]))} |"
        won = sum(b.is_complete > a.is_complete for a, b in _pairs(by_way, budget))
        lost = sum(b.is_complete < a.is_complete for a, b in _pairs(by_way, budget))
        yield f"| {name} | {budget} | won and lost | {won} | {lost} | | |"


def _pairs(
    by_way: dict[tuple[str, int], list[Measured]], budget: int
) -> Iterator[tuple[Measured, Measured]]:
    return zip(by_way["without", budget], by_way["learned", budget], strict=True)


def _figures(found: Sequence[Measured]) -> list[str]:
    return [
        f"{np.mean([result.columns for result in found]):.1f}",
        f"{100 * np.mean([result.is_complete for result in found]):.1f}",
        f"{100 * np.mean([result.recall for result in found]):.1f}",
        f"{100 * np.mean([result.precision for result in found]):.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, help="folder with a folder for each suite")
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument(
        "--limit", type=int, default=200, help="questions of each suite that are asked"
    )
    parser.add_argument("--suites", nargs="+", default=["demo", "beaver", "bird"])
    asked = parser.parse_args()
    settings = load_settings({"state_dir": asked.state_dir})
    sys.stdout.write(
        "| suite | asked for | | columns | strict recall | recall | precision "
        "|\n|---|---|---|---|---|---|---|\n"
    )
    for name in asked.suites:
        prepared = prepare(name, None if name == "demo" else asked.root / name, settings)
        found = list(cases(prepared, gather_examples(prepared, asked.limit)))
        for row in rows(name, found, read_weights()):
            sys.stdout.write(f"{row}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
