"""
Fits the four stages one after another: enter examples, leave weights.

Every question counts the same. In the stages that tell columns from all others by themselves, what is right and what
is wrong weigh the same; in the others every row does, so that the many wrong ones keep them careful.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from linker.evaluation.tuning.examples import Example
from linker.evaluation.tuning.logistic import fit
from linker.ranking.column_features import column_look, second_column_look
from linker.ranking.postings import Floats
from linker.ranking.ranker import Ranked, rank_evidence
from linker.ranking.table_features import Named, first_look, second_look
from linker.ranking.weights import Regression, Weights, stacked

_BALANCED = ("columns",)
# Found by holding databases out in turn: tables carry over best under a strong pull, columns under a light one.
STRENGTHS = {"tables": 60.0, "neighbours": 60.0, "columns": 3.0, "twins": 30.0}


@dataclass(frozen=True)
class TrainingOptions:
    """How strongly each stage is pulled to zero, how much each suite counts, and which features are left out."""

    strengths: Mapping[str, float] = field(default_factory=lambda: dict(STRENGTHS))
    suite_importance: Mapping[str, float] = field(default_factory=dict)
    without: frozenset[str] = frozenset()


def train(examples: Sequence[Example], options: TrainingOptions, command: str = "") -> Weights:
    """Weights for tables by themselves and among neighbours, then for columns by themselves and among each other."""
    fitting = _Fitting(examples, _importance(examples, options), options)
    firsts = [first_look(one.evidence) for one in examples]
    tables = fitting.stage("tables", firsts)
    logits = [tables.logits(named) for named in firsts]
    seconds = [second_look(one.evidence, odds) for one, odds in zip(examples, logits, strict=True)]
    neighbours = fitting.stage("neighbours", seconds)
    logits = [neighbours.logits(named) for named in seconds]
    thirds = [column_look(one.evidence, odds) for one, odds in zip(examples, logits, strict=True)]
    columns = fitting.stage("columns", thirds)
    fourths = [
        second_column_look(one.evidence, odds, columns.logits(named))
        for one, odds, named in zip(examples, logits, thirds, strict=True)
    ]
    return Weights(tables, neighbours, columns, fitting.stage("twins", fourths), command)


@dataclass(frozen=True)
class _Fitting:
    examples: Sequence[Example]
    importance: Sequence[float]
    options: TrainingOptions

    def stage(self, stage: str, named: Sequence[Named]) -> Regression:
        """One regression over the tables or the columns of all questions."""
        features = [name for name in named[0] if name not in self.options.without]
        rows, answers, importance = [], [], []
        for one, its, weight in zip(self.examples, named, self.importance, strict=True):
            of_tables = stage in ("tables", "neighbours")
            labels = one.table_labels if of_tables else one.column_labels
            counts = (one.table_importance if of_tables else one.column_importance) > 0
            right = labels[counts]
            if right.any():
                rows.append(stacked(its, features)[counts])
                answers.append(right)
                importance.append(weight * _weights(right, is_balanced=stage in _BALANCED))
        strength = self.options.strengths[stage]
        return fit(features, np.concatenate(rows), np.concatenate(answers), np.concatenate(importance), strength)


def _weights(right: Floats, *, is_balanced: bool) -> Floats:
    """What each row counts: those that are right count one together, whatever their number."""
    count = float(right.sum())
    wrong = count if not is_balanced else max(len(right) - count, 1.0)
    return np.where(right > 0, 1 / count, 1 / wrong)


def _importance(examples: Sequence[Example], options: TrainingOptions) -> list[float]:
    """No suite counts more than another for having more questions, unless that is asked for."""
    counts: dict[str, int] = {}
    for one in examples:
        counts[one.suite] = counts.get(one.suite, 0) + 1
    return [options.suite_importance.get(one.suite, 1.0) / counts[one.suite] for one in examples]


def ranked_example(one: Example, weights: Weights) -> Ranked:
    """The ranking of an example."""
    return rank_evidence(one.evidence, weights)
