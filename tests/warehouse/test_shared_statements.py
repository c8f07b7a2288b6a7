"""An unreadable table in a shared statement, where the warehouse catches the error."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.warehouse.project import Consumer
from tests.warehouse.servers import start

# The number of `cracked` is worked out when it is read, and its text is none.
SETUP = """
    create schema shop;
    create table shop.apples as select 1 as apple;
    create table shop.cracked (label varchar, number integer generated always as (cast(label as integer)) virtual);
    insert into shop.cracked (label) values ('markersecret');
    create table shop.pears as select 2 as pear;
    analyze shop.apples, shop.cracked, shop.pears
"""


@pytest.fixture(scope="module")
def shop(project_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Consumer]:
    """A shop of three small tables after one run of the package."""
    folder = tmp_path_factory.mktemp("shared") / "project"
    shutil.copytree(
        project_folder, folder, symlinks=True, ignore=shutil.ignore_patterns("logs", "target")
    )
    with start("postgres", tmp_path_factory.mktemp("postgres")) as server:
        ran = Consumer(folder, "postgres", server)
        server.execute(SETUP)
        ran.dbt("run", "--select", "package:linker")
        yield ran


def test_the_table_that_cannot_be_read_is_recorded_alone_and_the_others_are_finished(
    shop: Consumer,
) -> None:
    events = [event for event in shop.rows("linker_attempts", ["table_name", "event"]) if event[0]]
    assert events == [
        ["apples", "finished"],
        ["apples", "started"],
        ["cracked", "failed"],
        ["cracked", "started"],
        ["pears", "finished"],
        ["pears", "started"],
    ]


def test_what_could_be_read_is_measured_once(shop: Consumer) -> None:
    assert shop.rows("linker_scans", ["table_name", "column_path", "max_value"]) == [
        ["apples", "apple", "1"],
        ["pears", "pear", "2"],
    ]


def test_the_value_that_the_error_quotes_is_not_recorded(shop: Consumer) -> None:
    [message] = [message for [message] in shop.rows("linker_attempts", ["message"]) if message]
    assert message.startswith("invalid input syntax for type integer: ...")
    assert "markersecret" not in message


def test_one_statement_was_tried_for_all_three_and_then_one_for_each(shop: Consumer) -> None:
    log = (shop.folder / "logs" / "postgres" / "dbt.log").read_text("utf-8")
    scans = re.findall(r"do '\n#variable_conflict.*?end\n'", log, re.DOTALL)
    read = []
    for scan in scans:
        read.append(
            {table for table in ("apples", "cracked", "pears") if f'"shop"."{table}"' in scan}
        )
    assert read[0] == {"apples", "cracked", "pears"}
    assert sorted(map(sorted, read[1:])) == [["apples"], ["cracked"], ["pears"]]
