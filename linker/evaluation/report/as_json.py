"""What was measured as JSON: a stable contract, with its version in it. Shares are from 0 to 1, with six decimals."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from linker.evaluation.compare import EvaluationComparison, QuestionChange
from linker.evaluation.curves import LIMIT, Curve
from linker.evaluation.summary import Summary

VERSION = 1


def render_json(summaries: Sequence[Summary], curves: Sequence[Curve] = ()) -> str:
    """All figures of all strategies, budgets and groups, and the curves, as an indented document."""
    document = {
        "version": VERSION,
        "summaries": [asdict(summary) for summary in summaries],
        "curves": [{**asdict(curve), "area_limit": LIMIT} for curve in curves],
    }
    return json.dumps(_rounded(document), ensure_ascii=False, indent=2)


def render_comparison_json(compared: EvaluationComparison) -> str:
    """What changed between two runs as an indented document."""
    document = {
        "version": VERSION,
        "suite": compared.suite,
        "first": compared.first,
        "second": compared.second,
        "strict_recall": {
            **asdict(compared.strict),
            "is_more_than_noise": compared.strict.is_more_than_noise,
            "verdict": str(compared.strict),
        },
        "means": [{**asdict(mean), "is_more_than_noise": mean.is_more_than_noise} for mean in compared.means],
        "won": [_change(change) for change in compared.won],
        "lost": [_change(change) for change in compared.lost],
        "only_first": compared.only_first,
        "only_second": compared.only_second,
    }
    return json.dumps(_rounded(document), ensure_ascii=False, indent=2)


def _change(change: QuestionChange) -> dict[str, object]:
    return {
        "question_id": change.question.id,
        "question": change.question.text,
        "missed": [
            {"columns": [str(ref) for ref in one.field], "last_seen": one.last_seen, "reason": one.reason}
            for one in change.missed
        ],
    }


def _rounded(value: object) -> object:
    """The same document with its floats rounded: further digits differ from machine to machine and mean nothing."""
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value
