"""Fits the three stages one after another: enter examples, leave weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from linker.evals.tuning.examples import Example
from linker.evals.tuning.logistic import fit
from linker.ranking.column_features import column_look, second_column_look
from linker.ranking.postings import Floats
from linker.ranking.ranker import Ranked, rank_evidence
from linker.ranking.table_features import Named, first_look, second_look
from linker.ranking.weights import Stage, Weights, stacked

# Columns of tables that nobody would choose teach nothing.
_HARD_TABLES = 25


@dataclass(frozen=True)
class TrainingOptions:
    """How strongly each stage is pulled to zero, how much each suite counts, and which features are left out."""

    strengths: tuple[float, float, float, float] = (30.0, 30.0, 30.0, 30.0)
    suite_importance: Mapping[str, float] = field(default_factory=dict)
    without: frozenset[str] = frozenset()


def train(examples: Sequence[Example], options: TrainingOptions, command: str = "") -> Weights:
    """Weights for tables by themselves, tables among neighbours, and columns."""
    of_question = _importance(examples, options)
    firsts = [first_look(one.evidence) for one in examples]
    tables = _stage(examples, firsts, of_question, options, 0)
    logits = [tables.logits(named) for named in firsts]
    seconds = [second_look(one.evidence, odds) for one, odds in zip(examples, logits, strict=True)]
    neighbours = _stage(examples, seconds, of_question, options, 1)
    logits = [neighbours.logits(named) for named in seconds]
    thirds = [column_look(one.evidence, odds) for one, odds in zip(examples, logits, strict=True)]
    hard = [_is_hard(*each) for each in zip(examples, logits, strict=True)]
    columns = _stage(examples, thirds, of_question, options, 2, hard)
    fourths = [
        second_column_look(one.evidence, odds, columns.logits(named))
        for one, odds, named in zip(examples, logits, thirds, strict=True)
    ]
    twins = _stage(examples, fourths, of_question, options, 3, hard)
    return Weights(tables, neighbours, columns, twins, command)


def _stage(
    examples: Sequence[Example],
    named: Sequence[Named],
    of_question: Sequence[float],
    options: TrainingOptions,
    number: int,
    kept: Sequence[np.ndarray] | None = None,
) -> Stage:
    features = [name for name in named[0] if name not in options.without]
    rows, answers, importance = [], [], []
    for place, (one, its, weight) in enumerate(zip(examples, named, of_question, strict=True)):
        labels = one.column_labels if number >= 2 else one.table_labels
        counts = one.column_importance if number >= 2 else one.table_importance
        inside = counts > 0
        if kept is not None:
            inside &= kept[place]
        if not labels[inside].any():
            continue
        rows.append(stacked(its, features)[inside])
        answers.append(labels[inside])
        # Every question counts the same, whatever the number of columns that it reads.
        importance.append(counts[inside] * weight / labels[inside].sum())
    return fit(
        features, np.concatenate(rows), np.concatenate(answers), np.concatenate(importance), options.strengths[number]
    )


def _is_hard(one: Example, logits: Floats) -> np.ndarray:
    order = np.argsort(-logits, kind="stable")
    is_hard = np.zeros(len(logits), dtype=bool)
    is_hard[order[:_HARD_TABLES]] = True
    hard: np.ndarray = is_hard[one.evidence.matches.lexicon.table_of] | (one.column_labels > 0)
    return hard


def _importance(examples: Sequence[Example], options: TrainingOptions) -> list[float]:
    """No suite counts more than another for having more questions, unless that is asked for."""
    counts: dict[str, int] = {}
    for one in examples:
        counts[one.suite] = counts.get(one.suite, 0) + 1
    return [options.suite_importance.get(one.suite, 1.0) / counts[one.suite] for one in examples]


def ranked_example(one: Example, weights: Weights) -> Ranked:
    """The ranking of an example."""
    return rank_evidence(one.evidence, weights)


def column_logits(one: Example, weights: Weights) -> Floats:
    """The odds of the columns of an example."""
    return ranked_example(one, weights).columns
