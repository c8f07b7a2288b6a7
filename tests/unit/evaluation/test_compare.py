"""Questions that changed between two runs, and the step that lost columns."""

import pytest

from linker.errors import LinkerError
from linker.evaluation import Prediction, QuestionOutcome
from linker.evaluation.statistics import compare, missed
from tests.evaluations import SEEN, answer, asked, column, gold, outcome, run_of


def reasons(prediction: Prediction, *fields: str) -> list[tuple[str, str | None, str]]:
    return [
        (one.name, one.last_seen, one.reason) for one in missed(outcome(prediction, gold(*fields)))
    ]


def test_a_missed_column_is_told_with_the_step_at_which_it_was_lost() -> None:
    assert reasons(answer("t.a", seen=SEEN), "t.a", "t.b", "t.c", "t.d", "t.e") == [
        ("main.t.b", "voting", "discarded"),
        ("main.t.c", "hypotheses", "voted out"),
        ("main.t.d", "retrieval", "not in a hypothesis"),
        ("main.t.e", None, "not retrieved"),
    ]


def test_steps_with_names_of_their_own_are_told_by_them() -> None:
    seen = (("scan of names", (column("t.a"), column("t.b"))), ("pruning", (column("t.a"),)))
    assert reasons(answer("t.x", seen=seen), "t.a", "t.b", "t.c") == [
        ("main.t.a", "pruning", "dropped after pruning"),
        ("main.t.b", "scan of names", "lost at pruning"),
        ("main.t.c", None, "lost at scan of names"),
    ]


def test_a_column_that_was_recovered_counts_where_it_was_seen_last() -> None:
    seen = (("retrieval", ()), ("hypotheses", (column("T.A"),)), ("voting", ()))
    assert reasons(answer("t.x", seen=seen), "t.a") == [("main.t.a", "hypotheses", "voted out")]


def test_a_field_with_alternatives_was_seen_while_one_of_them_was() -> None:
    seen = (("retrieval", (column("q.x"),)), ("voting", ()))
    assert reasons(answer("t.y", seen=seen), "p.x|q.x") == [
        ("main.p.x or main.q.x", "retrieval", "voted out")
    ]


def test_a_strategy_without_steps_is_said_to_tell_none() -> None:
    assert reasons(answer("t.x"), "t.a") == [("main.t.a", None, "the strategy records no steps")]
    assert reasons(answer(error="timed out"), "t.a") == [
        ("main.t.a", None, "answer failed: timed out")
    ]


def outcomes_of(strategy: str, right: str, *, budget: int | None = None) -> list[QuestionOutcome]:
    """Questions q1, q2 …: `+` is right, `-` is wrong, a blank is missing."""
    return [
        outcome(
            answer(
                "t.a" if mark == "+" else "t.x", question=f"q{n}", strategy=strategy, budget=budget
            ),
            gold("t.a"),
        )
        for n, mark in enumerate(right, start=1)
        if mark != " "
    ]


def test_questions_won_and_lost_are_told_with_what_was_missed() -> None:
    found = compare(
        run_of(outcomes_of("a", "++--")), run_of(outcomes_of("b", "+-+-"), strategy="dense")
    )
    assert [change.question.id for change in found.won] == ["q3"]
    assert [change.question.id for change in found.lost] == ["q2"]
    assert [one.name for one in found.lost[0].missed] == ["main.t.a"]
    assert (found.first, found.second) == ("retrieval", "dense")
    assert (found.strict.questions, found.strict.won, found.strict.lost) == (4, 1, 1)
    assert [mean.measure for mean in found.means][:2] == [
        "recall of columns",
        "precision of columns",
    ]


def test_only_questions_that_both_have_are_compared() -> None:
    found = compare(run_of(outcomes_of("a", "+++ ")), run_of(outcomes_of("b", " +-+")))
    assert (found.strict.questions, found.only_first, found.only_second) == (2, 1, 1)


def test_the_largest_budget_that_both_have_is_compared_unless_one_is_named() -> None:
    first = run_of([*outcomes_of("a", "-", budget=10), *outcomes_of("a", "+", budget=20)])
    second = run_of(
        [
            *outcomes_of("b", "+", budget=10),
            *outcomes_of("b", "+", budget=20),
            *outcomes_of("b", "-", budget=40),
        ]
    )
    assert compare(first, second).second == "retrieval @20"
    assert compare(first, second).changes == ()
    assert len(compare(first, second, budget=10).won) == 1


def test_a_strategy_with_a_budget_is_compared_with_one_without() -> None:
    found = compare(
        run_of(outcomes_of("a", "+", budget=20)), run_of(outcomes_of("b", "-")), budget=20
    )
    assert (found.first, found.second) == ("retrieval @20", "retrieval")
    assert len(found.lost) == 1


def test_runs_of_two_suites_are_refused() -> None:
    with pytest.raises(
        LinkerError, match="results of bird and of demo have no questions in common"
    ):
        compare(run_of(outcomes_of("a", "+"), suite="bird"), run_of(outcomes_of("b", "+")))


def test_runs_without_a_common_question_are_refused() -> None:
    with pytest.raises(LinkerError, match="no scored question in common"):
        compare(run_of(outcomes_of("a", "+ ")), run_of(outcomes_of("b", " +")))


def test_a_question_keeps_its_words_in_the_comparison() -> None:
    first = outcome(answer("t.a"), gold("t.a"), text="Which city?")
    second = outcome(answer("t.x"), gold("t.a"), text="Which city?")
    [lost] = compare(run_of([first]), run_of([second])).lost
    assert lost.question == asked(text="Which city?")
