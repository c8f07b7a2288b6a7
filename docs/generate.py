"""Writes the reference pages from the code: `python docs/generate.py`, or `--check` to see that they are current."""

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import yaml

from linker import dbt_project_dir
from linker.cli import main as linker_command
from linker.config import Settings, variable_of

DOCS = Path(__file__).resolve().parent
# In the order in which dbt builds them; a folder that is missing here is an error.
_MODEL_FOLDERS = ("inventory", "families", "scans", "profiles", "joins", "runs")
_NOTE = "<!-- Written by `make docs`; do not edit. -->\n"


def cli_page() -> str:
    """Every command's help, as it is printed."""
    context = _context(linker_command, "linker")
    blocks = ["# The command", _NOTE, _help_block("linker", linker_command, context)]
    for name in linker_command.list_commands(context):
        command = _command(name, context)
        child = _context(command, name, parent=context)
        blocks += [f"## linker {name}\n", _help_block(f"linker {name}", command, child)]
        blocks += _inner_blocks(f"linker {name}", command, child)
    return "\n".join(blocks)


def _inner_blocks(words: str, command: click.Command, context: click.Context) -> Iterator[str]:
    """The help of the commands inside a command; of those that take the same options the first speaks for all."""
    if not isinstance(command, click.Group):
        return
    shown: set[tuple[str, ...]] = set()
    for name in command.list_commands(context):
        inner = command.commands[name]
        options = tuple(str(parameter.name) for parameter in inner.params)
        if options not in shown:
            shown.add(options)
            yield _help_block(f"{words} {name}", inner, _context(inner, name, parent=context))


def _command(name: str, context: click.Context) -> click.Command:
    if command := linker_command.get_command(context, name):
        return command
    raise KeyError(name)


def _context(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    return click.Context(command, parent, name, **{**command.context_settings, "terminal_width": 100})


def _help_block(words: str, command: click.Command, context: click.Context) -> str:
    lines = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    return f"```text\n$ {words} --help\n{lines}\n```\n"


def settings_page() -> str:
    """Every setting with its variable and default."""
    return "\n".join(["# Settings", _NOTE, *_settings_lines()]) + "\n"


def _settings_lines() -> Iterator[str]:
    yield "Settings come from `linker.yml` in the current folder, from the environment and from flags of the command."
    yield "Where one is given twice, the flag wins over the variable, and the variable over the file.\n"
    yield "| key in linker.yml | variable | flag | default | what it is |"
    yield "|---|---|---|---|---|"
    ask = _command("ask", _context(linker_command, "linker"))
    flags = {flag for parameter in ask.params for flag in parameter.opts}
    for setting in fields(Settings):
        key = setting.name
        default = "" if setting.default is None else f"`{setting.default}`"
        flag = f"--{key.replace('_', '-')}"
        shown = f"`{flag}`" if flag in flags else ""
        yield f"| `{key}` | `{variable_of(key)}` | {shown} | {default} | {setting.metadata['description']} |"
    yield "\n`LINKER_CONFIG` names another settings file."
    yield "`LINKER_DUCKDB_PATH` is read by the target `duckdb` of the shipped profiles."


def artifacts_page() -> str:
    """Every relation that dbt leaves, column by column."""
    return "\n".join(["# Artifacts", _NOTE, *_artifact_lines()]) + "\n"


def _artifact_lines() -> Iterator[str]:
    yield "The relations that `linker profile` (or `dbt run --select package:linker`) leaves in the warehouse."
    yield "Their columns are a contract: dbt refuses to build a relation that breaks it."
    files = dbt_project_dir().glob("models/*/*.yml")
    for file in sorted(files, key=lambda file: (_MODEL_FOLDERS.index(file.parent.name), file.name)):
        for model in yaml.safe_load(file.read_text("utf-8"))["models"]:
            yield f"\n## {model['name']}\n"
            yield f"{model['description']}\n"
            yield "| column | type | what it holds |"
            yield "|---|---|---|"
            for column in model["columns"]:
                # A template there chooses BigQuery's name of the type.
                data_type = "double precision" if "{{" in column["data_type"] else column["data_type"]
                yield f"| `{column['name']}` | {data_type} | {column['description']} |"


PAGES = {"cli.md": cli_page, "settings.md": settings_page, "artifacts.md": artifacts_page}


def main() -> int:
    """Write the pages, or with `--check` name those that are not current."""
    check = "--check" in sys.argv[1:]
    stale = []
    for name, page in PAGES.items():
        path, text = DOCS / name, page()
        if check and (not path.exists() or path.read_text("utf-8") != text):
            stale.append(name)
        elif not check:
            path.write_text(text, "utf-8")
    if stale:
        print(f"not current: {', '.join(stale)}; run: make docs", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
