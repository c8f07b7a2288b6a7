"""
Fits what recognises questions without an answer: enter probes, leave weights and how well they carry over.

What is reported is held out: each database is judged by weights that saw neither it nor any database of its vendor.
The limits keep false alarms at one in twenty in every suite, of questions held out and of those learned from.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linker.evaluation.tuning.folds import folds
from linker.evaluation.tuning.logistic import fit
from linker.evaluation.tuning.probes import FOREIGN, KINDS, OWN, LabelledQuestion
from linker.ranking.answerable_weights import AnswerableWeights
from linker.ranking.weights import Regression
from linker.types import Catalog

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
        inside = [place for place, one in enumerate(probes) if fold[one.suite, one.database] == number]
        rest = [one for one in probes if fold[one.suite, one.database] != number]
        for place, odd in zip(inside, _odds(_fitted(rest or probes), [probes[place] for place in inside]), strict=True):
            odds[place] = odd
    return odds


def _odds(stage: Regression, probes: Sequence[LabelledQuestion]) -> list[float]:
    values = {name: np.array([one.values[name] for one in probes]) for name in stage.features}
    return [float(odd) for odd in stage.logits(values)]


def _fold_of(probes: Sequence[LabelledQuestion], count: int) -> dict[tuple[str, str], int]:
    names = {(one.suite, one.database): f"{one.suite}.{one.database}" for one in probes}
    catalogs: dict[str, Catalog] = {names[one.suite, one.database]: one.catalog for one in probes}
    questions: Mapping[str, int] = Counter(names[one.suite, one.database] for one in probes)
    found = folds(catalogs, questions, min(count, len(catalogs)))
    return {key: found[name] for key, name in names.items()}


def _fitted(probes: Sequence[LabelledQuestion]) -> Regression:
    """One regression; all kinds of a suite together count as much as its questions that have an answer."""
    counts = Counter((one.suite, one.kind) for one in probes)
    names = tuple(probes[0].values)
    importance = []
    for one in probes:
        if one.kind == OWN:
            others = sum(_IMPORTANCE.get(kind, 1.0) for kind in KINDS if counts[one.suite, kind])
            importance.append(others / counts[one.suite, OWN])
        else:
            importance.append(_IMPORTANCE.get(one.kind, 1.0) / counts[one.suite, one.kind])
    rows = np.array([[one.values[name] for name in names] for one in probes])
    answers = np.array([float(one.kind != OWN) for one in probes])
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
