"""Commands in messages work when pasted."""

import json
import re
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from linker.cli import main
from linker.cli.output import print_answer, read_settings, suggest, warn
from linker.config.settings import load_settings
from linker.config.target import load_target
from linker.environment import Environment
from linker.errors import ConfigError, StoreError
from linker.linking.result import LinkedSchema, LinkedTable
from linker.serve.explorer.html import page
from linker.serve.explorer.routes import AskOutcome
from linker.serve.session import ServerSession
from linker.text.commands import TAKEN, for_others, for_python, pasted, with_flags
from linker.types import Columns, Table, TableRef
from tests.messages import messages

SETUP = Path(__file__).resolve().parents[2] / "setup.cfg"
GIVEN = {
    "target": None,
    "profile": "our shop",
    "profiles_dir": Path("/srv/dbt's"),
    "state_dir": Path("/tmp/state"),
}
WRITTEN = """ --profile 'our shop' --profiles-dir '/srv/dbt'"'"'s' --state-dir /tmp/state"""


@pytest.fixture
def command() -> Iterator[click.Context]:
    """A command that runs."""
    with click.Context(main) as context:
        yield context


def test_each_command_of_a_message_has_the_flags_that_were_given() -> None:
    assert (
        with_flags("profile it anew: linker refresh", GIVEN)
        == f"profile it anew: linker refresh{WRITTEN}"
    )
    both = "if dropped: linker refresh --full; or: linker index"
    assert (
        with_flags(both, GIVEN)
        == f"if dropped: linker refresh{WRITTEN} --full; or: linker index{WRITTEN}"
    )
    assert (
        with_flags("`linker runs` shows it", {"profile": "shop"})
        == "`linker runs --profile shop` shows it"
    )
    assert with_flags("linker ask", {}) == "linker ask"


def test_a_command_is_given_only_the_flags_that_it_takes() -> None:
    assert (
        with_flags("linker trace show 2025-1", GIVEN)
        == "linker trace show --state-dir /tmp/state 2025-1"
    )
    assert with_flags("or try: linker demo", GIVEN) == "or try: linker demo --state-dir /tmp/state"
    assert (
        with_flags("name a file that `linker eval` wrote", GIVEN)
        == "name a file that `linker eval` wrote"
    )


@pytest.mark.parametrize("words", TAKEN)
def test_what_a_message_writes_behind_a_command_it_takes(words: str) -> None:
    found: click.Command = main
    for word in words.split():
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), word)
        assert below
        found = below
    written = shlex.split(with_flags(f"linker {words}", dict.fromkeys(TAKEN[words], "a b")))
    flags = {option for parameter in found.params for option in parameter.opts}
    assert set(written[1 + len(words.split()) :: 2]) <= flags


def test_what_to_do_next_and_warnings_repeat_the_flags(
    command: click.Context, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    read_settings({"target": "prod", "profile": None, "state_dir": tmp_path})
    suggest("linker index")
    warn("this answer uses profiles from 8d ago; run: linker refresh")
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"next: linker index --target prod --state-dir {tmp_path}"
    assert second.endswith(f"8d ago; run: linker refresh --target prod --state-dir {tmp_path}")


TALKING = LinkedSchema(
    "How often was linker ask run?",
    "shop.prod",
    "shortlist",
    (
        LinkedTable(
            Table(TableRef("shop", "calls"), "table", "calls of linker ask\u2060", 3, Columns(())),
            (),
        ),
    ),
    (),
    trace="2025-1",
    warnings=("no column is called “linker ask”", "it is old; run: linker refresh"),
)


def test_a_page_gives_its_own_commands_the_flags_and_leaves_text_of_the_user_and_the_warehouse(
    command: click.Context, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    read_settings({"target": "prod", "state_dir": tmp_path})
    print_answer(TALKING, "table", explain=True)
    written = capsys.readouterr()
    assert "How often was linker ask run?" in written.out
    assert "calls of linker ask\n" in written.out
    assert f"linker trace show --state-dir {tmp_path} 2025-1\n" in written.out
    assert "no column is called “linker ask”\n" in written.err


def test_warnings_for_programs_repeat_the_flags(
    command: click.Context, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    read_settings({"target": "prod", "state_dir": tmp_path})
    print_answer(TALKING, "json", explain=False)
    assert json.loads(capsys.readouterr().out)["warnings"] == [
        "no column is called “linker ask”",
        f"it is old; run: linker refresh --target prod --state-dir {tmp_path}",
    ]


def test_the_explorer_repeats_the_flags_of_the_server(
    command: click.Context, tmp_path: Path
) -> None:
    read_settings({"target": "prod", "state_dir": tmp_path})
    answer = AskOutcome(TALKING)
    shown = page(
        "ask", "ask.html", question=TALKING.question, steps=(), answer=lambda: answer, served=True
    )
    assert f"<code>linker trace show --state-dir {tmp_path} 2025-1</code>" in shown


def test_flags_end_with_their_command(tmp_path: Path) -> None:
    with click.Context(main):
        read_settings({"target": "prod", "state_dir": tmp_path})
        assert pasted("linker index") == f"linker index --target prod --state-dir {tmp_path}"
    assert pasted("linker index") == "linker index"


def test_an_error_repeats_the_flags(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["trace", "list", "--state-dir", str(tmp_path)])
    assert messages(done.stderr)[1] == f'   →   linker ask --state-dir {tmp_path} "…" writes one'


def test_a_profile_that_is_nowhere_leads_to_the_others_and_to_a_command_that_works(
    tmp_path: Path,
) -> None:
    (tmp_path / "profiles.yml").write_text("shop: {outputs: {}}\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_target(load_settings({"profile": "none", "profiles_dir": tmp_path}, {}))
    assert caught.value.hint == "set `profile` to one of: shop; or try: linker demo"


def test_who_is_answered_by_a_server_is_told_whose_task_a_command_is() -> None:
    assert for_others("linker index", {"profile": "shop"}) == (
        "linker index --profile shop (tell the person who runs this server)"
    )
    assert for_others("ask for less at once", {"profile": "shop"}) == "ask for less at once"
    assert for_others("raise it with --max-tokens", {"profile": "shop"}) == (
        "raise `max_tokens` (tell the person who runs this server)"
    )


def test_an_error_in_the_turn_of_a_server_says_so(tmp_path: Path) -> None:
    environment = Environment(load_settings({"state_dir": tmp_path}, {}), {"state_dir": tmp_path})
    resident = ServerSession(environment)
    with pytest.raises(StoreError) as caught, resident.used(needs_index=False):
        raise StoreError("the connection was lost", hint="try again; or: linker doctor")
    assert caught.value.hint == (
        f"try again; or: linker doctor --state-dir {tmp_path} (tell the person who runs this server)"
    )


def test_what_comes_next_can_be_pasted_where_uvx_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UV", "/usr/local/bin/uv")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    suggest("linker refresh")
    suggest("open http://127.0.0.1/")
    # `uv run` sets both.
    monkeypatch.setenv("VIRTUAL_ENV", "/shop/.venv")
    suggest("linker refresh")
    assert capsys.readouterr().err == (
        "next: uvx dbt-linker refresh\nnext: open http://127.0.0.1/\nnext: linker refresh\n"
    )


def test_what_comes_next_names_the_command_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.chdir(tmp_path)
    for folder in ("my env/bin", "other/bin"):
        program = tmp_path / folder / "linker"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n", "utf-8")
        program.chmod(0o755)
    monkeypatch.setattr("sys.argv", ["my env/bin/linker", "demo"])
    for path in ("nowhere", "other/bin", "my env/bin"):
        monkeypatch.setenv("PATH", str(tmp_path / path))
        suggest('linker ask "…"')
    suggest("open http://127.0.0.1/")
    assert capsys.readouterr().err.splitlines() == [
        "next: 'my env/bin/linker' ask \"…\"",
        "next: 'my env/bin/linker' ask \"…\"",
        'next: linker ask "…"',
        "next: open http://127.0.0.1/",
    ]


def test_pages_of_the_documentation_are_written_as_addresses(tmp_path: Path) -> None:
    [site] = re.findall(r"Documentation = (\S+/docs/)README\.md", SETUP.read_text("utf-8"))
    said = "see `recall` in docs/settings.md, or docs/strategies/README.md"
    written = f"see `recall` in {site}settings.md, or {site}strategies/README.md"
    for write in (pasted, for_python, partial(for_others, given={})):
        assert write(said) == written
    assert pasted(written) == written
    assert pasted("my/docs/notes.md is read") == "my/docs/notes.md is read"
    (tmp_path / "linker.yml").write_text("recall: many\n", "utf-8")
    done = CliRunner().invoke(main, ["ask", "--config", str(tmp_path / "linker.yml"), "how many"])
    assert f"see `recall` in {site}settings.md" in done.stderr
