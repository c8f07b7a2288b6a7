"""Results files round-trip and survive kills."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.errors import LinkerError
from linker.evaluation import Prediction, RankedColumn
from linker.evaluation.results import Header, ResultFile, read_results, unfinished
from linker.types import ColumnRef, TableRef
from tests.evaluations import answer, column

HEADER = Header("demo", "retrieval", "s1", "t1", (("linker", "0.4.0"), ("embedder", "offline")))
QUESTIONS = tuple((f"q{number}", budget) for number in range(4) for budget in (10, None))


def answered(question: str, budget: int | None) -> Prediction:
    return answer(
        "orders.city=0.9",
        "orders.größe",
        "people.id",
        question=question,
        budget=budget,
        seconds=0.25,
    )


def write(path: Path, tasks: tuple[tuple[str, int | None], ...], header: Header = HEADER) -> None:
    with ResultFile(path, header) as results:
        for task in tasks:
            results.append(answered(*task))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("results") / "whole.jsonl"
    write(path, QUESTIONS)
    return path.read_bytes()


def test_everything_of_an_answer_is_read_as_it_was_written(tmp_path: Path) -> None:
    prediction = Prediction(
        question_id='q "1"\n\u2028',
        strategy="retrieval",
        budget=40,
        columns=(
            RankedColumn(ColumnRef(TableRef("a", "sessions_*"), "hits.page"), 1 / 3, 0.9375),
            RankedColumn(column("Größe.€"), 0.1),
        ),
        tables=(TableRef("a", "sessions_*"), TableRef("b", "named only")),
        seen=(("retrieval", (column("t.a"), column("u.b"))), ("voting", ())),
        seconds=0.1 + 0.2,
        tokens=1200,
        calls=3,
        probes=2,
        sql="select 1\n-- a comment",
        warnings=("degraded",),
        error="timed out",
        refused=True,
        complete=0.8125,
    )
    with ResultFile(tmp_path / "new" / "results.jsonl", HEADER) as results:
        results.append(prediction)
    found = read_results(tmp_path / "new" / "results.jsonl")
    assert found.header == HEADER
    assert found.predictions == (prediction,)


def test_an_answer_of_before_says_neither_if_it_refused_nor_how_complete_it_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "old.jsonl"
    write(path, QUESTIONS[:1])
    path.write_text(path.read_text("utf-8").replace(',"refused":null,"complete":null', ""), "utf-8")
    assert "refused" not in path.read_text("utf-8")
    [read] = read_results(path).predictions
    assert (read.refused, read.complete) == (None, None)


def test_a_run_goes_on_with_what_has_no_answer_yet(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    write(path, QUESTIONS[:3])
    rest = unfinished(QUESTIONS, read_results(path).predictions)
    assert rest == QUESTIONS[3:]
    write(path, rest)
    assert read_results(path).predictions == tuple(answered(*task) for task in QUESTIONS)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200
)
@given(data=st.data())
def test_a_run_that_was_killed_at_any_byte_goes_on_to_the_whole_set(
    whole: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(whole)))
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[:cut])
    with ResultFile(path, HEADER) as results:
        kept = read_results(path).predictions
        assert len(kept) == max(0, whole[:cut].count(b"\n") - 1)
        for task in unfinished(QUESTIONS, kept):
            results.append(answered(*task))
    assert path.read_bytes() == whole


def test_a_torn_line_is_dropped_by_a_reader_that_does_not_write(
    tmp_path: Path, whole: bytes
) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_bytes(whole[:-10])
    assert len(read_results(path).predictions) == len(QUESTIONS) - 1
    assert path.read_bytes() == whole[:-10]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("suite", "bird", "suite demo, not bird"),
        ("settings", "s2", "settings s1, not s2"),
        ("template", "t2", "template t1, not t2"),
        (
            "versions",
            (("linker", "0.5.0"),),
            "versions linker-0.4.0 embedder-offline, not linker-0.5.0",
        ),
    ],
)
def test_results_of_another_configuration_are_refused_with_one_line(
    tmp_path: Path, name: str, value: object, words: str
) -> None:
    path = tmp_path / "results.jsonl"
    write(path, QUESTIONS[:1])
    before = path.read_bytes()
    with pytest.raises(LinkerError) as caught:
        ResultFile(path, replace(HEADER, **{name: value}))
    assert caught.value.what == f"{path} has results of another configuration: {words}"
    assert path.read_bytes() == before


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes\nmore notes\nno end", "utf-8")
    for refused in (lambda: read_results(path), lambda: ResultFile(path, HEADER)):
        with pytest.raises(LinkerError, match="is not a results file"):
            refused()
    assert path.read_text("utf-8") == "my notes\nmore notes\nno end"


def test_a_file_that_is_missing_empty_or_out_of_reach_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(LinkerError, match=r"cannot read .*: No such file or directory"):
        read_results(tmp_path / "nowhere.jsonl")
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(LinkerError, match="has no results"):
        read_results(tmp_path / "empty.jsonl")
    with pytest.raises(LinkerError, match="cannot write"):
        ResultFile(tmp_path / "empty.jsonl" / "results.jsonl", HEADER)


def test_a_line_that_is_no_answer_is_told_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    write(path, QUESTIONS[:2])
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0], lines[1], '{"question": 7}', lines[2], ""]), "utf-8")
    with pytest.raises(LinkerError, match=r"line 3 of .* is not an answer"):
        read_results(path)


def test_the_last_of_two_answers_to_a_question_counts(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    failed = answer(question="q1", budget=10, error="timed out")
    with ResultFile(path, HEADER) as results:
        results.append(failed)
        assert unfinished((("q1", 10),), [failed]) == ()
        assert unfinished((("q1", 10),), [failed], retry_errors=True) == (("q1", 10),)
        results.append(answered("q1", 10))
    found = read_results(path)
    assert found.predictions == (answered("q1", 10),)


def test_an_answer_of_another_strategy_is_a_bug(tmp_path: Path) -> None:
    with (
        ResultFile(tmp_path / "results.jsonl", HEADER) as results,
        pytest.raises(ValueError, match="an answer of dense"),
    ):
        results.append(replace(answered("q1", 10), strategy="dense"))


def test_a_file_that_another_run_writes_is_refused_until_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with ResultFile(path, HEADER) as results:
        with pytest.raises(LinkerError, match="another run is writing"):
            ResultFile(path, HEADER)
        results.append(answered("q1", 10))
    write(path, QUESTIONS[1:2])
    assert len(read_results(path).predictions) == 2


def test_what_was_appended_is_there_before_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results = ResultFile(path, HEADER)
    results.append(answered("q1", 10))
    assert len(read_results(path).predictions) == 1
    results.close()


def test_a_refused_file_is_not_left_open(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    write(path, ())
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(LinkerError):
            ResultFile(path, replace(HEADER, suite="bird"))
    assert len(list(Path("/dev/fd").iterdir())) == before
