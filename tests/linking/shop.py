"""
A small warehouse for linking: DuckDB rows, profiles and a text index.

The catalog can be extended by irrelevant tables, and any text replaced.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from heapq import nlargest
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb
import yaml
from pydantic import BaseModel

from benchmarks.scripted import RuleModel
from linker.catalog.index_session import FixedIndex, Index
from linker.catalog.snapshot import ProfiledCatalog
from linker.config.settings import Settings
from linker.config.target import Target
from linker.environment import Environment
from linker.models import Prompt
from linker.retrieval.hits import Retrieved
from linker.text.values import best_match, spans_by_gram
from linker.text.words import words_of_name, words_of_text
from linker.types import Catalog, ColumnRef, Hit, TableHit, TableRef, ValueMatch

ROOT = Path(__file__).resolve().parents[2]
Rule = Callable[[Prompt, type[BaseModel]], object]

# schema.table: column, type, category, privacy, values.
SHOP: dict[str, list[tuple[str, str, str, str, list[object]]]] = {
    "sales.orders": [
        ("order_id", "BIGINT", "identifier", "show", [1, 2, 3, 4]),
        ("customer_id", "BIGINT", "foreign_key", "show", [1, 1, 2, 3]),
        ("status", "VARCHAR", "category", "show", ["paid", "open", "paid", "cancelled"]),
        ("amount", "DOUBLE", "money", "show", [10.5, 20.0, 7.25, 99.0]),
        (
            "ordered_on",
            "DATE",
            "date",
            "show",
            ["2025-01-01", "2025-01-02", "2025-02-03", "2025-03-09"],
        ),
        ("etl_batch", "BIGINT", "code", "show", [7, 7, 7, 7]),
    ],
    "sales.orders_archive": [
        ("order_id", "BIGINT", "identifier", "show", [90, 91]),
        ("customer_id", "BIGINT", "foreign_key", "show", [1, 2]),
        ("status", "VARCHAR", "category", "show", ["paid", "paid"]),
        ("amount", "DOUBLE", "money", "show", [1.0, 2.0]),
        ("ordered_on", "DATE", "date", "show", ["2019-01-01", "2019-01-02"]),
        ("etl_batch", "BIGINT", "code", "show", [1, 1]),
    ],
    "crm.customers": [
        ("customer_id", "BIGINT", "identifier", "show", [1, 2, 3]),
        ("full_name", "VARCHAR", "text", "show", ["Ada", "Bob", "Cyd"]),
        ("country", "VARCHAR", "category", "show", ["Denmark", "France", "Denmark"]),
        ("email", "VARCHAR", "email", "mask", ["ada@example.com", "bob@example.com", "SECRET-M"]),
        ("password_hash", "VARCHAR", "text", "hide", ["SECRET-1", "SECRET-2", "SECRET-3"]),
    ],
    "crm.visits": [
        ("visit_id", "BIGINT", "identifier", "show", [5, 6]),
        ("customer_id", "BIGINT", "foreign_key", "show", [1, 3]),
        ("visited_on", "DATE", "date", "show", ["2024-05-05", "2024-06-06"]),
    ],
}
JOINS = (("sales.orders", "customer_id", "crm.customers", "customer_id", 0.97, 1.0, 1.33),)
# By file and the time of its last change.
_READ: dict[tuple[Path, int] | None, ProfiledCatalog] = {}
QUESTION = "What is the total amount of paid orders of customers in Denmark?"


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(words_of_name(name))


class WordRetriever:
    """Finds columns and tables by the words and values that they share with a text."""

    def __init__(self, catalog: Catalog, values: dict[ColumnRef, tuple[str, ...]]) -> None:
        self._catalog, self._values = catalog, values

    @cached_property
    def _words(
        self,
    ) -> list[tuple[TableRef, frozenset[str], list[tuple[ColumnRef, frozenset[str]]]]]:
        """The words of each table's name, and of each of its columns' names."""
        found: list[tuple[TableRef, frozenset[str], list[tuple[ColumnRef, frozenset[str]]]]] = []
        for table in self._catalog.tables:
            found.append(
                (
                    table.ref,
                    _words(table.ref.name),
                    [(ColumnRef(table.ref, c.path), _words(c.path)) for c in table.columns],
                )
            )
        return found

    def search(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> Retrieved:
        words, by_gram = set(words_of_text(text)), spans_by_gram(text)
        columns, tables = (
            list[tuple[float, int, ColumnRef, tuple[ValueMatch, ...]]](),
            list[TableHit](),
        )
        for table, table_words, columns_of_table in self._words:
            named = len(words & table_words) * 2.0
            best = 0.0
            for ref, held in columns_of_table:
                if ref in excluded:
                    continue
                by_words = 0 if words.isdisjoint(held) else len(words & held)
                matches = self._matches(ref, by_gram) if self._values else ()
                score = named + by_words + (3.0 if matches else 0.0)
                best = max(best, score)
                columns.append((score, by_words, ref, matches))
            tables.append(TableHit(table, best, (("dense", best / 10),)))
        likeliest = nlargest(limit, columns, key=itemgetter(0))
        return Retrieved(
            tuple(_hit(*found) for found in likeliest),
            tuple(nlargest(limit, tables, key=lambda hit: hit.score)),
        )

    def _matches(self, ref: ColumnRef, by_gram: Any) -> tuple[ValueMatch, ...]:
        found = [(*best_match(value, by_gram), value) for value in self._values.get(ref, ())]
        return tuple(
            ValueMatch(one[1], one[2], one[0]) for one in sorted(found)[::-1] if one[0] >= 0.9
        )


def _hit(score: float, by_words: int, ref: ColumnRef, matches: tuple[ValueMatch, ...]) -> Hit:
    ways = {"dense": score / 10, "lexical": float(by_words), "value": float(bool(matches))}
    scores = tuple((way, found) for way, found in ways.items() if found or way == "dense")
    return Hit(ref, score, scores, matches)


class ShopEnvironment(Environment):
    """The shop, with a model that answers by a rule."""

    def __init__(self, folder: Path, rule: Rule | None = None, **settings: Any) -> None:
        super().__init__(Settings(**{"state_dir": folder / "state"} | settings))
        self._folder, self._rule = folder, rule

    @cached_property
    def target_key(self) -> str:
        return "shop.dev"

    @property
    def target(self) -> Target:
        path = self._folder / "shop.duckdb"
        return Target("shop", "dev", "duckdb", "shop", path.parent, {"path": str(path)})

    @cached_property
    def index(self) -> Index:
        file = self._folder / "shop.duckdb"
        # To read the artifacts takes half the time of a test, and they are the same for most.
        key = (file, file.stat().st_mtime_ns) if file.exists() else None
        read = _READ.get(key) or self.warehouse.profiled
        if key:
            _READ[key] = read
        return FixedIndex(read)

    @cached_property
    def model(self) -> Any:
        return RuleModel(self._rule) if self._rule else None

    @cached_property
    def retriever(self) -> Any:
        read = self.indexed
        return WordRetriever(
            read.catalog, {ref: facts.values for ref, facts in read.facts.columns.items()}
        )


def build(
    folder: Path, shop: dict[str, Any] | None = None, descriptions: dict[str, str] | None = None
) -> None:
    """Write the warehouse and its artifacts."""
    tables = shop or SHOP
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        for statement in (*_rows(tables), *_artifacts(tables, descriptions or {})):
            connection.execute(statement)


def _rows(tables: dict[str, Any]) -> Iterator[str]:
    for schema in sorted({name.split(".", 1)[0] for name in tables}):
        yield f"create schema {_quoted(schema)}"
    for name, columns in tables.items():
        table = ".".join(map(_quoted, name.split(".", 1)))
        yield f"create table {table} ({', '.join(f'{_quoted(c[0])} {c[1]}' for c in columns)})"
        rows = zip(*(c[4] for c in columns), strict=True)
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        yield f"insert into {table} values {values}"


def _artifacts(tables: dict[str, Any], descriptions: dict[str, str]) -> Iterator[str]:
    yield "create schema shop_linker"
    written = {name: list[dict[str, object]]() for name in _contracts()}
    for full, columns in tables.items():
        schema, name = full.split(".", 1)
        here = {"database_name": "shop", "schema_name": schema, "table_name": name}
        count = len(columns[0][4])
        written["linker_tables"].append(
            {
                **here,
                "table_kind": "table",
                "row_count_estimate": count,
                "column_count": len(columns),
                "member_number": 1,
                "is_representative": True,
                "description": descriptions.get(full),
            }
        )
        for place, column in enumerate(columns, start=1):
            told = descriptions.get(f"{full}.{column[0]}")
            for artifact, row in _column_rows(here, place, column, told).items():
                written[artifact].append(row)
    written["linker_joins"] += [
        _join_row(join) for join in JOINS if join[0] in tables and join[2] in tables
    ]
    for name, types in _contracts().items():
        yield f"create table shop_linker.{name} ({', '.join(f'{one} {kind}' for one, kind in types.items())})"
        rows = []
        for row in written[name]:
            literals = [_literal(row.get(one)) for one in types]
            rows.append(f"({', '.join(literals)})")
        if rows:
            yield f"insert into shop_linker.{name} values {', '.join(rows)}"


def _column_rows(
    here: dict[str, str],
    place: int,
    column: tuple[str, str, str, str, list[object]],
    told: str | None,
) -> dict[str, dict[str, object]]:
    """What each artifact holds of a column."""
    path, data_type, category, privacy, values = column
    named = {**here, "column_path": path}
    placed = {**named, "position": place, "data_type": data_type, "is_nullable": True}
    shown = [{"value": str(one), "count": values.count(one)} for one in dict.fromkeys(values)]
    least, most = min(map(str, values)), max(map(str, values))
    days = {"first_day": least, "last_day": most} if data_type == "DATE" else {}
    return {
        "linker_columns": {
            **placed,
            "column_name": path,
            "depth": 0,
            "is_discovered": False,
            "description": told,
        },
        "linker_profile_l1": {
            **placed,
            "value_kind": "text",
            "category": category,
            "primary_key_origin": "tested" if place == 1 else None,
        },
        "linker_profile_l2": {
            **named,
            "privacy": privacy,
            "description": told,
            "null_ratio": 0.0,
            "distinct_count": len(shown),
            "representative_values": json.dumps(shown) if privacy == "show" else None,
        },
        "linker_profile_l3": {
            **named,
            "row_count": len(values),
            "value_count": len(values),
            "is_sampled": False,
            "scanned_at": "2025-11-20 14:03:27",
            "min_value": least,
            "max_value": most,
            **days,
        },
    }


def _join_row(join: tuple[str, str, str, str, float, float, float]) -> dict[str, object]:
    left, one, right, other, sure, overlap, fan_out = join
    ends = zip(
        ("from_schema", "from_table", "to_schema", "to_table"),
        (*left.split("."), *right.split(".")),
        strict=True,
    )
    return {
        **dict(ends),
        "from_columns": json.dumps([one]),
        "to_columns": json.dumps([other]),
        "origin": "inferred",
        "confidence": sure,
        "containment": overlap,
        "fan_out": fan_out,
        "evidence": "measured",
    }


@cache
def _contracts() -> dict[str, dict[str, str]]:
    found = {}
    for file in sorted((ROOT / "models").glob("*/*.yml")):
        [model] = yaml.safe_load(file.read_text("utf-8"))["models"]
        kinds = {
            one["name"]: "double"
            if one["data_type"].startswith("{{")
            else one["data_type"].replace("string", "varchar")
            for one in model["columns"]
        }
        found[file.stem] = kinds
    return found


def _literal(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int | float):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
