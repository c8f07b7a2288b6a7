"""The linked schema as JSON: enters the answer, leaves the document that `contract` describes."""

from msgspec.structs import replace

from linker.link.answer import LinkedSchema, LinkedTable
from linker.render.contract import AnswerRecord
from linker.text.safe import escaped


def render(schema: LinkedSchema, *, explain: bool = False) -> str:
    """
    The linked schema in one line; indented, and with all evidence and what was discarded, where all
    is explained.
    """
    record = AnswerRecord.model_validate(schema if explain else _without_evidence(schema))
    return escaped(record.model_dump_json(indent=2 if explain else None, by_alias=True))


def _without_evidence(schema: LinkedSchema) -> LinkedSchema:
    tables: list[LinkedTable] = []
    for table in schema.tables:
        columns = tuple(replace(column, evidence=()) for column in table.columns)
        tables.append(replace(table, evidence=(), columns=columns))
    return replace(schema, tables=tuple(tables), discarded=())
