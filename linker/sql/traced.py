"""The answer in SQL that a trace holds: enters the trace, leaves the answer as it was given; nothing runs."""

from pydantic import TypeAdapter, ValidationError

from linker.errors import ConfigError
from linker.link.replay import TraceRecord
from linker.sql.records import SqlAnswer

EVENT = "sql"


def sql_of(record: TraceRecord) -> SqlAnswer | None:
    """The answer of a run of `linker sql`; None of a run that was not asked for SQL."""
    told = next((event["answer"] for event in reversed(record.events) if event["event"] == EVENT), None)
    if told is None:
        return None
    try:
        return TypeAdapter(SqlAnswer).validate_python(told)
    except ValidationError:
        raise ConfigError(
            f"the SQL of trace {record.id} cannot be read: it is of another version", hint="ask the question anew"
        ) from None
