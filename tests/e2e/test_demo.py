"""The path of a new user: demo, own questions, errors."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.messages import messages

Run = Callable[..., subprocess.CompletedProcess[str]]
Done = subprocess.CompletedProcess[str]
STAGES = ["warehouse", "profile", "store", "index", "ask", "ask", "ask"]


def stages_of(done: Done) -> list[str]:
    return [line.split()[1] for line in done.stderr.splitlines() if line.startswith("✓")]


def linked_tables(linker_command: Run, *words: str) -> dict[str, list[str]]:
    """The answer as JSON says it: the columns of each table."""
    done = linker_command("ask", "--target", "demo", "--format", "json", *words)
    assert done.returncode == 0, done.stderr
    tables = json.loads(done.stdout)["tables"]
    found: dict[str, list[str]] = {}
    for table in tables:
        found[f"{table['schema']}.{table['name']}"] = [
            column["path"] for column in table["columns"]
        ]
    return found


def test_the_demo_prints_a_line_a_stage_and_three_linked_schemas(demo: Done) -> None:
    assert demo.returncode == 0, demo.stderr
    assert stages_of(demo) == STAGES
    assert demo.stdout.count("strategy shortlist") == 3
    assert "Traceback" not in demo.stderr
    assert "Warning" not in demo.stderr


def test_run_again_the_demo_reuses_what_is_there_and_says_the_same(
    demo: Done, linker_command: Run
) -> None:
    again = linker_command("demo", "--scale", "0.05", "--format", "json")
    assert "already built" in again.stderr
    assert "ran before" in again.stderr
    assert " 0 embedded" in again.stderr

    pages = demo.stdout.split("strategy shortlist")
    answers = [json.loads(line) for line in again.stdout.splitlines()]
    assert len(answers) == 3
    for answer, page in zip(answers, pages, strict=False):
        likeliest = answer["tables"][0]
        assert f"{likeliest['schema']}.{likeliest['name']}" in page
        assert answer["question"] in " ".join(page.split())


def test_the_index_holds_one_document_for_every_logical_column_and_table(
    demo: Done, linker_command: Run
) -> None:
    status = json.loads(linker_command("status", "--target", "demo", "--format", "json").stdout)
    assert status["in_step"] is True
    assert status["indexed"] == status["columns"] + status["logical_tables"]
    assert status["logical_tables"] >= 60
    assert status["columns"] >= 900
    # 365 daily shards and the monthly and numbered ones count once.
    assert status["physical_tables"] - status["logical_tables"] >= 364 + 11


def test_daily_shards_are_answered_as_one_table(demo: Done, linker_command: Run) -> None:
    tables = linked_tables(linker_command, "Which web browsers do visitors use in their sessions?")
    assert "device.browser" in tables["web.sessions_*"]
    assert not any(name.startswith("web.sessions_2025") for name in tables)


def test_a_column_budget_is_kept(demo: Done, linker_command: Run) -> None:
    asked = ("--recall", "1", "--column-budget", "5", "How many employees left last year?")
    assert sum(len(paths) for paths in linked_tables(linker_command, *asked).values()) == 5


def test_the_ddl_of_an_answer_is_sql(demo: Done, linker_command: Run) -> None:
    done = linker_command(
        "ask", "--target", "demo", "--format", "ddl", "What did customers pay for orders?"
    )
    connection = duckdb.connect()
    for schema in (
        "sales",
        "product",
        "web",
        "marketing",
        "finance",
        "support",
        "logistics",
        "people",
    ):
        connection.execute(f"create schema {schema}")
    connection.execute(done.stdout)
    assert (
        connection.execute("select count(*) from duckdb_columns() where not internal").fetchall()[
            0
        ][0]
        > 0
    )


def test_from_python_the_answer_is_the_one_that_the_command_gives(
    demo: Done, linker_command: Run, linker_folder: Path
) -> None:
    question = "Which carrier broke its promised delivery day most often?"
    program = (
        "from linker import Linker\n"
        "with Linker.open(target='demo') as linker:\n"
        "    print(linker.index())\n"
        f"    for linked in linker.ask({question!r}).tables:\n"
        "        print(linked.table.ref, [column.column.path for column in linked.columns])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=linker_folder,
        capture_output=True,
        text=True,
        check=False,
    )
    embedded, *answer = done.stdout.splitlines()
    # The demo indexed everything already.
    assert embedded == "0", done.stderr
    assert answer == [
        f"{name} {paths}" for name, paths in linked_tables(linker_command, question).items()
    ]


def test_doctor_finds_every_part_well(demo: Done, linker_command: Run) -> None:
    done = linker_command("doctor", "--target", "demo", "--format", "json")
    states = {check["part"]: check["state"] for check in json.loads(done.stdout)}
    unused = dict.fromkeys(("privacy", "tables", "glossary", "model"), "unused")
    assert states == {
        "warehouse": "ok",
        "profiles": "ok",
        "store": "ok",
        "embedder": "ok",
        **unused,
    }
    assert done.returncode == 0


def test_a_question_is_answered_as_the_warehouse_was_indexed_and_status_says_when_it_changed_since(
    demo: Done, linker_command: Run, tmp_path: Path
) -> None:
    """A table was dropped and the warehouse profiled again, but not indexed."""
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table orders (order_total integer); create table visits (visitor_country varchar)"
        )
    own = {"LINKER_DUCKDB_PATH": str(path), "cwd": tmp_path}

    def answered() -> tuple[set[str], str]:
        done = linker_command(
            "ask", "--target", "duckdb", "--format", "json", "country of visitors", **own
        )
        return {table["name"] for table in json.loads(done.stdout)["tables"]}, done.stderr

    for command in ("profile", "index"):
        assert linker_command(command, "--target", "duckdb", **own).returncode == 0
    with duckdb.connect(str(path)) as connection:
        connection.execute("drop table visits")
    assert linker_command("profile", "--target", "duckdb", **own).returncode == 0
    tables, told = answered()
    assert tables == {"orders", "visits"}
    assert "warning" not in told
    status = json.loads(
        linker_command("status", "--target", "duckdb", "--format", "json", **own).stdout
    )
    assert (status["to_remove"], status["in_step"]) == (2, False)
    assert (
        "1 column and 1 table removed"
        in linker_command("index", "--target", "duckdb", **own).stderr
    )
    tables, told = answered()
    assert tables == {"orders"}
    assert "warning: unmatched terms: “country”, “visitors”" in told


@pytest.mark.parametrize("command", ["index", "ask", "status"])
def test_before_anything_was_built_one_line_says_what_to_do(
    command: str, linker_command: Run, tmp_path: Path
) -> None:
    words = ["a question"] if command == "ask" else []
    done = linker_command(command, *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert messages(done.stderr) == [
        "error: there is no DuckDB file at .linker/demo/warehouse.duckdb",
        "   →   linker demo, or `linker init` for a warehouse of your own",
    ]


def test_an_unprofiled_warehouse_is_told_from_an_empty_one(
    linker_command: Run, tmp_path: Path
) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table orders (total integer)")
    done = linker_command(
        "ask", "--target", "duckdb", "totals", LINKER_DUCKDB_PATH=str(path), cwd=tmp_path
    )
    assert done.returncode == 2
    assert "linker_columns, linker_families, linker_tables" in done.stderr
    assert "linker profile" in done.stderr


def test_doctor_names_the_one_thing_to_do_for_each_part_that_fails(
    linker_command: Run, tmp_path: Path
) -> None:
    variables = {
        "LINKER_STORE_URL": "postgresql://me:hunter2@127.0.0.1:1/none",
        "LINKER_MODEL": "nobody:model",
    }
    done = linker_command("doctor", "--format", "json", cwd=tmp_path, **variables)
    checks = {check["part"]: check for check in json.loads(done.stdout)}
    assert [part for part, check in checks.items() if check["state"] == "failed"] == [
        "warehouse",
        "profiles",
        "store",
        "model",
    ]
    assert (
        checks["warehouse"]["hint"] == "linker demo, or `linker init` for a warehouse of your own"
    )
    assert "LINKER_STORE_URL" in checks["store"]["hint"]
    assert "hunter2" not in done.stdout + done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ask", "  "), "the question is empty"),
        (("ask", "x", "--strategy", "best"), "there is no strategy `best`"),
        (("ask", "x", "--target", "nowhere"), "target `nowhere`"),
        (("ask", "x", "--column-budget", "0"), "`column_budget`"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_two(
    demo: Done, linker_command: Run, words: tuple[str, ...], said: str
) -> None:
    done = linker_command(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(messages(done.stderr)) == 2
    assert done.stdout == ""


def test_help_needs_well_under_a_second_and_shows_examples(linker_command: Run) -> None:
    for command in ("demo", "profile", "index", "ask", "status", "doctor"):
        assert f"linker {command}" in linker_command(command, "--help").stdout
