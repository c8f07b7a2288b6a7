"""
Invalid inputs for every command: arguments, files and variables.

Cases are generated from the commands, their options and the settings, so new ones are covered.
"""

import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click
from msgspec.structs import fields

from linker.cli import main as linker
from linker.config.settings import Settings
from linker.evaluation.suites import registered_suites

SECRET = "hidden-word-0123456789"  # noqa: S105 - it is planted, and looked for
# Of the cases of a shared option one in so many is tried with each further command.
_STEP = 9
_CHANCE = random.Random(19)  # noqa: S311 - nothing is kept secret by it

# What a file may hold in place of what it should.
CONTENTS: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\t\r\n",
    "NUL bytes": b"\x00" * 64,
    "a NUL in a text": b'a: "b\\0c"\n',
    "UTF-16": b"\xff\xfe\x00",
    "UTF-16 settings": "target: dev\n".encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbftarget: dev\n",
    "Latin-1": "größe: änderung\n".encode("latin-1"),
    "a lone surrogate": b"a: \xed\xa0\x80\n",
    "random bytes": _CHANCE.randbytes(4096),
    "a program": b"\x7fELF" + _CHANCE.randbytes(200_000),
    "a line of a megabyte": b"x" * 1_000_000,
    "many lines": b"- x\n" * 20_000,
    "deep brackets": b"[" * 100_000,
    "deep braces": b'{"a":' * 50_000,
    "deep indents": b"".join(b" " * at + b"a:\n" for at in range(1_000)),
    "a secret in broken YAML": (
        f"store_url: [postgresql://u:{SECRET}@h/d\n  password: {SECRET}: {SECRET}\n"
    ).encode(),
    "a secret under an unknown key": f"passwort: {SECRET}\n".encode(),
    "a list": b"- 1\n- 2\n",
    "a word": b"hello\n",
    "a number": b"42\n",
    "JSON": b'{"a": {"b": [1, 2, null]}}',
    "broken JSON": b'{"a": ',
    "JSON that is no number": b"NaN",
    "keys that are no texts": b"1: 2\nnull: 3\n? [a, b]\n: c\ntrue: 4\n",
    "a date that is none": b"target: 2025-99-99\n",
    "a tag of Python": b"target: !!python/object/apply:os.system ['id']\n",
    "an anchor that holds itself": b"target: &a [*a]\n",
    "ever more aliases": b"a: &a [x,x,x,x,x,x,x,x]\n"
    + b"".join(
        b"%c: &%c [%s]\n" % (98 + at, 98 + at, b",".join([b"*%c" % (97 + at)] * 8))
        for at in range(7)
    )
    + b"target: *h\n",
    "two documents": b"a: 1\n---\nb: 2\n",
    "control characters": b"target: \x1b[31mred\x07\n",
    "words that turn": "target: \u202egrün\u2066\n".encode(),
    "a password dump": b"root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/usr/sbin/nologin\n",
}
TEXTS: dict[str, str] = {
    "an empty text": "",
    "blanks": " \t",
    "lone surrogates": os.fsdecode(b"\xed\xa0\x80"),
    "bytes that are no text": os.fsdecode(b"a\xff\xfe"),
    "control characters": "\x1b[2J\x07\r\n",
    "turning characters": "\u202enwod edispu\u2066",
    "a very long text": "orders " * 15_000,
    "brackets and percents": "%s %(x)s {} {{x}} $(id) `id` \\u0000 \\N",
    "SQL": "'; drop table x; --",
    "a path": "../../../etc/passwd",
    "a number": "42",
    "other letters": "注文 الطلبات 🎉👩‍👩‍👧",
}
NUMBERS: dict[str, str] = {
    **{
        f"{text!r}": text
        for text in (
            "",
            "abc",
            "nan",
            "inf",
            "-1",
            "0",
            "1e999",
            "9" * 40,
            "٣",
            "0x10",
            "1.5",
            "1,5",
        )
    },
    "lone surrogates": os.fsdecode(b"\xed\xa0\x80"),
}
# As YAML; a setting wants one of these at most.
VALUES = (
    '"a\\0b"',
    "[]",
    "{}",
    "[[1]]",
    "{a: {b: 1}}",
    "true",
    "-1",
    "1e400",
    ".nan",
    "2025-01-01",
    "' '",
    '"\\ud800"',
)
# Settings that may contain a password, with an address without a server.
SECRETS = {
    "store_url": f"postgresql://u:{SECRET}@127.0.0.1:1/d",
    "model_base_url": f"http://u:{SECRET}@127.0.0.1:1/v1",
    "embedder_base_url": f"http://u:{SECRET}@127.0.0.1:1/v1",
}
# The words of each command that make it run, and end soon; one that is not here gets none.
USUAL: dict[tuple[str, ...], tuple[str, ...]] = {
    ("ask",): ("price of orders",),
    ("sql",): ("price of orders", "--dry-run"),
    ("show",): ("plain",),
    ("demo",): ("--state-dir", "/proc/nowhere"),
    ("profile",): ("--plan",),
    ("refresh",): ("--plan",),
    ("learn",): ("queries.sql",),
    ("eval", "golden"): ("--root", "questions.yml"),
    ("eval", "demo"): ("--limit", "1"),
    ("eval", "catalogue"): ("--root", "nowhere"),
    ("eval", "compare"): ("answers.jsonl", "answers.jsonl", "--root", "questions.yml"),
    ("tune",): ("--suite", "golden", "--root", "questions.yml", "--out", "weights.out"),
}
# Of these, which start dbt where nothing is wrong before, fewer are tried.
STARTS_DBT = (("profile",), ("refresh",))
# They answer until they are ended.
SERVERS = frozenset(("mcp", "serve"))
# Files of a user, and the commands that read them; `linker.yml` and profiles.yml are read by all.
FILES: dict[str, tuple[tuple[str, ...], ...]] = {
    "dbt_project.yml": (("show", "plain"), ("status",)),
    "target/manifest.json": (
        ("profile", "--plan", "--select", "tag:nightly"),
        ("learn", "target/manifest.json"),
    ),
    "glossary.yml": (("ask", "price of orders"), ("doctor",)),
    "notes.txt": (("ask", "price of orders"),),
    "questions.yml": (("eval", "golden", "--root", "questions.yml"),),
    "verified.yml": (("verified", "list"),),
    "questions.csv": (("eval", "golden", "--root", "questions.csv"),),
    "answers.jsonl": (
        ("eval", "compare", "answers.jsonl", "answers.jsonl", "--root", "questions.yml"),
    ),
    "queries.sql": (("learn", "queries.sql"),),
    "queries.jsonl": (("learn", "queries.jsonl"),),
    "weights.json": (("ask", "price of orders"),),
    ".linker/traces/20250101-000000-000000-aaaa.jsonl.gz": (
        ("trace", "list"),
        ("trace", "show", "20250101"),
    ),
}
_PROFILES = f"""
shop:
  target: dev
  outputs:
    dev: {{type: duckdb, path: wh.duckdb, schema: shop}}
    far:
      {{type: postgres, host: 127.0.0.1, port: 1, user: u, password: {SECRET}, dbname: d,
        schema: s}}
"""
_SETTINGS = "profiles_dir: .\nprofile: shop\n"


@dataclass(frozen=True, slots=True)
class Case:
    """A command line with invalid parts or files."""

    command: tuple[str, ...]
    arguments: tuple[str, ...]
    what: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)


def make_world(folder: Path) -> None:
    """A user's files around a warehouse `wh.duckdb` that the caller provides."""
    (folder / "target").mkdir(exist_ok=True)
    for name, text in {
        "profiles.yml": _PROFILES,
        "linker.yml": _SETTINGS,
        "questions.yml": "- question: How many orders?\n  gold_columns: [shop.orders.order_id]\n",
        "queries.sql": "select count(order_id) from shop.orders;\n",
        "answers.jsonl": "",
    }.items():
        (folder / name).write_text(text, "utf-8")


def leaves(
    command: click.Command = linker, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All executable commands, without suites of plugins."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in (
        command_name
        for command_name in command.list_commands(context)
        if command_name not in SERVERS
    ):
        inner = command.get_command(context, name)
        if inner and not (
            path == ("eval",) and name in registered_suites() and (*path, name) not in USUAL
        ):
            yield from leaves(inner, (*path, name))


def cases() -> Iterator[Case]:
    """
    All cases of options, arguments, files and settings.

    Shared options are tested fully for `ask` and partly for other commands; settings with a shared
    parser are tested with some values each.
    """
    every = dict(leaves())
    tried = {parameter.name for parameter in every[("ask",)].params}
    for number, (path, command) in enumerate(every.items()):
        for index, parameter in enumerate(command.params):
            step = 4 if path in STARTS_DBT else 1
            if parameter.name in tried and path != ("ask",):
                step = _STEP
            yield from list(_of_parameter(path, parameter))[(number + index) % step :: step]
        tried |= {
            parameter.name for parameter in command.params if isinstance(parameter, click.Option)
        }
        if path != ("demo",):
            yield from _of_file(path, USUAL.get(path, ()), "linker.yml")
        if not {"trace", "demo"} & set(path):
            yield from _of_file(path, USUAL.get(path, ()), "profiles.yml")
    for file, commands in FILES.items():
        for words in commands:
            length = 2 if words[0] in ("eval", "trace") else 1
            yield from _of_file(words[:length], words[length:], file)
    yield from _of_settings()


def _of_parameter(path: tuple[str, ...], parameter: click.Parameter) -> Iterator[Case]:
    usual: tuple[str, ...] = USUAL.get(path, ())
    is_argument = isinstance(parameter, click.Argument)
    if isinstance(parameter, click.Option) and (
        parameter.is_flag or isinstance(parameter.type, click.Choice)
    ):
        return
    option: tuple[str, ...] = () if is_argument else (max(parameter.opts, key=len),)
    # What takes the place of the usual argument.
    others = usual[1:] if is_argument else usual
    name = "".join(option) or parameter.name
    if isinstance(parameter.type, click.Path):
        for what, content in CONTENTS.items():
            yield Case(path, (*option, "odd.yml", *others), f"{name}: {what}", {"odd.yml": content})
        indexes = {
            "a folder": "target",
            "nothing there": "nowhere.yml",
            "unreadable": "/proc/self/mem",
            **TEXTS,
        }
        for what, index in {**indexes, "a name too long": "x" * 5_000}.items():
            yield Case(path, (*option, index, *others), f"{name}: {what}")
        return
    texts = TEXTS if isinstance(parameter.type, click.types.StringParamType) else NUMBERS
    for what, text in texts.items():
        yield Case(path, (*option, text, *others), f"{name}: {what}")


def _of_file(command: tuple[str, ...], arguments: tuple[str, ...], file: str) -> Iterator[Case]:
    for what, content in CONTENTS.items():
        yield Case(command, arguments, f"{file}: {what}", {file: content, **_named_by(file)})


def _named_by(file: str) -> dict[str, bytes]:
    """Settings that a file needs in order to be read."""
    if file == "dbt_project.yml":
        return {"linker.yml": b""}
    key = {
        "glossary.yml": "glossary",
        "notes.txt": "documents",
        "weights.json": "ranking_weights",
    }.get(file)
    return {"linker.yml": f"{_SETTINGS}{key}: {file}\n".encode()} if key else {}


def _of_settings() -> Iterator[Case]:
    """Every setting with invalid values, in linker.yml and in the environment."""
    for index, setting in enumerate(fields(Settings)):
        for value in VALUES[index % 4 :: 4]:
            text = "".join(
                line
                for line in _SETTINGS.splitlines(True)
                if not line.startswith(f"{setting.name}:")
            )
            files = {"linker.yml": f"{text}{setting.name}: {value}\n".encode()}
            yield Case(("ask",), USUAL[("ask",)], f"setting {setting.name}: {value}", files)
        secret = {"a secret": SECRETS[setting.name]} if setting.name in SECRETS else {}
        for what, word in (*list(TEXTS.items())[index % 4 :: 4], *secret.items()):
            variables = {f"LINKER_{setting.name.upper()}": word}
            yield Case(
                ("ask",),
                USUAL[("ask",)],
                f"variable of {setting.name}: {what}",
                variables=variables,
            )
