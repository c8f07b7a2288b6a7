"""Generates field tables and JSON schemas of answers from the records of `linker.output.json`."""

import inspect
import json
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeGuard

import yaml
from pydantic import BaseModel

from linker.output import FORMATS
from linker.output.json import SQL_VERSION, VERSION, AnswerRecord, SqlRecord

_WORDS = Path(__file__).resolve().parent / "words"
_NOTE = "<!-- Written by `make docs`; do not edit. -->\n"
# A form of `linker.render.FORMATS` that is missing here is an error.
_FORMS = {
    "table": (
        "terminals: tables and columns with status, confidence and reason; measured joins; "
        "hypotheses; cost. `--explain` adds all evidence, and what was not selected and why."
    ),
    "mschema": (
        "prompts: types, keys, descriptions and examples (none of masked or hidden columns); "
        "families by name and range; joins."
    ),
    "ddl": (
        "prompts, and empty copies: `create table` statements of the linked columns; the rest as "
        "comments."
    ),
    "json": (
        "programs: all fields below, in one line; `--explain` fills evidence and items not "
        "selected."
    ),
}
_TYPE_WORDS: dict[object, str] = {
    str: "text",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}
_PROMISES = """\
Added fields do not change the version; renamed, removed or redefined ones do.
No field is ever omitted: unknown values are null, absent items an empty list."""


def field_words(page: str) -> dict[str, Any]:
    """The words of the fields of a page."""
    found: dict[str, Any] = yaml.safe_load((_WORDS / f"{page}.yml").read_text("utf-8"))
    return found


def answer_page() -> str:
    """The forms of an answer, and every field of its JSON."""
    return "\n".join(["# The answer", _NOTE, *_answer_lines()]) + "\n"


def _answer_lines() -> Iterator[str]:
    yield "`linker ask` prints the linked schema on stdout, and warnings on stderr."
    yield (
        "Exit codes: 0 answered, 2 error, 3 the warehouse cannot answer (with what is missing and "
        "what is closest),"
    )
    yield (
        "and with `--strict` 4 if the language model failed at a part of the answer (`degraded`).\n"
    )
    yield "| format | for |"
    yield "|---|---|"
    yield from (f"| `{form}` | {_FORMS[form]} |" for form in FORMATS)
    yield f"\n## JSON, version {VERSION}\n"
    yield _PROMISES
    yield "Tables are named `schema.table` and columns `schema.table.column`, unquoted.\n"
    yield "[JSON schema](answer.schema.json)"
    yield from _record_lines(AnswerRecord)


def sql_answer_page() -> str:
    """Every field of the JSON of an answer in SQL."""
    return "\n".join(["# The answer in SQL", _NOTE, *_sql_answer_lines()]) + "\n"


def _sql_answer_lines() -> Iterator[str]:
    yield "`linker sql --format json` prints one document ([how SQL is generated](sql.md))."
    yield f"\n## JSON, version {SQL_VERSION}\n"
    yield f"{_PROMISES}\n"
    yield "[JSON schema](sql-answer.schema.json)"
    yield from _record_lines(SqlRecord)


def _record_lines(document: type[BaseModel]) -> Iterator[str]:
    """A table of fields for a record and each inside of it."""
    words = field_words("answer")
    for where, record in _records(document, "the document").items():
        yield f"\n### {where}\n"
        yield f"{' '.join((inspect.getdoc(record) or '').split())}\n"
        yield "| field | type | description |"
        yield "|---|---|---|"
        for key, field in record.model_fields.items():
            name = field.serialization_alias or key
            yield f"| `{name}` | {_type_words(field.annotation)} | {words[record.__name__][name]} |"


def _records(record: type[BaseModel], where: str) -> dict[str, type[BaseModel]]:
    """A record and those inside it, each by the first place where it stands."""
    found = {where: record}
    for name, field in record.model_fields.items():
        inner = next((one for one in _parts(field.annotation) if _is_record(one)), None)
        if inner is not None:
            index = (
                f"{'' if where == 'the document' else where + '.'}"
                f"{field.serialization_alias or name}"
            )
            many = "[]" if typing.get_origin(field.annotation) is list else ""
            for path, one in _records(inner, index + many).items():
                if one not in found.values():
                    found[path] = one
    return found


def _parts(annotation: object) -> Iterator[object]:
    yield annotation
    for one in typing.get_args(annotation):
        yield from _parts(one)


def _is_record(annotation: object) -> TypeGuard[type[BaseModel]]:
    return inspect.isclass(annotation) and issubclass(annotation, BaseModel)


def _type_words(annotation: object) -> str:
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _type_words(inner[0])
    if origin is list:
        return f"list of {_type_words(inner[0])}s"
    if origin is typing.Literal:
        return " or ".join(f"`{value}`" for value in inner)
    if inner:
        return " or ".join(_type_words(one) for one in inner)
    return "record" if _is_record(annotation) else _TYPE_WORDS[annotation]


def json_schema(document: type[BaseModel]) -> str:
    """The JSON schema of a document, with the words of its fields."""
    schema, words = document.model_json_schema(mode="serialization"), field_words("answer")
    for name, record in {document.__name__: schema, **schema["$defs"]}.items():
        record["properties"] = {
            field: {**properties, "description": words[name][field]}
            for field, properties in record["properties"].items()
        }
        if "description" in record:
            record["description"] = " ".join(record["description"].split())
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
