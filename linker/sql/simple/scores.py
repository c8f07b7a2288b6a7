"""
How well words name a table or a column: enters a run of stems and a name, leaves a score from 0 to 1.

Names are compared as stems, without separators, abbreviated, by common synonyms, and last by descriptions.
"""

import re
from collections.abc import Iterator, Sequence

from linker.sql.simple.phrases import SILENT, SYNONYMS
from linker.types import ColumnRef, Table
from linker.words import stem, words_of_name, words_of_text

# Parts of names that say in what a column measures or how a table was made, and not of what it tells.
_UNITS = frozenset(
    map(stem, ("eur", "usd", "cents", "ms", "seconds", "minutes", "millions", "kg", "pct", "cm", "km", "m"))
)
_MADE = frozenset(("fct", "dim", "lkp", "agg", "mart", "stg", "ref", "map", "xref", "tbl", "fact", "lookup"))
RELATED = 0.55
# British and American spellings are one.
_SPELT = {
    stem(british): stem(american)
    for british, american in (
        *(("centre", "center"), ("colour", "color"), ("favourite", "favorite"), ("labour", "labor")),
        *(("litre", "liter"), ("metre", "meter"), ("licence", "license"), ("catalogue", "catalog")),
        *(("organisation", "organization"), ("cheque", "check"), ("tyre", "tire"), ("programme", "program")),
        *(("cancelled", "canceled"), ("fulfilment", "fulfillment"), ("behaviour", "behavior"), ("grey", "gray")),
    )
}
_FEWEST_INITIALS = 3
_WHOLE = frozenset(map(stem, ("full", "display", "legal", "company")))
_PARTIAL = frozenset(map(stem, ("given", "first", "family", "last", "middle", "nick", "maiden")))
_SURE, _ALMOST, _MARKED, _LIKE, _PART, _KEYED, _TOLD = 1.0, 0.95, 0.88, 0.85, 0.6, 0.5, 0.45
# What a description begins with is what it is of; shorter words begin too many others.
_FIRST_WORDS, _LETTERS = 3, 5


def score_of_table(table: Table, stems: Sequence[str]) -> float:
    """How well words name a table."""
    called = words_of_table(table.ref.name)
    best = 0.0
    for said, factor in _spoken(stems):
        if _same(said, called):
            best = max(best, (_SURE if len(called) == len(words_of_name(table.ref.name)) else _MARKED) * factor)
        elif len(called) > 1 and _same(said, called[-len(said) :]):
            best = max(best, (_PART + 0.2 * len(said) / len(called)) * factor)
        elif len(called) > 1 and _same(said, called[: len(said)]):
            best = max(best, _PART * factor)
    return best or _told_of_table(table, called, stems)


def score_of_column(ref: ColumnRef, stems: Sequence[str], lows: Sequence[str]) -> float:
    """How well words name a column."""
    name, table = words_of_column(ref.path), words_of_table(ref.table.name)
    best = max(factor * _name_score(said, name, table) for said, factor in _spoken(stems))
    if not best and len(stems) == 1 and any(_are_related(stems[0], word) for word in name):
        best = RELATED
    return _LIKE if best < _LIKE and (_initials(lows) in name or _is_shortened(lows, ref.path)) else best


def _initials(lows: Sequence[str]) -> str:
    """What three words or more are shortened to: customer lifetime value is clv."""
    are_words = len(lows) >= _FEWEST_INITIALS and all(len(low) > 2 and low.isalpha() for low in lows)
    return "".join(low[0] for low in lows) if are_words and not SILENT.intersection(lows) else " "


def score_of_description(description: str | None, stems: Sequence[str]) -> float:
    """By a description, where that holds all the words."""
    told = set(words_of_text(description)) if description else set()
    return _TOLD + 0.1 * min(len(stems) - 1, 2) if told and set(stems) <= told else 0.0


def naming_rank(ref: ColumnRef, table: Sequence[str]) -> int:
    """How well a column names the rows of its table, 1 is best; 0 where it does not."""
    words = words_of_column(ref.path)
    if words in (["name"], [*table, "name"]) or _same(words, [*table[-1:], "name"]):
        return 1
    if _same(words, table) or _same(words, table[-1:]):
        return 2
    if words[-1:] in (["titl"], ["title"], ["label"]) and len(words) <= 2:
        return 3
    if "name" not in words or len(words) > 3:
        return 0
    # A full name says more than its parts.
    return 4 if _WHOLE & set(words) else 6 if _PARTIAL & set(words) else 5


def _told_of_table(table: Table, called: Sequence[str], stems: Sequence[str]) -> float:
    """By what its description begins with, or by the deed that its rows are of: who applied is an applicant."""
    if len(stems) != 1 or len(stems[0]) < _LETTERS:
        return 0.0
    if any(word.startswith(stems[0]) for word in called):
        return _KEYED
    told = words_of_text(table.description)[:_FIRST_WORDS] if table.description else []
    return _TOLD if stems[0] in told else 0.0


def _name_score(said: Sequence[str], name: Sequence[str], table: Sequence[str]) -> float:
    whole = [word for word in name if word not in _UNITS]
    if _same(said, name) or _same(said, (*table, *name)):
        return _SURE
    if _is_almost(said, name, whole, table):
        return _ALMOST
    if whole[-1:] in (["id"], ["key"]) and said[-1:] not in (["id"], ["key"], ["ids"]):
        # A key stands for what it points to, and is not what people speak of.
        return _KEYED if _same(said, whole[:-1]) else 0.0
    if len(said) < len(whole) and (_same(said, whole[-len(said) :]) or _same(said, whole[: len(said)])):
        return _PART + 0.2 * len(said) / len(whole)
    if len(said) > 1 and set(said) <= set(name):
        return _ALMOST if set(said) == set(name) else _PART + 0.1
    return 0.0


def _is_almost(said: Sequence[str], name: Sequence[str], whole: Sequence[str], table: Sequence[str]) -> bool:
    """Whether words are a name without what is said of its table or its unit anyway."""
    bare = name[len(table) :] if list(name[: len(table)]) == list(table) else ()
    own = len(said) - len(whole)
    # Dunning fees are the fees of a table of dunning runs.
    is_owned = own > 0 and bool(whole) and list(said[own:]) == list(whole) and set(said[:own]) <= set(table)
    return is_owned or (bool(bare) and _same(said, bare)) or (len(whole) < len(name) and _same(said, whole))


def words_of_table(name: str) -> list[str]:
    """The stems of a table's name that tell what it holds."""
    words = [_SPELT.get(word, word) for word in words_of_name(name.rstrip("*")) if not word.isdigit()]
    return [word for word in words if word not in _MADE] or words


def words_of_column(path: str) -> list[str]:
    """The stems of the last step of a path."""
    return [_SPELT.get(word, word) for word in words_of_name(path.rpartition(".")[2])]


def _are_related(one: str, other: str) -> bool:
    """Whether two words begin alike and end otherwise: who is satisfied gives a satisfaction."""
    begun = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    begun = min(len(one), len(other)) if begun is None else begun
    return begun >= _LETTERS and begun >= 0.8 * min(len(one), len(other))


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return bool(one) and "".join(one) == "".join(other)


def _spoken(stems: Sequence[str]) -> Iterator[tuple[Sequence[str], float]]:
    """The words as they are, and with one of them said otherwise."""
    stems = [_SPELT.get(word, word) for word in stems]
    yield stems, 1.0
    for place, word in enumerate(stems):
        for other in SYNONYMS.get(word, ()):
            yield [*stems[:place], *map(stem, other.split()), *stems[place + 1 :]], 0.85


def _is_shortened(lows: Sequence[str], path: str) -> bool:
    """Whether a name begins each word and ends with the last one: `fname` is a first name, `lname` a last one."""
    letters = "".join(part for part in re.findall(r"[a-z]+", path.rpartition(".")[2].lower()))
    if len(lows) < 2 or not all(low.isalpha() and low.isascii() for low in lows):
        return False
    begun = [f"{low[0]}(?:{'(?:'.join(low[1:])}{')?' * (len(low) - 2)})?" if len(low) > 1 else low for low in lows[:-1]]
    return bool(re.fullmatch("".join(begun) + stem(lows[-1]) + "s?", letters))
