"""Forms of a linked schema: `table` for people, `mschema` and `ddl` for prompts, `json` for programs."""

from importlib import import_module

from linker.link.answer import LinkedSchema

FORMATS = ("table", "mschema", "ddl", "json")
# Those that take a schema and nothing else; what a prompt shows is written where prompts are.
_MODULES = {"mschema": "linker.link.mschema", "ddl": "linker.render.ddl", "json": "linker.render.json"}


def render(schema: LinkedSchema, form: str, *, width: int = 100, color: bool = False, explain: bool = False) -> str:
    """The linked schema as text; width, colour and whether to explain matter to `table` alone."""
    if form == "table":
        from linker.render.table import render_table

        return render_table(schema, width=width, color=color, explain=explain)
    rendered: str = import_module(_MODULES[form]).render(schema)
    return rendered
