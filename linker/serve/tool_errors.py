"""
Name resolution and partial failures of tool calls.

Corrected names are reported. A failed item is reported beside those that succeeded; if all fail,
the call is an error.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from linker.catalog.description import column_name
from linker.environment import Environment
from linker.errors import GuardError, LinkerError, NameLookupError
from linker.identifiers.resolver import Unknown, find
from linker.identifiers.table_index import did_you_mean
from linker.linking.linking import catalog_names
from linker.serve.column_text import AnswerPart, ToolResponse, of_parts
from linker.text.escaping import check_length
from linker.text.words import parts as words_in
from linker.text.words import readable
from linker.types import ColumnRef, Ref, TableRef

RefT = TypeVar("RefT", TableRef, ColumnRef)
_MAX_FAILURES = 10
_CHOICES = ("did you mean", "it has", "choose")
_UNKNOWN_TABLE = "write it as schema.table; `search_schema` leads to tables by what they hold"
_UNKNOWN_COLUMN = "write it as schema.table.column; `describe` tells the columns of a table"


def sentence(error: LinkerError) -> str:
    """Message and hint in one line."""
    what = readable(error.reason if isinstance(error, GuardError) else error.what)
    # The agent caused the error; the installation needs no check.
    hint = "" if "linker doctor" in error.hint else readable(error.hint)
    return f"{what}; {hint}" if hint else what


def answer_each(
    things: Sequence[str],
    tell: Callable[[str], AnswerPart],
    further: str,
    *,
    headed: bool = True,
) -> ToolResponse:
    """The text for each item, with failures in their place; raises if all failed."""
    parts, failures = list[AnswerPart](), list[LinkerError]()
    for thing in things:
        heading = f"== {readable(thing)}" if headed and len(things) > 1 else ""
        try:
            part = tell(thing)
        except LinkerError as error:
            failures.append(error)
            part = AnswerPart((sentence(error),))
        parts.append(part.under(heading))
    if things and len(failures) == len(things):
        raise all_failed(failures)
    return of_parts(parts, further)


def all_failed(failures: Sequence[LinkerError]) -> LinkerError:
    """The error of a call in which everything failed, one sentence per item."""
    times = Counter(map(sentence, failures))
    sentences = [f"{text} ({count} times)" if count > 1 else text for text, count in times.items()]
    shown = sentences[:_MAX_FAILURES]
    if len(sentences) > len(shown):
        shown.append(f"and {len(sentences) - len(shown)} more like these")
    return LinkerError("\n".join(shown), hint="")


def check_lengths(questions: Iterable[str]) -> None:
    """Reject overlong questions."""
    for question in questions:
        check_length(question, "a question")


def check_words(text: str) -> None:
    """Reject texts without a word."""
    if not words_in(text):
        shown = readable(text)
        raise NameLookupError(
            f"“{shown}” has no words" if shown else "the text is empty",
            hint="say in words what is looked for",
        )


class NameResolver:
    """Resolves names written by an agent."""

    def __init__(self, environment: Environment) -> None:
        self._catalog = environment.indexed.catalog
        self._names = environment.derive(catalog_names)

    def table(self, name: str) -> TableRef:
        """The table; otherwise an error with similar names."""
        resolved = self._names.table(name)
        if isinstance(resolved, TableRef):
            return resolved
        what = f"there is no table {column_name(name)}"
        raise NameLookupError(
            what, hint=_meant(resolved.near) or self._hint(name) or _UNKNOWN_TABLE
        )

    def column(self, name: str) -> ColumnRef:
        """The column; otherwise an error with similar names."""
        resolved = self._names.column(name)
        if isinstance(resolved, ColumnRef):
            return resolved
        near = [*resolved.near, *map(str, self._in_near_table(name))]
        what = f"there is no column {column_name(name)}"
        raise NameLookupError(what, hint=_meant(near) or self._hint(name) or _UNKNOWN_COLUMN)

    def correction(self, name: str, ref: Ref) -> Iterator[str]:
        """A note if a name was corrected."""
        if not self._names.is_name_of(name, ref):
            yield f"{column_name(name)}: did you mean {column_name(str(ref))}? shown below"

    def _in_near_table(self, name: str) -> Iterator[ColumnRef]:
        """The column in the table whose name has a typo."""
        written, _, path = name.rpartition(".")
        table = self._names.table(written) if written else Unknown(name)
        if isinstance(table, TableRef):
            again = self._names.column(f"{table}.{path}")
            if isinstance(again, ColumnRef):
                yield again

    def _hint(self, name: str) -> str:
        """Suggestions: a table instead of a column, or columns of a table."""
        try:
            ref = find(name, self._catalog)
        except NameLookupError as error:
            return error.hint if error.hint.startswith(_CHOICES) else ""
        return _meant([str(ref.table)])


def _meant(near: Iterable[str]) -> str:
    return did_you_mean(list(dict.fromkeys(map(column_name, near))))
