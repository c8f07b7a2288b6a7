"""
The rule of `word_rule` for prompts of the other strategies.

It selects tables and columns that share a word, writes a query over them, judges single columns,
repeats the question's words, and plays three agent turns: explore and search, add and verify, stop.
"""

from collections.abc import Callable
from typing import Any, cast

from pydantic import BaseModel

from benchmarks.baselines.composing import DroppedReply
from benchmarks.baselines.judging import ColumnReply
from benchmarks.baselines.mac_sql import MAX_OF_TABLE, SelectionReply
from benchmarks.baselines.reforce import TableReply
from benchmarks.baselines.row_sampling import QueriesReply
from benchmarks.baselines.thinking import LinksReply, TextReply
from benchmarks.baselines.writing import SqlReply
from benchmarks.prompt_lines import is_key, is_near, name_of, path_of
from linker.linking.actions import ColumnsReply, TablesReply
from linker.strategies.autolink import StepReply
from linker.strategies.bidirectional import KeywordsReply, QuestionsReply
from linker.text.words import words_of_name

_TABLES_OF_QUERY = 4
_SEARCHES = 3
Shown = dict[str, str]
Chosen = list[tuple[str, str]]


def _tables(shown: Shown, asked: set[str]) -> object:
    """Those of which the name or two columns share a word with the question; three at least."""
    found: dict[str, int] = {}
    for line in shown["tables"].splitlines():
        if line.startswith(" "):
            found[list(found)[-1]] += is_near(line, asked)
        else:
            own = set(words_of_name(name_of(line).rpartition(".")[2]))
            listed = (name for name in line.rpartition(": ")[2].split(", ") if ": " in line)
            found[name_of(line)] = 2 * bool(asked & own) + sum(
                is_near(name, asked) for name in listed
            )
    near = [table for table, score in found.items() if score > 1]
    return {"tables": list(dict.fromkeys((*near, *list(found)[:3])))}


def _columns(shown: Shown, asked: set[str]) -> object:
    chosen = _near(shown["columns"], asked)
    columns: dict[str, list[str]] = {}
    for table, path in chosen:
        columns.setdefault(table, []).append(path)
    return {"tables": [{"table": table, "columns": paths} for table, paths in columns.items()]}


def _dropped(shown: Shown, asked: set[str]) -> object:
    """What shares no word with the question and is no key."""
    far = dict[str, list[str]]()
    for line in shown["columns"].splitlines():
        if not line.startswith(" "):
            far[name_of(line)] = []
        elif not is_near(line, asked) and not is_key(line.strip()):
            far[list(far)[-1]].append(path_of(line))
    return {
        "tables": [
            {"table": table, "columns": columns} for table, columns in far.items() if columns
        ]
    }


def _selection(shown: Shown, asked: set[str]) -> object:
    """Six columns of each table with a word of the question; none is kept whole."""
    chosen = cast("dict[str, list[dict[str, Any]]]", _columns(shown, asked))
    return {
        "tables": [
            {**table, "columns": table["columns"][:MAX_OF_TABLE]} for table in chosen["tables"]
        ]
    }


def _judged_table(shown: Shown, asked: set[str]) -> object:
    """A table with two words of the question, and its columns with one and its keys."""
    heading, *lines = shown["columns"].splitlines()
    near = [line for line in lines if is_near(line, asked)]
    own = asked & set(words_of_name(name_of(heading).rpartition(".")[2]))
    needed = [path_of(line) for line in lines if line in near or is_key(line.strip())]
    return {"relevant": len(near) + 2 * bool(own) > 1, "columns": needed}


def _small_queries(shown: Shown, _asked: set[str]) -> object:
    """The distinct values of the first column of each of the first tables."""
    tables = dict[str, str]()
    for before, line in zip(
        shown["columns"].splitlines(), shown["columns"].splitlines()[1:], strict=False
    ):
        if not before.startswith(" ") and line.startswith(" "):
            tables[name_of(before)] = path_of(line)
    first = list(tables.items())[:_TABLES_OF_QUERY]
    return {
        "queries": [
            f"select distinct {_quoted(*path.split('.'))} from {_quoted(*table.split('.', 1))}"  # noqa: S608 - to the guard
            for table, path in first
        ]
    }


def _query(shown: Shown, asked: set[str]) -> object:
    return {"sql": _sql(_near(shown["columns"], asked))}


def _near(view: str, asked: set[str]) -> Chosen:
    """
    Columns with a word of the question, of the tables that have most of them, and the keys of these
    tables.
    """
    of_table: dict[str, list[str]] = {}
    for line in view.splitlines():
        if line.startswith(" "):
            of_table[list(of_table)[-1]].append(line.strip())
        else:
            of_table[name_of(line)] = []
    counts = {}
    for table, lines in of_table.items():
        counts[table] = sum(is_near(line, asked) for line in lines)
    best = sorted(of_table, key=lambda table: -counts[table])[:_TABLES_OF_QUERY]
    chosen: Chosen = []
    for table in best:
        for line in of_table[table]:
            if is_near(line, asked) or is_key(line):
                chosen.append((table, path_of(line)))
    return chosen


def _sql(chosen: Chosen) -> str:
    tables = list(dict.fromkeys(table for table, _ in chosen))
    if not tables:
        return "select 1"
    names = [_quoted(f"t{tables.index(table)}", *path.split(".")) for table, path in chosen]
    sources = [f"{_quoted(*table.split('.', 1))} as t{at}" for at, table in enumerate(tables)]
    return f"select {', '.join(names)} from {' cross join '.join(sources)}"  # noqa: S608 - it is parsed, not run


def _quoted(*steps: str) -> str:
    return ".".join(f'"{step}"' for step in steps)


def _judged(shown: Shown, asked: set[str]) -> object:
    heading, line = shown["column"].split("\n", 1)
    is_asked_table = bool(asked & set(words_of_name(name_of(heading).rpartition(".")[2])))
    return {"relevant": is_near(line, asked) or (is_asked_table and is_key(line.strip()))}


def _step(shown: Shown, asked: set[str]) -> object:
    linked = _near(shown["linked"], asked)
    if shown["history"] == "none yet":
        missing = asked.difference(*(words_of_name(path) for _, path in linked))
        first = name_of(shown["tables"].splitlines()[0])
        look = {"tool": "explore", "sql": f"select * from {_quoted(*first.split('.', 1))}"}  # noqa: S608 - to the guard
        searches = [{"tool": "retrieve", "like": word} for word in sorted(missing)[:_SEARCHES]]
        return {"thought": "what no linked column tells", "actions": [look, *searches]}
    if "turn 2" in shown["history"]:
        return {"thought": "nothing is missing", "actions": [{"tool": "stop"}]}
    found = [f"{table}.{path}" for table, path in _retrieved(shown["history"])]
    add = [{"tool": "add", "items": found}] if found else []
    return {"thought": "try it", "actions": [*add, {"tool": "verify", "sql": _sql(linked)}]}


def _retrieved(history: str) -> Chosen:
    """The columns under their tables that searches brought."""
    table, found, is_search = "", Chosen(), False
    for line in history.splitlines():
        if line.startswith("- "):
            is_search = line.startswith("- retrieve")
        elif is_search and line.startswith(" "):
            found.append((table, path_of(line)))
        elif is_search:
            table = name_of(line)
    return found


ANSWERS: dict[type[BaseModel], Callable[[Shown, set[str]], object]] = {
    TablesReply: _tables,
    ColumnsReply: _columns,
    LinksReply: _columns,
    SelectionReply: _selection,
    DroppedReply: _dropped,
    TableReply: _judged_table,
    QueriesReply: _small_queries,
    TextReply: lambda shown, _asked: {"text": shown["question"][:400]},
    SqlReply: _query,
    ColumnReply: _judged,
    StepReply: _step,
    QuestionsReply: lambda shown, _asked: {"questions": [shown["question"][:400]]},
    KeywordsReply: lambda _shown, asked: {"keywords": sorted(asked)[:15]},
}
