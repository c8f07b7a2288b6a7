"""Claimed completeness and confidence against counts made by hand."""

import pytest

from linker.evaluation import EvaluationRun, QuestionOutcome
from linker.evaluation.summary import Calibration, ClaimedChance, RefusalCounts, score_of, summarise
from tests.evaluations import answer, gold, outcome


def claimed(number: int, complete: float | None, *, right: bool) -> QuestionOutcome:
    """An answer that says to be complete with that chance, and is or is not."""
    returned = answer("t.a" if right else "t.b", question=f"q{number}", complete=complete)
    return outcome(returned, gold("t.a"))


def test_answers_are_as_often_complete_as_they_say() -> None:
    found = ClaimedChance.of_completeness(
        [claimed(number, 0.8, right=number % 5 > 0) for number in range(20)]
    )
    assert found is not None
    assert (found.questions, found.chance, found.true.value) == pytest.approx((20, 0.8, 0.8))
    assert found.expected_error == pytest.approx(0)


def test_bins_of_answers_hold_equally_many_by_their_chance() -> None:
    # The ten surest: 0.9 said, 8 right. The ten others: 0.5 said, 6 right. Both are off by 0.1, in
    # other directions.
    sure = [claimed(number, 0.9, right=number < 8) for number in range(10)]
    unsure = [claimed(10 + number, 0.5, right=number < 6) for number in range(10)]
    mixed = [one for pair in zip(sure, unsure, strict=True) for one in pair]
    found = ClaimedChance.of_completeness(mixed)
    assert found is not None
    assert (found.chance, found.true.value) == pytest.approx((0.7, 0.7))
    assert found.expected_error == pytest.approx(0.1)
    # True claims would deviate by the root of 10 x 0.9 x 0.1 and of 10 x 0.5 x 0.5: 0.949 and
    # 1.581, times 0.798.
    assert found.error_by_chance == pytest.approx((0.949 + 1.581) * 0.798 / 20, abs=1e-4)


def test_what_is_true_has_the_interval_that_strict_recall_has_over_the_same_answers() -> None:
    # Chances decrease while answers arrive: their order must not affect the sample.
    outcomes = tuple(claimed(n, 0.9 - n / 50, right=n % 4 > 0) for n in range(30))
    [summary] = summarise(EvaluationRun("demo", "shortlist", outcomes))
    assert summary.completeness
    assert summary.completeness.true == summary.overall.columns.strict_recall


def test_fewer_than_twenty_answers_are_one_bin() -> None:
    # Of 19 answers 0.5 is said by ten, none right, and 1 by nine, all right: together 14 are said
    # and 9 right.
    outcomes = [claimed(number, 0.5, right=False) for number in range(10)]
    outcomes += [claimed(10 + number, 1.0, right=True) for number in range(9)]
    found = ClaimedChance.of_completeness(outcomes)
    assert found is not None
    assert found.expected_error == pytest.approx((14 - 9) / 19)


def test_answers_that_do_not_say_how_complete_they_are_do_not_count() -> None:
    silent = [claimed(0, None, right=True)]
    assert ClaimedChance.of_completeness(silent) is None
    assert Calibration.create(silent, chance_of=score_of) is None
    found = ClaimedChance.of_completeness([*silent, claimed(1, 0.8, right=False)])
    assert found is not None
    assert (found.questions, found.expected_error) == pytest.approx((1, 0.8))


def test_scores_are_chances_where_an_answer_says_how_complete_it_is() -> None:
    # The three columns have the scores 1, 0.999 and 0.998, two of them are right.
    found = Calibration.create(
        [outcome(answer("t.a", "t.b", "t.x", complete=0.9), gold("t.a", "t.b"))],
        chance_of=score_of,
    )
    assert found is not None
    assert (found.columns, found.expected_error) == pytest.approx((3, (2.997 - 2) / 3))


def test_refusals_and_warnings_are_counted_where_answers_tell_them() -> None:
    answers = (
        answer("t.a", refused=False),
        answer(
            "t.a",
            refused=False,
            warnings=("unmatched terms: “horror”", "1 indexed column is no longer there"),
        ),
        answer("t.a", refused=False, warnings=("1 indexed column is no longer there",)),
        answer(refused=True),
        answer("t.a"),  # of a file that did not keep it
    )
    found = RefusalCounts.create(answers)
    assert found is not None
    assert (found.questions, found.refused, found.warned) == (4, 1, 2)
    assert RefusalCounts.create(answers[-1:]) is None


def test_questions_without_an_answer_count_for_refusals_alone() -> None:
    run = EvaluationRun(
        "golden",
        "shortlist",
        tuple(
            outcome(answer("t.a", question=name, budget=budget, refused=name == "q2"), gold("t.a"))
            for name in ("q1", "q2", "q3")
            for budget in (8, 25)
        ),
        unanswerable=tuple(
            answer("t.a", question=name, budget=25, refused=refused)
            for name, refused in (("u1", True), ("u2", False))
        ),
    )
    small, large = summarise(run)
    assert (large.overall.questions, large.overall.columns.strict_recall.value) == (3, 1.0)
    assert large.refusals is not None
    assert (large.refusals.questions, large.refusals.refused) == (3, 1)
    assert large.refusals_of_unanswerable is not None
    assert (large.refusals_of_unanswerable.questions, large.refusals_of_unanswerable.refused) == (
        2,
        1,
    )
    assert small.refusals_of_unanswerable is None
