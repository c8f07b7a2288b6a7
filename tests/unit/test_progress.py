"""Progress output on a terminal and in a pipe."""

import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

WORKS = """
import time
from linker.cli.progress import stage
with stage("index") as running:
    for done in range(1, 31):
        time.sleep(0.05)
        running.on_progress(done, 40)
    running.summary = "30 columns embedded"
"""


def on_a_terminal(code: str) -> str:
    """What a program writes to standard error when that is a terminal."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    with subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux tells the end of a terminal so.
                break
            if not part:
                break
            shown += part
        assert process.wait() == 0
    os.close(ours)
    return shown.decode()


def test_long_work_shows_how_far_it_is_how_fast_and_how_long_it_will_take() -> None:
    shown = on_a_terminal(WORKS)
    assert "30/40" in shown
    # Thirty steps of at least 50 milliseconds are at most 20 a second.
    rates = [int(part.split()[-1]) for part in shown.split("/s")[:-1]]
    assert rates
    assert 0 < min(rates) <= max(rates) <= 25
    assert "0:00:0" in shown
    assert "30 columns embedded" in shown


# Runs until it is signalled.
WAITS = "import sys; from linker.cli.progress import show_lines, stage; wait = sys.stdin.readline\n"


@contextmanager
def off_a_terminal(code: str) -> Iterator["subprocess.Popen[str]"]:
    """A program whose standard error is a pipe."""
    command = [sys.executable, "-c", WAITS + code]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.wait() == 0


def next_line(process: "subprocess.Popen[str]", *, beginning: str = "") -> str:
    """The next line on standard error that begins so."""
    assert process.stderr
    return next(line.rstrip("\n") for line in process.stderr if line.startswith(beginning))


def go_on(process: "subprocess.Popen[str]") -> None:
    """Tell it to."""
    assert process.stdin
    process.stdin.write("go on\n")
    process.stdin.flush()


def test_off_a_terminal_a_plain_line_says_what_a_stage_does_before_it_is_done() -> None:
    code = "with stage('plan', 'reads metadata') as running: wait(); running.summary = 'as planned'"
    with off_a_terminal(code) as process:
        assert next_line(process) == "… plan       reads metadata"
        go_on(process)
        assert next_line(process, beginning="✓ plan").endswith("as planned")


def test_what_takes_long_says_again_how_far_it_is() -> None:
    code = "with show_lines('index', 'embeds', again=0.01) as running: running.on_progress(1200, 4000); wait()"
    with off_a_terminal(code) as process:
        assert next_line(process) == "… index      embeds, 1,200 of 4,000"
        assert next_line(process) == "… index      embeds, 1,200 of 4,000"
        go_on(process)


def test_a_new_phase_is_said_and_has_no_counts_of_the_one_before() -> None:
    scans = "with stage('profile', 'scans') as running: running.on_progress(3, 5); wait(); "
    code = scans + "running.on_phase('joins'); wait()"
    with off_a_terminal(code) as process:
        assert next_line(process) == "… profile    scans, 3 of 5"
        go_on(process)
        assert next_line(process).startswith("… profile    joins")
        go_on(process)


def test_a_table_that_is_read_for_long_is_named_once_it_is_and_not_after_it() -> None:
    code = (
        "with show_lines('profile', 'scans tables', again=0.01, names_after=1) as running:"
        " running.on_table('sales.orders'); wait(); running.on_phase('measures joins'); wait()"
    )
    with off_a_terminal(code) as process:
        assert next_line(process) == "… profile    scans tables"
        assert next_line(process, beginning="… profile    scans tables:").startswith(
            "… profile    scans tables: sales.orders"
        )
        go_on(process)
        assert next_line(process, beginning="… profile    measures") in (
            "… profile    measures joins",
            "… profile    measures joins, 2 s",
        )
        go_on(process)


def test_a_line_names_a_long_table_before_the_next_one_is_due() -> None:
    code = (
        "with show_lines('profile', 'scans tables', again=600, names_after=1) as running:"
        " running.on_table('sales.orders'); wait()"
    )
    with off_a_terminal(code) as process:
        assert next_line(process) == "… profile    scans tables"
        assert next_line(process).startswith("… profile    scans tables: sales.orders")
        go_on(process)


def test_on_a_terminal_a_long_table_is_named_too() -> None:
    code = (
        "import time\nfrom linker.cli.progress import stage\n"
        "with stage('profile', 'scans tables', names_after=0.1) as running:\n"
        "    running.on_table('sales.orders')\n    time.sleep(1)\n"
    )
    assert "scans tables: sales.orders" in on_a_terminal(code)


def test_a_command_at_rest_says_nothing_more_whatever_comes() -> None:
    code = (
        "from linker.cli.progress import stop_progress\n"
        "with show_lines('refresh', 'works', again=0.01) as running:\n"
        "    wait(); stop_progress(); print('rests', file=sys.stderr, flush=True)\n"
        "    running.on_phase('goes on'); running.on_table('sales.orders'); wait()\n"
    )
    with off_a_terminal(code) as process:
        assert next_line(process).startswith("… refresh")
        go_on(process)
        assert next_line(process, beginning="rests") == "rests"
        go_on(process)
        assert process.stderr
        assert process.stderr.read() == ""


def test_the_command_speaks_where_none_of_its_stages_does() -> None:
    code = "with show_lines('refresh', 'works', again=0.01):\n"
    code += " with show_lines('index', 'embeds', again=0.01): wait()\n wait()"
    with off_a_terminal(code) as process:
        assert [next_line(process)[:12].rstrip() for _ in range(3)] == ["… index"] * 3
        go_on(process)
        assert next_line(process, beginning="… refresh") == "… refresh    works"
        go_on(process)


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """An environment whose servers accept connections and never answer."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        port = server.getsockname()[1]
        place = f"host: 127.0.0.1, port: {port}"
        output = (
            f"{{type: postgres, {place}, user: u, password: p, dbname: d, schema: s, threads: 1}}"
        )
        (tmp_path / "profiles.yml").write_text(
            f"shop: {{target: dev, outputs: {{dev: {output}}}}}", "utf-8"
        )
        (tmp_path / "questions.yml").write_text(
            "- question: How many?\n  gold_columns: [s.t.id]", "utf-8"
        )
        (tmp_path / "queries.sql").write_text("select count(*) from s.t", "utf-8")
        where = {
            "LINKER_PROFILES_DIR": str(tmp_path),
            "LINKER_PROFILE": "shop",
            "LINKER_STATE_DIR": str(tmp_path / "state"),
        }
        yield {**os.environ, **where, "LINKER_STORE_URL": f"postgresql://u:p@127.0.0.1:{port}/d"}


def said_before(line: str, words: str, environment: Mapping[str, str], folder: Path) -> list[str]:
    """Output on both pipes up to a line; then the command is ended."""
    command = [sys.executable, "-c", "from linker.cli import main; main()", *shlex.split(words)]
    lines: list[str] = []
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        for said in process.stdout:
            if said.startswith(line):
                break
            lines.append(said)
        else:
            lines.append(f"nobody says: {line}")
        process.kill()
    return lines


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("ask 'How many?'", "… ask        links the question"),
        ("sql 'How many?'", "… sql        answers the question"),
        ("diff", "… diff       compares two runs"),
        ("doctor", "… doctor     checks the setup"),
        ("eval golden --root questions.yml", "… suite      reads questions and databases"),
        ("export site public", "… site       writes the pages"),
        ("index", "… index      updates the index"),
        ("learn queries.sql", "… learn      reads queries.sql"),
        ("profile", "… profile    checks for missing schemas"),
        ("profile --plan", "… plan       checks the warehouse"),
        ("refresh", "… refresh    updates profiles and index"),
        ("refresh --plan", "… plan       checks store and warehouse"),
        ("runs", "… runs       reads the run history"),
        ("show customers", "… show       reads the profiles"),
        ("status --format json", "… status     checks store and warehouse"),
        ("uninstall --plan", "… check      checks warehouse, store and disk"),
    ],
)
def test_whatever_a_command_waits_for_a_line_says_what_it_does(
    words: str, line: str, silent: Mapping[str, str], tmp_path: Path
) -> None:
    said = said_before(line, words, silent, tmp_path)
    # Where the machine is slow there may be more lines of this kind.
    assert [line for line in said if not line.startswith(("… ", "✓ "))] == []


def test_as_json_it_is_an_event(silent: Mapping[str, str], tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-c",
        "from linker.cli import main; main()",
        "index",
        "--log-format",
        "json",
    ]
    with subprocess.Popen(
        command, cwd=tmp_path, env=silent, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        event = json.loads(process.stderr.readline())
        process.kill()
    assert (event["event"], event["level"], event["stage"]) == ("at_work", "info", "index")
    assert event["message"] == "updates the index"
