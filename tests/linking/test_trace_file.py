"""Trace files: small, complete, for every strategy, and never a reason to fail."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from linker.cli import main
from linker.linking.assemble_result import list_traces, read_trace, replay
from linker.linking.result import LinkedSchema
from linker.linking.trace import FOLDER, SeenColumns, Trace, read_events, watched
from linker.output import FORMATS
from linker.pipeline import link
from linker.strategies.evilink import EvilinkStrategy
from linker.strategies.shortlist import ShortlistStrategy
from linker.types import ColumnRef, TableRef
from tests.linking.rules import careful
from tests.linking.shop import QUESTION, ShopEnvironment

STRATEGIES = (EvilinkStrategy, ShortlistStrategy)


@pytest.fixture
def state_dir(tmp_path: Path, shop: Path) -> Path:
    """Where the traces of the shop's questions go."""
    (tmp_path / "shop.duckdb").symlink_to(shop / "shop.duckdb")
    return tmp_path / "state"


def asked(state_dir: Path, strategy: type[EvilinkStrategy | ShortlistStrategy]) -> LinkedSchema:
    with ShopEnvironment(state_dir.parent, careful) as environment:
        return link(QUESTION, environment, strategy())


def trace(state_dir: Path, *words: str) -> str:
    done = CliRunner().invoke(main, ["trace", *words, "--state-dir", str(state_dir)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_shortlist_leaves_what_was_found_how_it_was_ranked_and_the_answer(
    state_dir: Path,
) -> None:
    schema = asked(state_dir, ShortlistStrategy)
    record = read_trace(state_dir, schema.trace)
    assert [event["event"] for event in record.events] == [
        "begin",
        "mentions",
        "found",
        "ranking",
        "end",
    ]
    assert replay(record) == schema
    [summary] = list_traces(state_dir)
    assert (summary.question, summary.strategy, summary.is_whole) == (QUESTION, "shortlist", True)
    found = record.events[2]
    # Four tables with 20 columns in all; “Denmark” is a value of one.
    assert (found["table_count"], found["column_count"]) == (4, 20)
    assert [
        hit["matches"][0]["value"] for hit in found["columns"] if hit["ref"]["path"] == "country"
    ] == ["Denmark"]


def test_what_the_shortlist_left_is_listed_shown_and_replayed_as_the_others_are(
    state_dir: Path,
) -> None:
    first, second = (asked(state_dir, strategy) for strategy in STRATEGIES)
    kept = json.loads(trace(state_dir, "list", "--format", "json"))
    assert [(one["id"], one["strategy"]) for one in kept] == [
        (second.trace, "shortlist"),
        (first.trace, "evilink"),
    ]
    assert [one["columns"] for one in kept] == [second.column_count, first.column_count]
    shown = trace(state_dir, "show")
    assert "crm.customers.country" in shown
    assert "20 columns and 4 tables in all" in shown
    for form in FORMATS:
        assert "country" in trace(state_dir, "replay", "--format", form)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_trace_is_a_gzip_file_of_json_lines(
    state_dir: Path, strategy: type[EvilinkStrategy | ShortlistStrategy]
) -> None:
    schema = asked(state_dir, strategy)
    text = gzip.decompress((state_dir / FOLDER / f"{schema.trace}.jsonl.gz").read_bytes()).decode(
        "utf-8"
    )
    assert [json.loads(line) for line in text.splitlines()] == list(
        read_events(state_dir, schema.trace)
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_where_no_trace_can_be_written_there_is_an_answer_that_says_so(
    state_dir: Path, strategy: type[EvilinkStrategy | ShortlistStrategy]
) -> None:
    state_dir.write_text("no folder", "utf-8")
    schema = asked(state_dir, strategy)
    assert schema.tables
    assert schema.trace == ""
    assert "no trace was written" in schema.warnings[-1]


def test_columns_in_view_are_packed_and_come_back_in_their_order() -> None:
    one, other = TableRef("s", "one"), TableRef("s", "other")
    refs = (ColumnRef(other, "b"), ColumnRef(one, "a"), ColumnRef(other, "a"))
    seen = SeenColumns.create("retrieval", refs)
    assert seen.refs == refs
    assert seen.tables == (other, one)


def test_a_value_with_another_end_of_line_or_half_a_character_breaks_no_trace(
    tmp_path: Path,
) -> None:
    said = "a\u2028b\x85c\nd\ud800"
    noted = Trace(said)
    assert noted.save(tmp_path, kept=1) == ""
    assert [event["question"] for event in read_events(tmp_path, noted.id)] == [said]


def test_who_watches_sees_what_is_written_down_and_nothing_of_other_runs() -> None:
    events = list[dict[str, object]]()
    before = Trace("earlier")
    with watched(events.append):
        trace = Trace("how many?")
        trace.note("vote", items=(ColumnRef(TableRef("s", "t"), "c"),))
        before.note("vote", items=())
    Trace("later")
    assert [event["event"] for event in events] == ["begin", "vote"]
    assert events[0]["question"] == "how many?"
    assert events[1]["items"] == [{"table": {"schema": "s", "name": "t"}, "path": "c"}]
