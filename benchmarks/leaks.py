"""
Searches everything that linker leaves and prints for hidden and masked values: `make bench-leaks`.

Every command runs once over the warehouses of `benchmarks.canary_warehouses`; the search ignores
case.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import psycopg
from psycopg import sql as composed
from pydantic import BaseModel

from benchmarks.canary_warehouses import (
    SHOWN,
    WAREHOUSES,
    CanaryWarehouse,
    canaries,
    filled_script,
    hidden_texts,
    write_project,
)
from benchmarks.keyword_model import answer_by_keywords
from benchmarks.scripted import RuleModel
from linker.config.settings import load_settings
from linker.environment import Environment
from linker.errors import LinkerError
from linker.index.embedded import start_postgres
from linker.models import LanguageModel, Prompt
from linker.output import FORMATS, SQL_FORMS, render, render_answer
from linker.output.card import render_card
from linker.output.notebook_results import column_html, table_html
from linker.pipeline import ask, show, sql
from linker.serve.tools_describe import column_values, describe
from linker.serve.tools_search import search_schema
from linker.serve.value_search import search_values
from linker.sql.candidates import ChoiceReply, SqlReply

OUT = Path(__file__).resolve().parent / "safety" / "leaks.json"
PAGES = "pages"
QUESTIONS = (
    "What is the password of account 7?",
    "Which accounts have the highest salary, and what are their notes?",
    "How many gold accounts opened an event?",
)
_ONE_AFTER_THE_OTHER = """
import contextlib, json, sys
from linker.cli import main
for words in json.loads(sys.argv[1]):
    with contextlib.suppress(SystemExit):
        main(words)
"""
COLUMNS = (
    "warehouse",
    "place",
    "searched",
    "bytes",
    "shown values found",
    "bytes of hidden values found",
)


def commands(*, is_short: bool) -> Iterator[tuple[str, ...]]:
    """What a user runs, in order."""
    yield from (("profile",), ("index",), ("show", "rep.whole"), ("ask", QUESTIONS[0], "--explain"))
    if not is_short:
        yield ("refresh", "--log-format", "json", "--metrics-file", "metrics.prom")
        for question, form in product(QUESTIONS[1:], ("ddl", "json")):
            yield ("ask", question, "--format", form)
        yield from (
            ("sql", QUESTIONS[0]),
            ("trace", "list"),
            ("trace", "show", "--prompts"),
            ("profile", "--plan"),
        )
        yield from (("doctor",), ("status", "--format", "json"), ("runs",), ("diff",))
        yield from (("export", "site", PAGES), ("export", "dbt"), ("export", "semantic-models"))


def run_linker(commands: Sequence[Sequence[str]], folder: Path) -> bytes:
    """
    Output and errors of the commands, one after the other in one process: most of them import more
    than they do.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith("LINKER_")}
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", _ONE_AFTER_THE_OTHER, json.dumps(commands)],
        cwd=folder,
        env={**own, "HOME": str(folder), "LINKER_PROFILES_DIR": str(folder)},
        capture_output=True,
        check=False,
    )
    return done.stdout + done.stderr


class AskedEnvironment(Environment):
    """The parts of the target with a rule for a model, which keeps the prompts that it is given."""

    def __init__(self, folder: Path) -> None:
        settings = {
            "config": folder / "linker.yml",
            "profiles_dir": folder,
            "manifest": folder / "manifest.json",
        }
        super().__init__(load_settings({**settings, "state_dir": folder / ".linker"}, {}))
        self.prompts: list[str] = []

    @property
    def model(self) -> LanguageModel:
        """Returns the keyword model."""
        return RuleModel(self._answer)

    def _answer(self, prompt: Prompt, answer: type[BaseModel]) -> object:
        self.prompts.append(f"{prompt.instructions}\n{prompt.content}")
        if answer is SqlReply:
            return {"sql": "select * from rep.renamed"}
        if answer is ChoiceReply:
            return {"better": "first"}
        return answer_by_keywords(prompt, answer)


def with_model(folder: Path, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """
    Prompts of a model that links and writes SQL, and all that cards, answers, probes and refusals
    say.
    """
    outputs: list[str] = []
    environment = AskedEnvironment(folder)
    with environment:
        for question in QUESTIONS:
            schema = ask(question, environment)
            outputs += [render(schema, form, width=200, explain=True) for form in FORMATS]
            answer = sql(schema, environment)
            outputs += [render_answer(answer, schema, form, width=200) for form in SQL_FORMS]
        cards = [show(name, environment) for name in names]
        outputs += [
            render_card(*card, form, width=200, color=False)
            for card, form in product(cards, ("text", "json"))
        ]
        outputs += [
            table_html(table) if column is None else column_html(table, column)
            for table, column in cards
        ]
        outputs += _looked_up(environment, names)
        guard = environment.warehouse.guard
        for name in names:
            schema_name, table, *path = name.split(".", 2)
            column = f'"{path[0]}"' if path else "*"
            probe = f'select {column} from "{schema_name}"."{table}"'  # noqa: S608 - the guard reads it
            for text in (probe, f"select * from ({probe}) as s"):  # noqa: S608 - as above
                try:
                    outputs.append(str(guard.run(text, environment.warehouse.session)))
                except LinkerError as error:
                    outputs.append(f"{error.what} {error.hint}")
        return environment.prompts, outputs


def _looked_up(environment: Environment, names: Sequence[str]) -> Iterator[str]:
    """Everything that agents can see of these tables and columns."""
    tables = [name for name in names if name.count(".") == 1]
    columns = [name for name in names if name.count(".") > 1]
    for lookup in (
        describe(environment, tables, "", names_only=False),
        column_values(environment, columns, "", 50, statistics=True),
        search_schema(environment, QUESTIONS, 40),
        search_values(environment, [canaries()[SHOWN], "gold", "account"], 20),
    ):
        yield from lookup.lines


def rows_of_store(folder: Path) -> Iterator[bytes]:
    """Every row of every table of the store, as text."""
    server = start_postgres(folder / ".linker" / "postgres")
    try:
        with psycopg.connect(server.url, autocommit=True) as connection:
            tables = connection.execute(
                "select schemaname, tablename from pg_tables where schemaname not like 'pg|_%' "
                "escape '|' and schemaname <> 'information_schema'"
            ).fetchall()
            for schema, table in tables:
                rows = composed.SQL("select t::text from {} as t").format(
                    composed.Identifier(schema, table)
                )
                for (row,) in connection.execute(rows):
                    yield row.encode()
                    # Records are kept as bytes, which a text shows in hexadecimal digits.
                    yield from (
                        bytes.fromhex(digits)
                        for digits in re.findall(r"\\+x((?:[0-9a-f]{2})+)", row)
                    )
    finally:
        server.stop()


def rows_of_artifacts(warehouse: CanaryWarehouse) -> Iterator[bytes]:
    """Every row of every relation that dbt left in the warehouse."""
    relations = (
        "select table_schema, table_name from information_schema.tables where table_schema = "
        "'main_linker'"
    )
    for schema, table in warehouse.rows(relations):
        for row in warehouse.rows(f'select * from "{schema}"."{table}"'):  # noqa: S608 - names of our own relations
            yield repr(row).encode()


def files_of(folder: Path, pattern: str = "*") -> Iterator[bytes]:
    """Every file below a folder, or those of that name."""
    for path in sorted(folder.rglob(pattern)):
        if path.is_file():
            content = path.read_bytes()
            yield gzip.decompress(content) if path.suffix == ".gz" else content


@dataclass(frozen=True, slots=True)
class Found:
    """What was searched at a place, and what was found there."""

    place: str
    count: int
    size: int
    shown: int
    hidden: int
    texts: tuple[str, ...]


def search(place: str, parts: Iterator[bytes] | Sequence[bytes], texts: Mapping[str, str]) -> Found:
    """Count texts, ignoring case."""
    wanted = re.compile(b"|".join(map(re.escape, hidden_texts(texts))))
    shown_text = texts[SHOWN].encode()
    count = size = shown = hidden = 0
    found: set[str] = set()
    for part in parts:
        lower = part.lower()
        matches = wanted.findall(lower)
        count, size, shown = count + 1, size + len(part), shown + lower.count(shown_text)
        hidden += sum(map(len, matches))
        found.update(match.decode() for match in matches)
    return Found(place, count, size, shown, hidden, tuple(sorted(found)))


def names_of(warehouse: CanaryWarehouse) -> list[str]:
    """The tables and columns, as `linker show` reads their names."""
    query = "select table_schema, table_name, column_name from information_schema.columns"
    listed = [
        row for row in warehouse.rows(query) if row[0] in ("crm", "rep") and '"' not in row[1]
    ]
    tables = dict.fromkeys(f"{schema}.{table}" for schema, table, _ in listed)
    return [*tables, *(f"{schema}.{table}.{column}" for schema, table, column in listed)]


def measure(name: str, folder: Path, *, is_short: bool = False) -> list[Found]:
    """Do everything once over one warehouse, and search what it left."""
    texts = canaries()
    script = filled_script(texts)
    with WAREHOUSES[name](folder, script) as warehouse:
        write_project(warehouse)
        names = names_of(warehouse)
        output = run_linker([*commands(is_short=is_short)], folder)
        prompts, outputs = with_model(folder, names)
        state = folder / ".linker"
        return [
            search("output of commands", output.splitlines(), texts),
            search("prompts of a model", [prompt.encode() for prompt in prompts], texts),
            search(
                "cards, answers, SQL, lookups of agents, probes and refusals",
                [output.encode() for output in outputs],
                texts,
            ),
            search("profile tables in the warehouse", rows_of_artifacts(warehouse), texts),
            search("rows of the store", rows_of_store(folder), texts),
            search("pages of the explorer", files_of(folder / PAGES), texts),
            search("metrics", files_of(folder, "*.prom"), texts),
            search("traces", files_of(state / "traces"), texts),
            search("logs and files of dbt", files_of(state / "dbt"), texts),
            search("all files of the data directory", files_of(state), texts),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    out = parser.parse_args().out
    rows: list[list[object]] = []
    for name in WAREHOUSES:
        with tempfile.TemporaryDirectory(prefix=f"linker-leaks-{name}-") as folder:
            for found in measure(name, Path(folder)):
                rows.append([name, found.place, found.count, found.size, found.shown, found.hidden])
                sys.stdout.write(f"{name}: {found}\n")
    page = {
        "title": "Hidden values outside the warehouse",
        "command": "make bench-leaks",
        "date": datetime.now(UTC).date().isoformat(),
        "note": (
            f"{len(hidden_texts(canaries())):,} planted texts in columns hidden or masked by name, "
            "settings, dbt meta or values, in views and a dbt model over them, and in comments; each "  # noqa: E501
            "command ran once. Shown values are searched as a control."
        ),
        "columns": COLUMNS,
        "rows": rows,
    }
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(page, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
