"""
Fits what recognises questions without an answer: enter probes, leave weights and how well they carry over.

What is reported is held out: each database is judged by weights that saw neither it nor any database of its vendor.
The limits keep false alarms at one in twenty in every suite, of questions held out and of those learned from.

A question without an answer is made in three ways: it is asked of another database, or of its own in which the columns
that answer it do not stand, or none of their tables. What a suite itself says cannot be answered is one as well.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linker.catalog.inventory import siblings_by_table
from linker.environment import Environment
from linker.evaluation.preparing import Prepared, SuiteEnvironment
from linker.evaluation.scoring import golds_of, scorable
from linker.evaluation.tuning.training import fit
from linker.evaluation.tuning.tune import folds
from linker.evaluation.types import Gold, GoldenQuestion
from linker.ranking.answerable import features, listen
from linker.ranking.evidence import gather
from linker.ranking.known import Known, know
from linker.ranking.matching import Signals, match, signals_of
from linker.ranking.question import analyse
from linker.ranking.reading import MOST_COLUMNS, narrowed, read_question
from linker.ranking.roles import ROLES
from linker.ranking.weights import AnswerableWeights, Regression
from linker.refresh.steps import update_index
from linker.store import SearchScope
from linker.types import Catalog, ColumnRef

OWN, UNANSWERABLE, FOREIGN, NO_COLUMNS, NO_TABLES = "own", "unanswerable", "foreign", "no columns", "no tables"
KINDS = (UNANSWERABLE, FOREIGN, NO_COLUMNS, NO_TABLES)
_KEY = ROLES.index("key")
# Where hardly anything is left, no near miss is left either.
_MOST_REMOVED = 0.7


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """One question asked of one catalogue, and what recognition sees of that."""

    suite: str
    database: str
    question_id: str
    kind: str
    catalog: Catalog
    is_profiled: bool
    values: Mapping[str, float]


def gather_probes(
    prepared: Prepared,
    most_questions: int | None,
    strangers: Sequence[GoldenQuestion] = (),
    on_progress: Callable[[int, int], None] = lambda _done, _due: None,
) -> list[LabelledQuestion]:
    """
    The questions of a suite, as many as asked, spread evenly, and those made from them.

    `strangers` are questions of other suites: they are asked where a suite has one database alone.
    """
    found: list[LabelledQuestion] = []
    by_database = _questions_by_database(prepared, most_questions)
    foreign = _foreign(by_database, strangers)
    with Environment(prepared.settings) as parts:
        for done, (name, questions) in enumerate(by_database.items(), start=1):
            environment = prepared.environment(prepared.database_by_name[name], parts)
            update_index(environment)
            asking = _ProbedDatabase(prepared.suite.name, name, environment)
            for question in questions:
                golds = golds_of(question, prepared.database_by_name[name]) if question.is_answerable else ()
                found += asking.own(question, [gold for gold in scorable(golds) if gold.fields])
            found += [asking.probe(question, FOREIGN) for question in foreign[name]]
            on_progress(done, len(by_database))
    return found


def _questions_by_database(prepared: Prepared, most: int | None) -> dict[str, list[GoldenQuestion]]:
    """By database the questions that have an answer, and all that have none."""
    usable = [question for question in prepared.questions if question.is_answerable]
    step = 1 if most is None else max(1, -(-len(usable) // most))
    by_database: dict[str, list[GoldenQuestion]] = {}
    for question in (*usable[::step], *(question for question in prepared.questions if not question.is_answerable)):
        by_database.setdefault(question.database, []).append(question)
    return dict(sorted(by_database.items()))


def _foreign(
    by_database: Mapping[str, Sequence[GoldenQuestion]], strangers: Sequence[GoldenQuestion]
) -> dict[str, list[GoldenQuestion]]:
    """By database the questions that were meant for others, as many as it has itself on average."""
    names = list(by_database)
    found: dict[str, list[GoldenQuestion]] = {name: [] for name in names}
    if len(names) == 1:
        [own] = by_database.values()
        found[names[0]] = list(strangers[:: max(1, len(strangers) // len(own))])
        return found
    for place, name in enumerate(names):
        for number, question in enumerate(by_database[name]):
            others = names[:place] + names[place + 1 :]
            found[others[number % len(others)]].append(question)
    return found


class _ProbedDatabase:
    """One database, of which questions are asked; what is known of it is worked out once."""

    def __init__(self, suite: str, database: str, environment: SuiteEnvironment) -> None:
        self._suite, self._database, self._environment = suite, database, environment
        self._siblings = siblings_by_table(environment.warehouse.catalog)

    def own(self, question: GoldenQuestion, golds: Sequence[Gold]) -> Iterator[LabelledQuestion]:
        """The question as it is, and where it has an answer, without that."""
        if not question.is_answerable:
            yield self.probe(question, UNANSWERABLE)
        elif golds:
            yield self.probe(question, OWN)
            most = _MOST_REMOVED * self._environment.warehouse.catalog.column_count
            for kind, columns in ((NO_COLUMNS, self._facts(golds)), (NO_TABLES, self._tables(golds))):
                if 0 < len(columns) < most:
                    yield self.probe(question, kind, columns)

    def probe(
        self, question: GoldenQuestion, kind: str, removed: frozenset[ColumnRef] = frozenset()
    ) -> LabelledQuestion:
        """Features of the question where those columns are not."""
        known, signals = self._without(question.text, removed) if removed else self._whole(question.text)
        evidence = gather(known, match(analyse(question.text), known.lexicon, signals))
        return LabelledQuestion(
            suite=self._suite,
            database=self._database,
            question_id=question.id,
            kind=kind,
            catalog=self._environment.warehouse.catalog,
            is_profiled=known.is_profiled,
            values=features(evidence, listen(evidence)),
        )

    def _whole(self, text: str) -> tuple[Known, Signals]:
        read = read_question(text, self._environment)
        return read.known, signals_of(read.retrieved)

    def _without(self, text: str, removed: frozenset[ColumnRef]) -> tuple[Known, Signals]:
        catalog = _without(self._environment.warehouse.catalog, removed)
        gone = {table.ref for table in self._environment.warehouse.catalog.tables} - {
            table.ref for table in catalog.tables
        }
        scope = SearchScope(sorted(removed) + sorted(gone))
        retrieved = self._environment.retriever.search(text, limit=MOST_COLUMNS, scope=scope)
        seen = catalog if catalog.column_count <= MOST_COLUMNS else narrowed(catalog, retrieved.tables)
        return know(seen, self._environment.warehouse.facts), signals_of(retrieved)

    def _facts(self, golds: Iterable[Gold]) -> frozenset[ColumnRef]:
        """The columns that answer, and those of siblings; keys stay: they say how things hang together, not what is."""
        columns = self._read(golds)
        known = read_question("", self._environment).known
        keys = {ref for ref, is_key in zip(known.lexicon.refs, known.lexicon.roles[:, _KEY], strict=True) if is_key}
        return frozenset(columns - keys)

    def _tables(self, golds: Sequence[Gold]) -> frozenset[ColumnRef]:
        """All columns of the tables that answer, and of their siblings."""
        tables = {ref.table for ref in self._read(golds)}
        tables |= {ref for gold in golds for choice in gold.tables for ref in choice}
        found = self._environment.warehouse.catalog.tables
        return frozenset(
            ColumnRef(table.ref, column.path) for table in found if table.ref in tables for column in table.columns
        )

    def _read(self, golds: Iterable[Gold]) -> set[ColumnRef]:
        read = {ref for gold in golds for field in gold.fields for ref in field}
        return read | {ColumnRef(sibling, ref.path) for ref in read for sibling in self._siblings.get(ref.table, ())}


def _without(catalog: Catalog, removed: frozenset[ColumnRef]) -> Catalog:
    """The same catalogue, as if somebody had never loaded those columns."""
    kept = []
    for table in catalog.tables:
        columns = tuple(column for column in table.columns if ColumnRef(table.ref, column.path) not in removed)
        if columns:
            kept.append(replace(table, columns=columns))
    return Catalog(tuple(kept), catalog.physical_table_count)


_STRENGTH = 10.0
_FALSE_ALARMS = 0.05
# A fact that was taken away often stands somewhere else as well; that a question is foreign is sure.
_IMPORTANCE = {FOREIGN: 2.0}


@dataclass(frozen=True, slots=True)
class Recognised:
    """Of the questions of one kind in a suite how many were denied; of `own` ones that is a false alarm."""

    suite: str
    kind: str
    questions: int
    denied: float


def recognise(
    probes: Sequence[LabelledQuestion], count: int, command: str = ""
) -> tuple[AnswerableWeights, list[Recognised]]:
    """Weights of all probes, with limits from what was held out, and what those would have denied there."""
    odds, stage = held_out_odds(probes, count), _fitted(probes)
    # The weights of all probes are on another scale than those of a part: the limits must hold for both.
    limits = {
        is_profiled: max(_limit(probes, some, is_profiled=is_profiled) for some in (odds, _odds(stage, probes)))
        for is_profiled in (True, False)
    }
    weights = AnswerableWeights(stage, limits[True], limits[False], command)
    denied: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for probe, odd in zip(probes, odds, strict=True):
        denied[probe.suite, probe.kind].append(odd > weights.limit(is_profiled=probe.is_profiled))
    results = [
        Recognised(suite, kind, len(some), sum(some) / len(some))
        for suite in dict.fromkeys(probe.suite for probe in probes)
        for kind in (OWN, *KINDS)
        if (some := denied.get((suite, kind)))
    ]
    return weights, results


def held_out_odds(probes: Sequence[LabelledQuestion], count: int) -> list[float]:
    """For each probe the log-odds that it has no answer, of weights that never saw its database."""
    fold = _fold_of(probes, count)
    odds = [0.0] * len(probes)
    for number in sorted(set(fold.values())):
        inside = [place for place, probe in enumerate(probes) if fold[probe.suite, probe.database] == number]
        rest = [probe for probe in probes if fold[probe.suite, probe.database] != number]
        for place, odd in zip(inside, _odds(_fitted(rest or probes), [probes[place] for place in inside]), strict=True):
            odds[place] = odd
    return odds


def _odds(stage: Regression, probes: Sequence[LabelledQuestion]) -> list[float]:
    values = {name: np.array([probe.values[name] for probe in probes]) for name in stage.features}
    return [float(odd) for odd in stage.logits(values)]


def _fold_of(probes: Sequence[LabelledQuestion], count: int) -> dict[tuple[str, str], int]:
    names = {(probe.suite, probe.database): f"{probe.suite}.{probe.database}" for probe in probes}
    catalogs: dict[str, Catalog] = {names[probe.suite, probe.database]: probe.catalog for probe in probes}
    questions: Mapping[str, int] = Counter(names[probe.suite, probe.database] for probe in probes)
    found = folds(catalogs, questions, min(count, len(catalogs)))
    return {key: found[name] for key, name in names.items()}


def _fitted(probes: Sequence[LabelledQuestion]) -> Regression:
    """One regression; all kinds of a suite together count as much as its questions that have an answer."""
    counts = Counter((probe.suite, probe.kind) for probe in probes)
    names = tuple(probes[0].values)
    importance = []
    for probe in probes:
        if probe.kind == OWN:
            others = sum(_IMPORTANCE.get(kind, 1.0) for kind in KINDS if counts[probe.suite, kind])
            importance.append(others / counts[probe.suite, OWN])
        else:
            importance.append(_IMPORTANCE.get(probe.kind, 1.0) / counts[probe.suite, probe.kind])
    rows = np.array([[probe.values[name] for name in names] for probe in probes])
    answers = np.array([float(probe.kind != OWN) for probe in probes])
    return fit(names, rows, answers, np.array(importance), _STRENGTH)


def _limit(probes: Sequence[LabelledQuestion], odds: Sequence[float], *, is_profiled: bool) -> float:
    """The least odds above which no suite has more false alarms than it may."""
    by_suite: dict[str, list[float]] = defaultdict(list)
    for probe, odd in zip(probes, odds, strict=True):
        if probe.kind == OWN and probe.is_profiled == is_profiled:
            by_suite[probe.suite].append(odd)
    limits = [float(np.quantile(some, 1 - _FALSE_ALARMS, method="higher")) for some in by_suite.values()]
    # Without any question of that sort nothing is known, and nothing denied.
    return max(limits, default=30.0)
