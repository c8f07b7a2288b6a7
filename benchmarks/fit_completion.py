"""
Fits the model of columns that a language model leaves out, from recorded answers.

All figures are held out: a database is completed by weights and ranking that saw neither it nor
another database of its vendor.
"""

import argparse
import dataclasses
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from linker.config.settings import load_settings
from linker.evaluation import Prediction
from linker.evaluation.preparing import prepare
from linker.evaluation.results import read_results
from linker.evaluation.scoring import column_key
from linker.evaluation.summary import expected_error
from linker.evaluation.training import HeldOutRanking, fit
from linker.evaluation.tune import gather_examples, rank_held_out
from linker.ranking.calibration import (
    Candidates,
    CompletionWeights,
    candidates_of,
    completed,
    enough,
    likelihoods,
)
from linker.ranking.table_tokens import Floats
from linker.ranking.weights import read_weights, regression_text, stacked

FOLDS = 5
SIZES = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
REPORTED = (0, 4, 8, 12, 16, 24, 32, 64)
RECALLS = (0.5, 0.8, 0.9, 0.95, 0.97)
# Few answers are recorded; that pull carried over best.
STRENGTH = 3.0


@dataclass(frozen=True)
class Answered:
    """A question with a model's choice and the candidates that it may have left out."""

    ranking: HeldOutRanking
    chosen: frozenset[int]
    candidates: Candidates
    importance: float

    @property
    def labels(self) -> Floats:
        """1 for needed candidates."""
        return self.ranking.example.column_labels[self.candidates.places]

    def is_complete(self, further: Iterable[int]) -> bool:
        """Whether these candidates make the answer complete."""
        return self.ranking.example.is_complete(
            self.chosen | {int(self.candidates.places[at]) for at in further}
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--answers", nargs=3, action="append", metavar=("SUITE", "ROOT", "FILE"), required=True
    )
    parser.add_argument(
        "--profiles-dir", type=Path, help="where the profiles of suites called golden@PROFILE lie"
    )
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument("--out", type=Path, help="file of the weights")
    asked = parser.parse_args()
    answered = list(_answered(asked))
    sys.stdout.write("\n".join(report(answered)) + "\n")
    if asked.out:
        weights = fitted(answered)
        parts = {"further": weights.further, "complete": weights.complete}
        text = ",\n".join(
            f" {json.dumps(name)}: {regression_text(part)}" for name, part in parts.items()
        )
        asked.out.write_text(f"{{\n{text}\n}}\n", "utf-8")


def _answered(asked: argparse.Namespace) -> Iterator[Answered]:
    """Recorded answers with rankings that did not see their databases."""
    weights, examples = read_weights(), []
    found: dict[tuple[str, str], Prediction] = {}
    for name, root, file in asked.answers:
        suite, _, profile = name.partition("@")
        given = {"profile": profile, "profiles_dir": asked.profiles_dir} if profile else {}
        settings = load_settings({"state_dir": asked.state_dir, **given})
        prepared = prepare(suite, None if suite == "demo" else Path(root), settings)
        predictions = {
            item.question_id: item
            for item in read_results(Path(file)).predictions
            if not item.error
        }
        answered = tuple(question for question in prepared.questions if question.id in predictions)
        gathered = gather_examples(
            dataclasses.replace(prepared, suite=replace(prepared.suite, questions=answered)), None
        )
        examples += gathered
        found.update(
            {(item.database, item.question_id): predictions[item.question_id] for item in gathered}
        )
    counts = Counter(item.suite for item in examples)
    for ranking in rank_held_out(examples, FOLDS):
        example, lexicon = ranking.example, ranking.ranked.index.lexicon
        answer = found[example.database, example.question_id]
        if answer.columns and not answer.refused:
            indexes = {column_key(ref): index for index, ref in enumerate(lexicon.refs)}
            named = (column_key(item.ref) for item in answer.columns)
            chosen = frozenset(indexes[key] for key in named if key in indexes)
            candidates = candidates_of(
                ranking.ranked,
                likelihoods(ranking.ranked, weights),
                [lexicon.refs[index] for index in chosen],
            )
            yield Answered(ranking, chosen, candidates, counts[example.suite] ** -0.5)


def fitted(answered: Sequence[Answered]) -> CompletionWeights:
    """The weights that explain these answers best."""
    some = [answer for answer in answered if len(answer.candidates.places)]
    names = list(some[0].candidates.features)
    further = fit(
        names,
        np.concatenate([stacked(answer.candidates.features, names) for answer in some]),
        np.concatenate([answer.labels for answer in some]),
        np.concatenate(
            [
                np.full(len(answer.labels), answer.importance * len(answer.labels) ** -0.5)
                for answer in some
            ]
        ),
        STRENGTH,
    )
    rows, answers, importance = [], [], []
    for answer in answered:
        order, features = completed(answer.candidates, further)
        sizes = [size for size in SIZES if size <= len(order)]
        rows.append(stacked(features, list(features))[sizes])
        answers.append(
            np.array([answer.is_complete(order[:size]) for size in sizes], dtype=np.float32)
        )
        importance.append(np.full(len(sizes), answer.importance / len(sizes)))
    complete = fit(
        list(features),
        np.concatenate(rows),
        np.concatenate(answers),
        np.concatenate(importance),
        STRENGTH,
    )
    return CompletionWeights(further, complete)


def report(answered: Sequence[Answered]) -> Iterator[str]:
    """Completeness by number of columns and target recall, one line per suite."""
    chances: list[tuple[Answered, list[int], Floats]] = []
    for fold in sorted({answer.ranking.fold for answer in answered}):
        weights = fitted([answer for answer in answered if answer.ranking.fold != fold])
        for answer in answered:
            if answer.ranking.fold == fold:
                order, features = completed(answer.candidates, weights.further)
                complete = 1 / (1 + np.exp(-weights.complete.logits(features)))
                chances.append((answer, list(order), np.maximum.accumulate(complete)))
    yield (
        "| suite | answers | as chosen | "
        + " | ".join(f"recall {recall}" for recall in RECALLS)
        + " |"
    )
    yield "|---|---|---|" + "---|" * len(RECALLS)
    for suite in ("all", *dict.fromkeys(answer.ranking.example.suite for answer in answered)):
        some = [found for found in chances if suite in ("all", found[0].ranking.example.suite)]
        cells = [_cell(some, 0.0), *(_cell(some, recall) for recall in RECALLS)]
        yield f"| {suite} | {len(some)} | {' | '.join(cells)} |"
    yield "\n| suite | " + " | ".join(f"{size} further" for size in REPORTED) + " |"
    yield "|---|" + "---|" * len(REPORTED)
    for suite in ("all", *dict.fromkeys(answer.ranking.example.suite for answer in answered)):
        some = [found for found in chances if suite in ("all", found[0].ranking.example.suite)]
        cells = [f"{100 * _complete_with(some, size):.1f}" for size in REPORTED]
        yield f"| {suite} | {' | '.join(cells)} |"
    for size in (0, 8, 24):
        claimed = np.array([complete[min(size, len(order))] for _, order, complete in chances])
        right = np.array(
            [answer.is_complete(order[:size]) for answer, order, _ in chances], dtype=np.float64
        )
        yield (
            f"\ncalibration error after {size} further columns: "
            f"{100 * expected_error(claimed, right):.1f} points"
        )


def _complete_with(found: Sequence[tuple[Answered, list[int], Floats]], size: int) -> float:
    return float(np.mean([answer.is_complete(order[:size]) for answer, order, _ in found]))


def _cell(found: Sequence[tuple[Answered, list[int], Floats]], recall: float) -> str:
    sizes = [enough(complete, recall, len(answer.chosen)) for answer, _, complete in found]
    right = [
        answer.is_complete(order[:size])
        for (answer, order, _), size in zip(found, sizes, strict=True)
    ]
    columns = [len(answer.chosen) + size for (answer, _, _), size in zip(found, sizes, strict=True)]
    return f"{100 * np.mean(right):.1f} at {np.mean(columns):.1f}"


if __name__ == "__main__":
    main()
