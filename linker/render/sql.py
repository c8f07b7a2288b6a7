"""Forms of an answer in SQL: `table` for people, `sql` for pipes, `json` for programs."""

from linker.link.answer import LinkedSchema
from linker.sql.records import SqlAnswer

SQL_FORMS = ("table", "sql", "json")


def render_answer(answer: SqlAnswer, schema: LinkedSchema, form: str, *, width: int = 100, color: bool = False) -> str:
    """The answer as text; the table of one that needs a language model is that of the schema which was linked."""
    if form == "json":
        from linker.render import sql_json

        return sql_json.render(answer)
    if form == "sql":
        # What goes on to another program must not look like an answer where it is none.
        return f"{answer.sql};" if answer.is_answer else ""
    if answer.outcome == "needs_model":
        from linker.render import render

        return render(schema, "table", width=width, color=color)
    from linker.render.sql_table import render_sql

    return render_sql(answer, width=width, color=color)
