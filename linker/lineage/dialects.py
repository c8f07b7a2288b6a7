"""
The rules of the SQL that a statement is written in: those of a warehouse, or of SQLite, in which public questions are.
"""

from linker.warehouses import find_dialect
from linker.warehouses.base.dialect import Dialect, words

_SQLITE = Dialect(
    name="sqlite",
    pseudo_columns=words("rowid oid _rowid_"),
    # https://www.sqlite.org/lang_select.html#orderby
    sorts_by_whole_aliases=True,
    # https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted
    has_double_quoted_texts=True,
)


def rules_of(dialect: str) -> Dialect:
    """The rules of a dialect by its name; of one that nobody describes, the usual ones."""
    if dialect == _SQLITE.name:
        return _SQLITE
    return find_dialect(dialect) or Dialect(name=dialect)
