"""Wording of user texts: no replaced phrase returns, and help names only what exists."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import click
from msgspec.structs import fields

from linker.cli import main
from linker.config.settings import Settings
from linker.strategies import strategy_names

ROOT = Path(__file__).resolve().parents[2]
# Texts that users read, by pattern; docs pages join as they are rewritten.
READ = (
    "linker/**/*.py",
    "linker/serve/explorer/templates/*.j2",
    "linker/ranking/reasons.json",
    "macros/**/*.sql",
    "models/**/*.sql",
    "docs/words/*.yml",
    "docs/answers.py",
    "docs/generate.py",
    "docs/answer.md",
    "docs/evaluation.md",
    "docs/history.md",
    "docs/learning.md",
    "docs/linking.md",
    "docs/refresh.md",
    "docs/tutorial.md",
    "docs/using.md",
    "docs/answer.schema.json",
    "docs/cli.md",
    "docs/settings.md",
    "docs/sql-answer.md",
    "docs/sql-answer.schema.json",
    "docs/status.md",
    "tests/golden/render/**/*.*",
    "tests/golden/report/*",
)
# Texts of prompts, and of tools that language models call: a change there costs their recordings.
PROMPTS = ("linker/prompts/", "linker/serve/", "tests/golden/prompts/")
EXPLORER = "linker/serve/explorer/"
# Phrases that were replaced, in lower case.
BANNED = (
    "a key that tables share",
    "all that is needed is here",
    "also there",
    "as private as all columns",
    "brings the index in step",
    "did not come to an end",
    "did not end well",
    "its meaning is near",
    "its name is asked for",
    "its values fit",
    "its words fit",
    "joins likely tables",
    "names what is not there",
    "names what the table is of",
    "names what does not exist",
    "no column beside it fits better",
    "no other column fits as well",
    "nobody described it",
    "nobody knows when",
    "not in step",
    "nothing here is certain",
    "nothing in this warehouse speaks",
    "nothing is known of a run",
    "nothing of the question is in",
    "nothing speaks of",
    "nothing to do in",
    "rows a key",
    "settings stand in",
    "something is wrong; one line",
    "the best name in its table",
    "the index is behind",
    "two scans of it began",
    "was left as it is",
    "way to answer needs",
    "ways to answer that were weighed",
    "what is finished stays",
    "what was finished stays",
    "where golden lies",
    "where {name} lies",
    "% likely",
)
# Riddles that docstrings and comments once spoke in: whole words, in lower case.
RIDDLES = (
    "are told",
    "as it is told",
    "brings up",
    "brought up",
    "in step",
    "is told",
    "kin",
    "let go of",
    "nobody",
    "say whether",
    "speaks for",
    "tell if",
    "tell whether",
    "tells if",
    "the sayings",
    "unspoken",
    "which is told",
    "whoever",
)
# Names in help that are neither strategies nor settings, commands or flags: of dbt, SQL and files.
_OF_DBT = {"accepted_values", "not_null", "relationships", "unique", "warn"}
OTHER_NAMES = {"auto", "demo", "host", "json", "last", "markdown", "offline", "query", "query_text"}
OTHER_NAMES |= {"table", *_OF_DBT}
_NAME = re.compile(r"`([a-z][a-z_-]*)`")
_COMMAND = re.compile(r"`(linker [a-z -]+?)(?: --[^`]*)?`")
_ANSWERS = re.compile(r"([a-z_]+)\.jsonl")
# Comments of Jinja, SQL and YAML, and descriptions.
_PACKAGE_NOTE = re.compile(r"\{#(?s:.*?)#\}|--[^\n]*|# [^\n]*|description: [^\n]*")


def texts() -> Iterator[tuple[str, str]]:
    """Every text that users read, with its file; of code the string literals alone."""
    for pattern in READ:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(PROMPTS) and not name.startswith(EXPLORER):
                continue
            content = path.read_text("utf-8")
            yield name, "\n".join(literals(content)) if path.suffix == ".py" else content


def literals(code: str) -> Iterator[str]:
    """The strings of a module; docstrings only of commands, whose help they are."""
    tree = ast.parse(code)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    internal = set[ast.expr]()
    for node in ast.walk(tree):
        if not isinstance(node, documented) or ast.get_docstring(node) is None:
            continue
        if not getattr(node, "decorator_list", []):
            first = node.body[0]
            assert isinstance(first, ast.Expr)
            internal.add(first.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in internal:
            yield node.value


def helps(command: click.Command, name: str = "linker") -> Iterator[tuple[str, str]]:
    """The help of each command, with the texts of its options."""
    context = click.Context(command, info_name=name)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found
            yield from helps(found, f"{name} {inner}")


HELPS = dict(helps(main))


def test_no_phrase_that_was_replaced_comes_back() -> None:
    found = []
    for name, text in texts():
        flat = " ".join(text.split()).lower()
        found += [f"{name}: {phrase}" for phrase in BANNED if phrase in flat]
    assert found == []


def test_no_docstring_says_what_enters_and_what_leaves() -> None:
    """As all did once: a docstring says what a thing is or does."""
    for folder in ("linker", "benchmarks", "docs", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            said = " ".join((ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split())
            assert not re.search(r"\benters? .+\bleaves?\b", said), path


def test_no_docstring_or_comment_speaks_in_riddles() -> None:
    riddle = re.compile(rf"\b(?:{'|'.join(RIDDLES)})\b")
    found = []
    for path in sorted((ROOT / "linker").rglob("*.py")):
        for text in notes(path.read_text("utf-8")):
            found += [f"{path.name}: {phrase}" for phrase in riddle.findall(text)]
    assert found == []


def test_no_comment_or_description_of_the_dbt_package_speaks_in_riddles() -> None:
    riddle = re.compile(rf"\b(?:{'|'.join(RIDDLES)})\b")
    found = []
    for folder in ("macros", "models"):
        for path in sorted((ROOT / folder).rglob("*.[sy]*l")):
            for text in _PACKAGE_NOTE.findall(path.read_text("utf-8")):
                found += [f"{path.name}: {phrase}" for phrase in riddle.findall(text.lower())]
    assert found == []


def notes(code: str) -> Iterator[str]:
    """The docstrings and comments of a module, each in one line of lower case."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, documented):
            yield " ".join((ast.get_docstring(node) or "").lower().split())
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lower()


def test_every_pattern_of_texts_finds_some() -> None:
    assert [pattern for pattern in READ if not any(ROOT.glob(pattern))] == []


def test_help_names_only_strategies_settings_and_commands_that_exist() -> None:
    settings = {field.name for field in fields(Settings)}
    for name, text in HELPS.items():
        whole = " ".join(text.split())
        known = {*strategy_names(), *settings, *OTHER_NAMES}
        assert set(_NAME.findall(whole)) - known == set(), name
        assert {item for item in _COMMAND.findall(whole) if item not in HELPS} == set(), name
        # Files of answers are called by their strategy.
        assert set(_ANSWERS.findall(whole)) - {*strategy_names(), "before", "after"} == set(), name


def test_examples_of_help_are_commands_with_options_that_exist() -> None:
    for line in "\n".join(HELPS.values()).splitlines():
        words = line.split()
        if not line.startswith("    linker ") or not words[1].isalpha():
            continue
        whole = next(
            (" ".join(words[:count]) for count in (3, 2) if " ".join(words[:count]) in HELPS), None
        )
        assert whole, line
        for option in re.findall(r" (--[a-z-]+)", line.partition("#")[0]):
            assert f"{option} " in HELPS[whole] or f"{option}\n" in HELPS[whole], line
