"""Change detection on DuckDB: no missed and no false change, against the rows."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from linker.dbt.profiling import Token
from tests.profile.runs import Run, Warehouse

# DuckDB writes changed blocks where older ones were: after two changes a table may lie as it did
# before. A thousand take a minute.
CHANGES = int(os.environ.get("CHANGES", "150"))
TABLES = {
    "statuses": "select range as id, 'M' || lpad(cast(range % 100 as varchar), 3, '0') as status from range(2000)",
    "counts": "select range as id, range % 100 as pieces from range(200)",
    "alike": "select 1 as a, 'x' as b from range(50)",
    "prices": "select range as id, cast(range / 7 as decimal(10, 2)) as price, range / 3 as weight from range(500)",
    "nested": "select [range, 1] as list, {'a': range, 'b': 'x'} as pair, map {'k': range} as map from range(20)",
    "times": "select date '2026-01-01' + range::int as day, interval (range) hour as l, null::int as n from range(9)",
    "single": "select 'one' as only_value",
    "nothing": "select 1 as id where false",
}
VARIABLES = {
    "exclude_columns": ["main.people.ssn", "main.parts.address.street"],
    "hide_columns": ["main.people.salary"],
}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = Warehouse(tmp_path_factory.mktemp("changing"))
    made.execute("; ".join(f"create table {name} as {rows}" for name, rows in TABLES.items()))
    made.execute(
        "create table people as select range as id, 'ssn ' || range as ssn, range * 10 as salary from range(30);"
        " create table logins as select range as id, {'password': 'p' || range, 'city': 'c'} as box from range(30);"
        # It can be computed where somebody sets a variable, and nowhere else.
        " create table computed (word text, number integer"
        " generated always as (cast(coalesce(getvariable('number'), word) as integer)) virtual);"
        " set variable number = '1'; insert into computed values ('a');"
        " create table parts as select range as id, {'street': 's' || range, 'city': 'c'} as address from range(30)"
    )
    return made


@pytest.fixture(scope="module")
def run(warehouse: Warehouse) -> Run:
    return warehouse.profile(VARIABLES)


class Changing:
    """A copy of the file, and the query with which `linker refresh` looks for changes of rows."""

    def __init__(self, path: Path, run: Run) -> None:
        self.path = path
        assert run.report.watched
        self.queries = [
            query.sql for query in run.report.watched.queries if query.name == "changes"
        ]
        self.connection = duckdb.connect(str(path))

    def tokens(self) -> dict[str, str]:
        found: list[Token] = []
        for query in self.queries:
            found += self.connection.execute(query).fetchall()
        return {table: token for _, table, token in found}

    def rows(self) -> dict[str, list[str]]:
        """The truth: each row as text."""
        return {
            name: sorted(map(repr, self.connection.execute(f"from {name}").fetchall()))
            for name in TABLES
        }

    def copy(self) -> None:
        """Put a copy of the file in its place."""
        self.connection.close()
        other = self.path.with_suffix(".copy")
        shutil.copy(self.path, other)
        other.replace(self.path)
        self.connection = duckdb.connect(str(self.path))

    def reopen(self) -> None:
        """As another process that writes does."""
        self.connection.close()
        self.connection = duckdb.connect(str(self.path))

    def change(self, draw: random.Random) -> str:
        """Do something to one of the tables."""
        name = draw.choice([*TABLES])
        _, *columns = [row[0] for row in self.connection.execute(f"describe {name}").fetchall()] * 2
        column = draw.choice(columns)
        somewhere = draw.choice(
            [
                "",
                f" where rowid = {draw.randrange(60)}",
                f" where hash(rowid) % 10 = {draw.randrange(10)}",
            ]
        )
        statements = [
            f"update {name} set {column} = {column}{somewhere}",
            f"update {name} set {column} = (select {column} from {name} order by random() limit 1){somewhere}",
            f"create or replace table {name} as from (from {name}) order by random()",
            f"create or replace table {name} as {TABLES[name]}",
            f"create or replace temp table kept as from {name}; truncate {name}; insert into {name} from kept",
            f"insert into {name} from {name} limit 1",
            f"delete from {name}{somewhere or ' where rowid % 3 = 1'}",
            f"begin; delete from {name} where rowid = 1; insert into {name} from {name} limit 1; commit",
            f"begin; delete from {name}; rollback",
            "checkpoint",
            f"vacuum {name}",
            "copy",
            "reopen",
        ]
        statement = draw.choice(statements)
        match statement:
            case "copy":
                self.copy()
            case "reopen":
                self.reopen()
            case _:
                self.connection.execute(statement)
        if draw.random() < 0.7:
            self.connection.execute("checkpoint")
        return statement


@pytest.fixture
def changing(warehouse: Warehouse, run: Run, tmp_path: Path) -> Iterator[Changing]:
    path = tmp_path / warehouse.path.name
    shutil.copy(warehouse.path, path)
    made = Changing(path, run)
    yield made
    made.connection.close()


def differing(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {name for name in {*before, *after} & {*TABLES} if before.get(name) != after.get(name)}


def test_of_many_changes_none_is_missed_and_none_is_seen_where_the_rows_are_the_same(
    changing: Changing,
) -> None:
    draw = random.Random(39)
    changed = 0
    tokens, rows = changing.tokens(), changing.rows()
    # What each table was like whenever it had a token: one that comes back has to mean the same
    # rows.
    known = {(name, token): rows[name] for name, token in tokens.items() if name in TABLES}
    for number in range(CHANGES):
        statement = changing.change(draw)
        tokens_after, rows_after = changing.tokens(), changing.rows()
        assert differing(tokens, tokens_after) == differing(rows, rows_after), (number, statement)
        for name in TABLES:
            assert (
                known.setdefault((name, tokens_after[name]), rows_after[name]) == rows_after[name]
            ), (
                number,
                statement,
            )
        changed += rows != rows_after
        tokens, rows = tokens_after, rows_after
    assert changed > CHANGES / 5


def test_updates_in_place_have_a_token_each(changing: Changing) -> None:
    seen = {changing.tokens()["statuses"]}
    for number in range(40):
        changing.connection.execute(
            f"update statuses set status = 'M{number:03}' where id % 10 = 8; checkpoint"
        )
        changing.reopen()
        seen.add(changing.tokens()["statuses"])
    assert len(seen) == 41


@pytest.mark.parametrize(
    ("change", "is_seen"),
    [
        # Of an excluded column nothing is read, and of a hidden one only how many values there are.
        ("update people set ssn = 'another'", False),
        ("update people set salary = 7", False),
        ("update people set salary = null where id = 3", True),
        ("update people set id = 99 where id = 3", True),
    ],
)
def test_of_columns_that_are_kept_back_a_token_tells_no_more_than_their_profile(
    changing: Changing, change: str, is_seen: bool
) -> None:
    before = changing.tokens()["people"]
    assert changing.tokens()["people"] == before
    changing.connection.execute(change)
    assert (changing.tokens()["people"] != before) == is_seen


def test_a_generated_column_that_cannot_be_computed_keeps_no_change_from_being_seen(
    changing: Changing,
) -> None:
    before = changing.tokens()["computed"]
    changing.connection.execute(
        "set variable number = '1'; update computed set word = 'b'; reset variable number"
    )
    assert changing.tokens()["computed"] != before


def test_a_table_of_which_a_part_of_a_column_is_excluded_is_read_each_time(
    changing: Changing,
) -> None:
    before = changing.tokens()["parts"]
    assert changing.tokens()["parts"] != before
    assert not any("street" in query for query in changing.queries)


def test_a_part_of_a_column_that_is_hidden_counts_among_many_rows_and_few_rows_are_read_each_time(
    changing: Changing,
) -> None:
    before = changing.tokens()["logins"]
    assert changing.tokens()["logins"] == before
    changing.connection.execute(
        "update logins set box = {'password': 'p', 'city': 'another'} where id = 1"
    )
    changed = changing.tokens()["logins"]
    assert changed != before
    changing.connection.execute("delete from logins where id > 5")
    assert changing.tokens()["logins"] != changing.tokens()["logins"]
