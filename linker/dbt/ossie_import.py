"""
Reads descriptions, synonyms and joins from Apache Ossie documents of other tools in the project.

The project's own words come first. A document that `linker export ossie` wrote for the same target
says nothing new, and is left out.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import field
from msgspec.structs import replace

from linker.config.settings import Settings
from linker.config.values import Term
from linker.errors import ConfigError
from linker.files import read_text, read_yaml
from linker.text.escaping import one_line
from linker.types import Record

# Marks documents written by `linker export ossie`.
GENERATOR = "dbt-linker"

_ENDINGS = (".json", ".yaml", ".yml")
_HINT = "setting `ossie` names files and folders"
# A column, optionally qualified by its dataset; anything else is an expression.
_NAME = r"[\w$]+|\"[^\"]+\"|`[^`]+`|\[[^\]]+\]"
_COLUMN = re.compile(rf"(?:(?:{_NAME})\.)*({_NAME})")
_PART = re.compile(r"\"([^\"]+)\"|`([^`]+)`|\[([^\]]+)\]|([^.\"`\[\]]+)")

Entry = Mapping[str, Any]
# Lower-case schema and table.
TableKey = tuple[str, str]


class DocumentedJoin(Record, frozen=True):
    """A relationship of a document: referencing columns and key."""

    name: str
    source: TableKey
    columns: tuple[str, ...]
    key: TableKey
    key_columns: tuple[str, ...]


class OssieMetadata(Record, frozen=True):
    """Content of the documents by lower-case names, and unreadable files."""

    tables: Mapping[TableKey, str] = field(default_factory=dict)
    columns: Mapping[TableKey, Mapping[str, str]] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    joins: tuple[DocumentedJoin, ...] = ()
    problems: tuple[str, ...] = ()

    def add_to(self, graph: Mapping[str, Any]) -> dict[str, Any]:
        """Add descriptions to the graph where the project has none, and the joins."""
        tables: dict[str, Any] = dict(graph.get("tables", {}))
        described = _described(tables.values())
        for key in dict.fromkeys((*self.tables, *self.columns)):
            names = described.get(key, set())
            columns = {
                name: {"name": name, "description": text}
                for name, text in self.columns.get(key, {}).items()
                if name not in names
            }
            text = "" if "" in names else self.tables.get(key, "")
            if columns or text:
                node_id = f"ossie.{'.'.join(key)}"
                tables[node_id] = {
                    "unique_id": node_id,
                    "resource_type": "source",
                    "schema": key[0],
                    "name": key[1],
                    "identifier": key[1],
                    "description": text,
                    "columns": columns,
                }
        joins = [
            {
                "name": join.name,
                "from": join.source,
                "from_columns": join.columns,
                "to": join.key,
                "to_columns": join.key_columns,
            }
            for join in self.joins
        ]
        return {**graph, "tables": tables, "tests": graph.get("tests", []), "joins": joins}


def read_documents(settings: Settings, target: str) -> OssieMetadata:
    """
    The documents of the setting `ossie`, by default those in the folder `osi`, where dbt looks too.
    """
    metadata, problems = OssieMetadata(), list[str]()
    for file in _files(settings, problems):
        try:
            models = _models(file)
            metadata = _together([metadata, *(_read(file, model, target) for model in models)])
        except ConfigError as error:
            problems.append(f"{error.what}; it was not read")
        except (TypeError, KeyError, ValueError, AttributeError, RecursionError):
            problems.append(f"{file} is not a valid Apache Ossie document; it was not read")
    return replace(metadata, problems=tuple(problems))


def _files(settings: Settings, problems: list[str]) -> Iterator[Path]:
    is_default = settings.ossie == Settings().ossie
    for name in settings.ossie:
        path = Path(name)
        if path.is_dir():
            yield from sorted(item for item in path.rglob("*") if item.suffix in _ENDINGS)
        elif path.exists():
            yield path
        elif not is_default:
            problems.append(f"ossie: there is no {name}")


def _models(file: Path) -> Sequence[Entry]:
    """Semantic models of a document; an ontology has none."""
    is_json = file.suffix == ".json"
    content: Any = (
        json.loads(read_text(file, hint=_HINT)) if is_json else read_yaml(file, hint=_HINT)
    )
    if isinstance(content, Mapping) and "ontology" in content:
        return []
    models = content["semantic_model"]
    return [models] if isinstance(models, Mapping) else list(models)


def _read(file: Path, model: Entry, target: str) -> OssieMetadata:
    """Content of one semantic model."""
    if _is_of(model, target):
        return OssieMetadata()
    tables: dict[TableKey, str] = {}
    columns: dict[TableKey, dict[str, str]] = {}
    terms: list[Term] = []
    # By dataset its table, and its columns by field name.
    datasets: dict[str, tuple[TableKey, dict[str, str]]] = {}
    for dataset in model["datasets"]:
        key = _table(str(dataset["source"]))
        if key is None:
            continue
        tables |= {key: text} if (text := _text(dataset)) else {}
        table = ".".join(key)
        terms += [Term(word, tables=(table,), source=f"Ossie {file}") for word in _words(dataset)]
        paths = datasets.setdefault(str(dataset["name"]), (key, {}))[1]
        for item in dataset.get("fields") or ():
            column = _column(item)
            if not column:
                continue
            paths[str(item["name"])] = column
            if text := _text(item):
                columns.setdefault(key, {})[column] = text
            name = f"{table}.{column}"
            terms += [Term(word, columns=(name,), source=f"Ossie {file}") for word in _words(item)]
    joins = tuple(_joins(model, datasets))
    return OssieMetadata(tables, columns, tuple(terms), joins)


def _joins(
    model: Entry, datasets: Mapping[str, tuple[TableKey, Mapping[str, str]]]
) -> Iterator[DocumentedJoin]:
    for item in model.get("relationships") or ():
        tables = datasets.get(str(item["from"])), datasets.get(str(item["to"]))
        own, keys = item["from_columns"], item["to_columns"]
        if tables[0] and tables[1] and len(own) == len(keys):
            yield DocumentedJoin(
                str(item["name"]),
                tables[0][0],
                tuple(tables[0][1].get(name, str(name).lower()) for name in own),
                tables[1][0],
                tuple(tables[1][1].get(name, str(name).lower()) for name in keys),
            )


def _is_of(model: Entry, target: str) -> bool:
    """Whether `linker export ossie` wrote it for that target."""
    for extension in model.get("custom_extensions") or ():
        try:
            marked = json.loads(extension["data"]).get("linker")
        except (ValueError, AttributeError):
            continue
        if marked == {"generator": GENERATOR, "target": target}:
            return True
    return False


def _table(source: str) -> TableKey | None:
    """Schema and name of `database.schema.table`; None for a query."""
    if re.search(r"\s(from|select)\s|^\s*select\s", source, re.IGNORECASE):
        return None
    parts = ["".join(part).strip().lower() for part in _PART.findall(source)]
    return (parts[-2], parts[-1]) if len(parts) > 1 else None


def _column(item: Entry) -> str:
    """The lower-case column of a field; empty for a computed field."""
    for dialect in item["expression"]["dialects"]:
        if match := _COLUMN.fullmatch(str(dialect["expression"]).strip()):
            return match[1].strip('"`[]').lower()
    return ""


def _text(entry: Entry) -> str:
    """The description, else a textual context."""
    context = entry.get("ai_context")
    return one_line(str(entry.get("description") or (context if isinstance(context, str) else "")))


def _words(entry: Entry) -> Iterator[str]:
    context = entry.get("ai_context")
    for word in (context.get("synonyms") or ()) if isinstance(context, Mapping) else ():
        if text := one_line(str(word)):
            yield text


def _described(nodes: Iterable[Entry]) -> dict[TableKey, set[str]]:
    """Columns that a project describes, by table; "" stands for the table itself."""
    described: dict[TableKey, set[str]] = {}
    for node in nodes:
        key = str(node.get("schema")).lower(), str(node.get("identifier")).lower()
        names = described.setdefault(key, set())
        names |= {""} if node.get("description") else set()
        for name, column in (node.get("columns") or {}).items():
            names |= {str(name).lower()} if column.get("description") else set()
    return described


def _together(parts: Iterable[OssieMetadata]) -> OssieMetadata:
    """Merge; the first description wins."""
    tables: dict[TableKey, str] = {}
    columns: dict[TableKey, dict[str, str]] = {}
    terms: list[Term] = []
    joins: list[DocumentedJoin] = []
    for part in parts:
        tables = {**part.tables, **tables}
        for key, texts in part.columns.items():
            columns[key] = {**texts, **columns.get(key, {})}
        terms += part.terms
        joins += part.joins
    return OssieMetadata(tables, columns, tuple(terms), tuple(joins))
