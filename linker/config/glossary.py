"""
Reads the glossary of a user: enters a mapping, or the path of a YAML file that holds one, leaves
its terms.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from linker.config.values import WrongError, path, texts
from linker.files import read_yaml
from linker.types import Record

_LISTS = ("words", "tables", "columns")
_FIELDS = (*_LISTS, "rule")
_HINT = "write one `term: [words, tables, columns]` a line; `glossary` names the file"


class Term(Record, frozen=True):
    """
    A term of a business: other words for it, the tables and columns that hold it, and a rule in
    words.
    """

    term: str
    words: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rule: str = ""
    # Where it was read.
    source: str = "glossary"

    def __str__(self) -> str:
        meant = ", ".join((*self.words, *self.tables, *self.columns))
        return f"{self.term!r} means {'; '.join(filter(None, (meant, self.rule)))}"


def terms(value: object) -> tuple[Term, ...]:
    """The terms of a mapping, or of a YAML file that holds one."""
    if isinstance(value, tuple):
        return value
    content = read_yaml(path(value), hint=_HINT) if isinstance(value, str | Path) else value
    if not isinstance(content, Mapping):
        raise WrongError("it should hold one `term: …` a line, or be the path of a file that does")
    return tuple(_term(str(name), meaning) for name, meaning in content.items())


def _term(name: str, meaning: object) -> Term:
    if isinstance(meaning, list | str):
        named = tuple(_texts(name, meaning))
        # With a dot it is a column or a table; a bare name is met as a word.
        return Term(
            name,
            tuple(text for text in named if "." not in text),
            (),
            tuple(t for t in named if "." in t),
        )
    if not isinstance(meaning, Mapping) or not meaning:
        raise WrongError(f"`{name}` should have a list of words and names, or {', '.join(_FIELDS)}")
    if unknown := next((str(key) for key in meaning if key not in _FIELDS), None):
        raise WrongError(f"`{name}` has `{unknown}`, which is none of {', '.join(_FIELDS)}")
    rule = meaning.get("rule", "")
    if not isinstance(rule, str):
        raise WrongError(f"the rule of `{name}` should be a text")
    words, tables, columns = (tuple(_texts(name, meaning.get(key, []))) for key in _LISTS)
    return Term(name, words, tables, columns, " ".join(rule.split()))


def _texts(name: str, value: object) -> Iterator[str]:
    try:
        yield from texts(value)
    except WrongError:
        raise WrongError(f"what `{name}` means should be a list of texts") from None
