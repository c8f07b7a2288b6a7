"""
Strict recall of the model-free ranking on unseen databases.

All figures are held out: a database is ranked by weights that saw neither it nor another database
of its vendor. `--means` adds an ablation per retriever. Calibration error is held out too.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from benchmarks.calibration_errors import SIZES as CALIBRATED_SIZES
from benchmarks.calibration_errors import calibration_errors
from linker.config.settings import load_settings
from linker.evaluation.preparing import prepare
from linker.evaluation.training import Example, HeldOutRanking, train
from linker.evaluation.tune import HeldOut, gather_examples, held_out, rank_held_out

# The average number of columns asked for; small catalogues have fewer than the budget.
AVERAGES = {
    "spider2-lite": (40, 80, 120, 160),
    "bird": (20, 30, 40),
    "beaver": (40, 80, 160),
    "spider1": (5, 10),
    "demo": (30, 60),
}
# Its databases are of all sizes.
LARGE = "spider2-lite"
# Sizes of a catalogue in columns, up to which it belongs to those of one row.
SIZES = (100, 300, 600, 2000)
BUDGETS = (
    5,
    10,
    20,
    30,
    31,
    40,
    42,
    44,
    60,
    80,
    86,
    90,
    94,
    120,
    150,
    160,
    170,
    200,
    220,
    240,
    260,
)
MEANS = {
    "joint coverage of tables": (
        "coverage",
        "coverage_of_best",
        "coverage_rank",
        "name_coverage_of_best",
        "only_here",
        "adds_to_first",
        "names_beyond_likelier",
        "table_name_beyond_likelier",
    ),
    "embeddings": (
        "dense",
        "dense_rank",
        "dense_in_table",
        "dense_rank_in_table",
        "dense_best_lead",
        "dense_columns_lead",
        "dense_mean",
        "dense_table_lead",
    ),
    "roles by name, type and profile": (
        "is_time_type",
        "is_number_type",
        "is_fraction_type",
        "is_boolean_type",
        "is_place_type",
        "is_open_type",
        "is_key",
        "is_name",
        "is_time",
        "is_place",
        "is_group",
        "is_amount",
        "is_says_id",
        "time_where_asked",
        "time_type_where_asked",
        "year_where_asked",
        "place_where_asked",
        "place_type_where_asked",
        "name_where_asked",
        "short_name",
        "amount_where_measured",
        "number_where_asked",
        "key_where_counted",
        "group_where_grouped",
        "key_in_likely",
        "time_in_likely",
        "short_name_in_likely",
        "plain_time_where_asked",
    ),
    "join graph": (
        "neighbour",
        "second_neighbour",
        "bridge",
        "neighbour_all_asked",
        "leads",
        "leads_from_likely",
        "leads_much",
        "joins",
        "lookup_of_likely",
        "small_lookup_of_likely",
        "detail_of_likely",
        "small_detail_of_likely",
        "shared_key",
        "shared_key_in_likely",
        "joins_likelier",
    ),
    "values": (
        "value_hit",
        "value_hit_in_likely",
        "values",
        "value_named",
        "value_named_in_likely",
    ),
    "empty and constant columns": ("is_empty", "is_constant", "fullness", "fullness_in_likely"),
    "exact name matches": (
        "name_span",
        "table_name_span",
        "spelt",
        "table_spelt",
        "columns_spelt",
        "columns_named",
        "table_name_unasked",
    ),
    "longer names of other columns": (
        "extends",
        "extends_unsaid",
        "extends_unsaid_in_likely",
        "extended",
        "extended_in_likely",
        "extended_said",
    ),
    "named places and quotations": (
        "place_where_named",
        "place_named_in_likely",
        "text",
        "text_where_quoted",
        "text_quoted_in_likely",
        "group_where_quoted",
        "name_where_quoted",
    ),
    "same column in other tables": (
        "same_name",
        "same_name_ahead",
        "same_name_ahead_in_likely",
        "key_same_name_ahead",
        "has_same_name",
    ),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    label: str
    found: dict[str, tuple[float, ...]]
    sizes: dict[str, tuple[float, int]]


def interpolated(results: Sequence[HeldOut], suite: str) -> tuple[float, ...]:
    """
    Strict recall where so many columns are returned on average, between the budgets on either side.
    """
    own = sorted(
        (result for result in results if result.suite == suite), key=lambda result: result.columns
    )
    columns = [result.columns for result in own]
    recall = [100 * result.strict_recall for result in own]
    return tuple(float(np.interp(average, columns, recall)) for average in AVERAGES[suite])


def by_size(rankings: Sequence[HeldOutRanking], average: float) -> dict[str, tuple[float, int]]:
    """
    Strict recall, and the number of questions, by size of the catalogue, at the budget that gives
    that average.
    """
    sizes = np.array([len(ranking.ranked.columns) for ranking in rankings])
    needed = np.array([ranking.smallest_complete for ranking in rankings])
    budget = next(
        size for size in range(1, int(sizes.max()) + 1) if np.minimum(sizes, size).mean() >= average
    )
    classes = np.searchsorted(SIZES, sizes, side="right")
    names = (*(f"<{size:,}" for size in SIZES), f">={SIZES[-1]:,}")
    return {
        name: (
            100 * float((needed[classes == number] <= budget).mean()),
            int((classes == number).sum()),
        )
        for number, name in enumerate(names)
        if (classes == number).any()
    }


def rows(
    examples: Sequence[Example], means: Mapping[str, Sequence[str]], folds: int
) -> Iterator[Row]:
    """As it is, then without each means."""
    suites = list(dict.fromkeys(item.suite for item in examples))
    for label, without in (
        ("as it is", ()),
        *((f"without {name}", features) for name, features in means.items()),
    ):
        rankings = rank_held_out(examples, folds, without=frozenset(without))
        results = held_out(rankings, BUDGETS)
        large = [item for item in rankings if item.example.suite == LARGE]
        sizes = by_size(large, AVERAGES[LARGE][-1]) if large else {}
        yield Row(label, {suite: interpolated(results, suite) for suite in suites}, sizes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--root", type=Path, required=True, help="folder with a folder for each suite"
    )
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument("--limit", type=int, default=270, help="questions of each suite")
    parser.add_argument("--means", action="store_true", help="also what is left without each means")
    parser.add_argument(
        "--suites", nargs="+", default=["spider2-lite", "bird", "beaver", "spider1", "demo"]
    )
    asked = parser.parse_args()
    settings = load_settings({"state_dir": asked.state_dir})
    # All are opened before anything is measured, so missing files are reported at once.
    prepared = [
        prepare(name, None if name == "demo" else asked.root / name, settings)
        for name in asked.suites
    ]
    examples = list(chain.from_iterable(gather_examples(suite, asked.limit) for suite in prepared))
    heads = list[str]()
    for suite in asked.suites:
        heads += (f"{suite} @{average}" for average in AVERAGES[suite])
    sys.stdout.write(f"| | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}\n")
    sizes: list[tuple[str, dict[str, tuple[float, int]]]] = []
    for row in rows(examples, MEANS if asked.means else {}, 5):
        by_suite = (row.found[suite] for suite in asked.suites)
        figures = [f"{figure:.1f}" for figure in chain.from_iterable(by_suite)]
        sys.stdout.write(f"| {row.label} | {' | '.join(figures)} |\n")
        sys.stdout.flush()
        sizes.append((row.label, row.sizes))
    for label, found in sizes:
        sizes_text = ", ".join(
            f"{name}: {recall:.1f} ({questions})" for name, (recall, questions) in found.items()
        )
        sys.stdout.write(
            f"{LARGE} @{AVERAGES[LARGE][-1]} by columns (questions), {label}: {sizes_text}\n"
            if found
            else ""
        )
    at = " / ".join(map(str, CALIBRATED_SIZES))
    for error in calibration_errors(rank_held_out(examples, 5), train(examples)):
        complete = " / ".join(f"{100 * size:.1f}" for size in error.complete)
        sys.stdout.write(
            f"{error.suite}: chances are off by {100 * error.columns:.1f} points for columns,"
            f' {complete} for "complete" at {at} columns\n'
        )


if __name__ == "__main__":
    main()
