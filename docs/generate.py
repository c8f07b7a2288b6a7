"""Generates the reference pages and folder READMEs: `python -m docs.generate`, or `--check`."""

import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from itertools import chain
from pathlib import Path

import click
import yaml
from msgspec.structs import fields

from docs.answers import answer_page, field_words, json_schema, sql_answer_page
from docs.folders import folder_pages
from docs.macros import private_macros
from docs.safety import safety_page
from docs.tools import agents_page
from linker import dbt_project_dir
from linker.cli import main as linker_command
from linker.cli.progress import EVENTS
from linker.config.settings import Settings, variable_of
from linker.history.metrics import METRICS, PREFIX, REMEMBERED
from linker.output import status
from linker.output.json import AnswerRecord, SqlRecord
from linker.text.numbers import duration_text

DOCS = Path(__file__).resolve().parent
# In the order in which dbt builds them; a folder that is missing here is an error.
_MODEL_FOLDERS = ("inventory", "families", "scans", "profiles", "joins", "runs", "agents")
_NOTE = "<!-- Written by `make docs`; do not edit. -->\n"


def cli_page() -> str:
    """Every command's help, as it is printed."""
    context = _context(linker_command, "linker")
    blocks = ["# The command", _NOTE, _help_block("linker", linker_command, context)]
    for name in linker_command.list_commands(context):
        command = _own(_command(name, context))
        child = _context(command, name, parent=context)
        blocks += [f"## linker {name}\n", _help_block(f"linker {name}", command, child)]
        blocks += _inner_blocks(f"linker {name}", command, child)
    return "\n".join(blocks)


def _own(command: click.Command) -> click.Command:
    """
    A command without those that other packages add to it: `commands` holds those of linker alone.
    """
    if not isinstance(command, click.Group):
        return command
    return click.Group(
        command.name, commands=command.commands, params=command.params, help=command.help
    )


def _inner_blocks(words: str, command: click.Command, context: click.Context) -> Iterator[str]:
    """
    The help of the commands inside a command; of those that take the same options the first speaks
    for all.
    """
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


def _context(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    return click.Context(
        command, parent, name, **{**command.context_settings, "terminal_width": 100}
    )


def _help_block(words: str, command: click.Command, context: click.Context) -> str:
    lines = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    return f"```text\n$ {words} --help\n{lines}\n```\n"


def settings_page() -> str:
    """Every setting with its variable and default."""
    return "\n".join(["# Settings", _NOTE, *_settings_lines()]) + "\n"


def _settings_lines() -> Iterator[str]:
    yield (
        "Settings are read from `linker.yml` in the working directory, environment variables and "
        "flags."
    )
    yield "Flags override variables, and variables override the file.\n"
    yield "| key in linker.yml | variable | flag | default | description |"
    yield "|---|---|---|---|---|"
    ask = _command("ask", _context(linker_command, "linker"))
    flags = set(chain.from_iterable(parameter.opts for parameter in ask.params))
    words = field_words("settings")
    for setting in fields(Settings):
        key = setting.name
        default = "" if setting.default in (None, ()) else f"`{_default_words(setting.default)}`"
        flag = f"--{key.replace('_', '-')}"
        shown = f"`{flag}`" if flag in flags else ""
        yield f"| `{key}` | `{variable_of(key)}` | {shown} | {default} | {words[key]} |"
    yield "\n`LINKER_CONFIG` names another settings file."
    yield (
        "A discovered `linker.yml` cannot point to other machines, "
        "and server keys have their own variables: [keys and servers](models.md#keys-and-servers)."
    )
    yield "`LINKER_DUCKDB_PATH` is read by the target `duckdb` of the shipped profiles."


def _default_words(default: object) -> str:
    return duration_text(default) if isinstance(default, timedelta) else str(default)


def status_page() -> str:
    """Every field of the status as JSON."""
    return "\n".join(["# The status", _NOTE, *_status_lines()]) + "\n"


def _status_lines() -> Iterator[str]:
    yield (
        "`linker status` shows per schema the last refresh, profiled and changed tables, "
        "unreadable tables,"
    )
    yield "hidden and sampled data, and whether the index is up to date."
    yield "It reads the store, so it works while the warehouse is offline or locked."
    yield "Values that need the warehouse are then `?`, with a line on stderr."
    yield "Changes since the last refresh are known only with the data directory of that refresh.\n"
    yield "With `--max-age 24h` it exits with 1 if a schema is older,"
    yield "or the last run failed, was killed or could not read a table; stderr names the cause."
    yield (
        "It exits with 2 on configuration errors, without the store or before the first refresh, "
        "else with 0.\n"
    )
    yield f"## JSON, version {status.VERSION}\n"
    yield (
        "`--format json` prints one document. Times are ISO 8601 in UTC; unknown values are null.\n"
    )
    yield from _field_lines(field_words("status")["document"])
    yield "\n### schemas[], total\n"
    yield from _field_lines(field_words("status")["schemas"])


def _field_lines(told: Mapping[str, str]) -> Iterator[str]:
    yield "| field | description |"
    yield "|---|---|"
    yield from (f"| `{name}` | {what} |" for name, what in told.items())


def artifacts_page() -> str:
    """Every profile table, column by column."""
    return "\n".join(["# Profile tables", _NOTE, *_artifact_lines()]) + "\n"


def _artifact_lines() -> Iterator[str]:
    yield (
        "The relations that `linker profile` (or `dbt run --select package:linker`) builds in the "
        "warehouse."
    )
    yield (
        "Their columns are contracts, enforced by dbt. Your models may reference them: `{{ "
        "ref('linker_columns') }}`."
    )
    yield "Other relations in that schema are private and may change with any version."
    files = dbt_project_dir().glob("models/*/*.yml")
    for file in sorted(files, key=lambda file: (_MODEL_FOLDERS.index(file.parent.name), file.name)):
        for model in yaml.safe_load(file.read_text("utf-8"))["models"]:
            if model["config"]["access"] != "public":
                continue
            yield f"\n## {model['name']}\n"
            yield f"{model['description']}\n"
            yield "| column | type | description |"
            yield "|---|---|---|"
            for column in model["columns"]:
                yield f"| `{column['name']}` | {column['data_type']} | {column['description']} |"


def monitoring_page() -> str:
    """Log events and metrics."""
    return "\n".join(["# Monitoring", _NOTE, *_monitoring_lines()]) + "\n"


def _monitoring_lines() -> Iterator[str]:
    yield (
        "Log events and metrics of `linker refresh`; [scheduling](scheduling.md) shows how to use "
        "them."
    )
    yield "\n## Log events\n"
    yield (
        "With `--log-format json` (of `refresh`, `profile` and `index`) each line on stderr is an "
        "object with `ts`,"
    )
    yield "`level`, `event`, `message` and the event's known fields."
    yield "It contains table names and error texts of the warehouse, but no values or settings."
    yield "Invalid flags are reported as plain text, before logging starts.\n"
    yield "| event | level | when | fields |"
    yield "|---|---|---|---|"
    for name, event in EVENTS.items():
        shown = ", ".join(f"`{one}`" for one in event.fields)
        yield f"| `{name}` | {event.level} | {event.what} | {shown} |"
    yield "\n## Metrics\n"
    yield "`--metrics-file` writes Prometheus text, atomically: gauges with the label `target`."
    yield "Use one file per target; node_exporter reads files ending in `.prom`.\n"
    yield "| metric | further label | meaning |"
    yield "|---|---|---|"
    told = [(one.name, f"`{one.label}`" if one.label else "", one.what) for one in METRICS]
    told += [(name, "", what) for name, what in REMEMBERED]
    yield from (f"| `{PREFIX}{name}` | {label} | {what} |" for name, label, what in told)


PAGES: Mapping[str, Callable[[], str]] = {
    "answer.md": answer_page,
    "answer.schema.json": partial(json_schema, AnswerRecord),
    "artifacts.md": artifacts_page,
    "cli.md": cli_page,
    "monitoring.md": monitoring_page,
    "agents.md": lambda: agents_page(DOCS / "agents.md"),
    "safety.md": safety_page,
    "settings.md": settings_page,
    "sql-answer.md": sql_answer_page,
    "sql-answer.schema.json": partial(json_schema, SqlRecord),
    "status.md": status_page,
}


def main() -> int:
    """Write the pages, or with `--check` name those that are not current."""
    check = "--check" in sys.argv[1:]
    stale = []
    pages = (
        {DOCS / name: page() for name, page in PAGES.items()} | folder_pages() | private_macros()
    )
    for path, text in pages.items():
        if check and (not path.exists() or path.read_text("utf-8") != text):
            stale.append(str(path.relative_to(DOCS.parent)))
        elif not check:
            path.write_text(text, "utf-8")
    if stale:
        print(f"not current: {', '.join(stale)}; run: make docs", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
