"""
Prompt tokens of hypothesis linking: `make bench-prompts ROOT=PATH`.

A rule replaces the model (keyword_model.py), tokens are linker's estimate. All questions of a
suite, with its first prompts by size of the merged schema, then generated warehouses of several
sizes, where prompts must not grow with the catalog.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from benchmarks.generated_warehouse import Warehouse, WordVectors
from benchmarks.keyword_model import KINDS, KeywordModel
from benchmarks.progress_line import say
from linker.budget import Cost
from linker.catalog.documents import apply_plan, read_plan, write_documents
from linker.catalog.index_session import FixedIndex, Index
from linker.catalog.profile import TableProfile
from linker.catalog.snapshot import ProfiledCatalog
from linker.config.settings import Settings, load_settings
from linker.embedders import Embedder
from linker.environment import Environment
from linker.evaluation import Gold, GoldenQuestion, Prediction, RankedColumn, Score
from linker.evaluation.preparing import Prepared, prepare
from linker.evaluation.running import for_question, text_of
from linker.evaluation.scoring import all_golds, fold, groups_of, scorable, score_prediction
from linker.evaluation.summary import LARGEST, SIZES, size_of
from linker.index import Store
from linker.linking.result import LinkedSchema
from linker.models import LanguageModel
from linker.pipeline import link
from linker.refresh.steps import update_index
from linker.strategies.evilink import EvilinkStrategy
from linker.types import Record, TableRef

AIM = 20_000
FIRST = "PanoramaReply"
STEPS = ("reading", "hypotheses", "grounding", "refinement", "closure")
OnProgress = Callable[[str], None]


class FirstPrompt(Record, frozen=True):
    """Tokens of a question's first prompt, and whether all columns of its gold are in it."""

    size: str
    tokens: int
    has_gold: bool


@dataclass
class Measured:
    """What questions cost, and what each kind of prompt did."""

    first: list[FirstPrompt] = field(default_factory=list)
    costs: list[dict[str, Cost]] = field(default_factory=list)
    calls: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def note_call(self, kind: str, stable: int, changing: int, answer: int) -> None:
        """One prompt and its answer."""
        self.calls.setdefault(kind, []).append((stable, changing, answer))

    def note(self, schema: LinkedSchema) -> None:
        """One question."""
        self.costs.append({step.step: step.cost for step in schema.cost})
        self.warnings += [
            warning
            for warning in schema.warnings
            if "language model" in warning or "named" in warning
        ]

    @property
    def totals(self) -> list[Cost]:
        """All steps of each question together."""
        return [sum(of.values(), Cost()) for of in self.costs]

    def milliseconds(self, step: str) -> list[float]:
        """What a step took in each question."""
        return [1_000 * of.get(step, Cost()).seconds for of in self.costs]

    def get(self, read: Callable[[Cost], float]) -> str:
        """Average, median, 99th percentile and maximum over the questions, as cells."""
        values = [read(total) for total in self.totals]
        figures = (np.mean(values), np.median(values), np.percentile(values, 99), max(values))
        return " | ".join(f"{figure:,.0f}" for figure in figures)


class GeneratedEnvironment(Environment):
    """A generated warehouse without rows in a real store; its encoder is done at once."""

    def __init__(self, settings: Settings, warehouse: Warehouse, rule: KeywordModel) -> None:
        super().__init__(settings)
        self._generated, self._rule = warehouse, rule

    @property
    def target_key(self) -> str:
        """One a size."""
        return f"generated/{self._generated.catalog.column_count}"

    @cached_property
    def index(self) -> Index:
        """The generated catalogue."""
        return FixedIndex(ProfiledCatalog(self._generated.catalog, self._generated.facts))

    @cached_property
    def embedder(self) -> Embedder:
        """Sums of word vectors."""
        return WordVectors()

    def profile_of(self, ref: TableRef) -> TableProfile | None:  # noqa: ARG002 - the same for all
        """There are no rows."""
        return None

    @property
    def dialect(self) -> str:
        """Nothing is probed."""
        return "duckdb"

    @cached_property
    def model(self) -> LanguageModel | None:
        """The rule."""
        return self._rule

    def fill(self, store: Store) -> None:
        """Index the missing documents."""
        documents = write_documents(self.indexed.catalog, self.indexed.facts)
        plan = read_plan(documents, store, self.collection)
        apply_plan(plan, self.embedder, store, self.collection, lambda _done, _due: None)


def link_suite(prepared: Prepared, limit: int, say: OnProgress) -> Measured:
    """The questions of a suite, database by database."""
    measured = Measured()
    rule = KeywordModel(measured.note_call)
    golds = all_golds(prepared)
    answerable = (question for question in prepared.questions if scorable(golds[question.id]))
    questions = sorted(answerable, key=lambda question: question.database)[:limit]
    strategy, database, environment = EvilinkStrategy(), "", None
    with Environment(prepared.settings) as parts:
        for number, question in enumerate(questions, start=1):
            if question.database != database or environment is None:
                database = question.database
                merged = prepared.database_by_name[database]
                environment = prepared.environment(merged, parts).with_model(rule)
                update_index(environment)
                strategy = EvilinkStrategy()
            for_this = for_question(question, environment)
            before = len(measured.calls.get(FIRST, ()))
            schema = link(text_of(question, with_evidence=True), for_this, strategy)
            measured.note(schema)
            score = _score_of_first(schema, question, golds[question.id], prepared)
            tokens = sum(measured.calls[FIRST][before][:2])
            measured.first.append(FirstPrompt(size_of(score), tokens, score.columns.is_complete))
            say(f"{number} of {len(questions)} questions")
    return measured


def _score_of_first(
    schema: LinkedSchema, question: GoldenQuestion, golds: Sequence[Gold], prepared: Prepared
) -> Score:
    """The columns of the first prompt, scored as an answer."""
    database = prepared.database_by_name[question.database]
    shown = tuple(RankedColumn(ref, 0.0) for ref in dict(schema.seen)["panorama"])
    prediction = Prediction(question.id, schema.strategy, None, shown, ())
    folded = fold(prediction, golds, groups_of(database.catalog))
    return score_prediction(*folded, question, database.catalog, database.dialect).score


def link_generated(settings: Settings, columns: int, limit: int, say: OnProgress) -> Measured:
    """
    Questions to a warehouse of so many columns; a first one, which reads the catalogue, is not
    counted.
    """
    warehouse, measured = Warehouse(columns), Measured()
    own = replace(settings, state_dir=settings.state_dir / "generated")
    rule, strategy = KeywordModel(measured.note_call), EvilinkStrategy()
    environment = GeneratedEnvironment(own, warehouse, rule)
    with environment:
        say(f"indexing {columns:,} columns")
        environment.fill(environment.store)
        link(warehouse.questions[0], environment, strategy)
        measured.calls.clear()
        for number, question in enumerate(warehouse.questions[1 : limit + 1], start=1):
            measured.note(link(question, environment, strategy))
            say(f"{columns:,} columns: {number} questions")
    return measured


def suite_tables(measured: Measured) -> Iterator[str]:
    """What a question costs, and of what that is made."""
    average = float(np.mean([total.tokens for total in measured.totals]))
    kept = average <= AIM
    yield (
        f"{len(measured.costs)} questions: {average:,.0f} tokens on average, aim {AIM:,}: "
        f"{_yes(kept)}\n"
    )
    yield (
        "| columns | questions | first prompt, average | median | maximum | gold named "
        "|\n|---|---|---|---|---|---|"
    )
    sizes = [name for _, name in SIZES] + [LARGEST]
    for size in filter({prompt.size for prompt in measured.first}.__contains__, sizes):
        yield _size_line(size, [prompt for prompt in measured.first if prompt.size == size])
    yield _size_line("all", measured.first)
    yield ""
    yield "| a question | average | median | 99th | maximum |\n|---|---|---|---|---|"
    yield f"| calls | {measured.get(lambda cost: cost.calls)} |"
    yield f"| tokens | {measured.get(lambda cost: cost.tokens)} |"
    yield f"| of these prompt | {measured.get(lambda cost: cost.prompt_tokens)} |"
    yield f"| of these sent before | {measured.get(lambda cost: cost.cached_tokens)} |"
    yield f"| of these answer | {measured.get(lambda cost: cost.completion_tokens)} |"
    yield (
        "\n| prompt | a question | tokens a question | same for all | own, average | own, maximum "
        "| answer, average |"
    )
    yield "|---|---|---|---|---|---|---|"
    for kind, calls in measured.calls.items():
        stable, changing, answer = (np.array(tokens) for tokens in zip(*calls, strict=True))
        count = len(measured.costs)
        yield (
            f"| {kind} | {len(calls) / count:.2f} | "
            f"{(stable + changing + answer).sum() / count:,.0f} | {stable.mean():,.0f} | "
            f"{changing.mean():,.0f} | {changing.max():,} | {answer.mean():,.0f} |"
        )
    yield f"\nSteps that the rule could not do, or names that led nowhere: {len(measured.warnings)}"
    yield from (f"- {warning}" for warning in sorted(set(measured.warnings))[:5])


def _size_line(size: str, prompts: Sequence[FirstPrompt]) -> str:
    tokens = [prompt.tokens for prompt in prompts]
    figures = " | ".join(
        f"{figure:,.0f}" for figure in (np.mean(tokens), np.median(tokens), max(tokens))
    )
    named = sum(prompt.has_gold for prompt in prompts)
    return f"| {size} | {len(prompts)} | {figures} | {named} ({named / len(prompts):.0%}) |"


def size_tables(of_size: Mapping[int, Measured]) -> Iterator[str]:
    """
    A line a warehouse: tokens in all and by kind of prompt; then milliseconds by step, median and
    maximum.
    """
    kinds = tuple(KINDS.values())
    yield (
        f"\n| columns | calls | tokens, average | median | 99th | maximum | {' | '.join(kinds)} "
        f"|\n|{'---|' * 10}"
    )
    for size, measured in of_size.items():
        calls = float(np.mean([total.calls for total in measured.totals]))
        by_kind = [
            sum(map(sum, measured.calls.get(kind, ()))) / len(measured.costs) for kind in kinds
        ]
        figures = " | ".join(f"{figure:,.0f}" for figure in by_kind)
        yield f"| {size:,} | {calls:.1f} | {measured.get(lambda cost: cost.tokens)} | {figures} |"
    yield (
        f"\n| columns | {' | '.join(f'{step}, ms' for step in STEPS)} "
        f"|\n|{'---|' * (1 + len(STEPS))}"
    )
    for size, measured in of_size.items():
        taken = [measured.milliseconds(step) for step in STEPS]
        yield (
            f"| {size:,} | "
            f"{' | '.join(f'{np.median(figure):,.0f} / {max(figure):,.0f}' for figure in taken)} |"
        )


def _yes(is_so: bool) -> str:
    return "kept" if is_so else "missed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--root", type=Path, help="where the suite lies; without it only warehouses are generated"
    )
    parser.add_argument("--suite", default="spider2-lite", help="suite without rows")
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument("--limit", type=int, default=10_000, help="questions of the suite")
    parser.add_argument("--columns", type=int, nargs="*", default=[500, 5_000, 20_000, 100_000])
    parser.add_argument(
        "--questions", type=int, default=60, help="questions to each generated warehouse"
    )
    asked = parser.parse_args()
    settings = load_settings({"state_dir": asked.state_dir})
    if asked.root:
        for line in suite_tables(
            link_suite(prepare(asked.suite, asked.root, settings), asked.limit, say)
        ):
            sys.stdout.write(f"{line}\n")
    of_size = {size: link_generated(settings, size, asked.questions, say) for size in asked.columns}
    if of_size:
        sys.stdout.write("\n".join([*size_tables(of_size), ""]))


if __name__ == "__main__":
    main()
