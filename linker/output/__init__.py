"""Formatters of results: linked schemas, SQL answers, and reports of commands."""

from datetime import datetime
from importlib import import_module
from json import dumps  # not `json`: the package has a module of that name
from typing import TYPE_CHECKING

from linker.text.escaping import escaped

if TYPE_CHECKING:
    from linker.linking.result import LinkedSchema
    from linker.sql import SqlAnswer

# Modules by format, each with `render`; `table` has more parameters. M-Schema is in `linking`,
# which prompts use.
_MODULES = {
    "table": "linker.output.table",
    "mschema": "linker.linking.mschema",
    "ddl": "linker.output.ddl",
    "json": "linker.output.json",
}
FORMATS = tuple(_MODULES)
# For people, for pipes and for programs.
SQL_FORMS = ("table", "sql", "json")


def render(
    schema: "LinkedSchema",
    form: str,
    *,
    width: int = 100,
    color: bool = False,
    explain: bool = False,
) -> str:
    """A linked schema as text; width and colour apply to `table`, `explain` to `json` too."""
    if form == "table":
        from linker.output.table import render_table

        return render_table(schema, width=width, color=color, explain=explain)
    if form == "json":
        return import_module(_MODULES[form]).render(schema, explain=explain)  # type: ignore[no-any-return]
    rendered: str = import_module(_MODULES[form]).render(schema)
    return rendered


def render_answer(
    answer: "SqlAnswer", schema: "LinkedSchema", form: str, *, width: int = 100, color: bool = False
) -> str:
    """A SQL answer as text; without a language model the linked schema."""
    if form == "json":
        from linker.output.json import sql_json

        return sql_json(answer)
    if form == "sql":
        # Piped output must not look like an answer if there is none.
        return f"{answer.sql};" if answer.is_answer else ""
    if answer.outcome == "needs_model":
        return render(schema, "table", width=width, color=color)
    from linker.output.table import sql_table

    return sql_table(answer, width=width, color=color)


def as_json(record: object, *, is_short: bool = False) -> str:
    """
    A record as indented JSON, or in one line with control characters escaped; times are ISO 8601.
    """
    return escaped(
        dumps(
            record, ensure_ascii=False, indent=None if is_short else 2, default=datetime.isoformat
        )
    )
