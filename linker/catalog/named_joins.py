"""
Infers foreign keys from names and types where no values were measured: in empty, unreadable and
unprofiled tables.

`customer_id`, `customer` and `billing_customer_id` reference the key of customers; `parent_id`
references its own table; `entity0` and `entity1` of `l_artist_work` reference the tables in its
name. A table's key is `id` or has the table's name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, takewhile

from linker.text.words import alnum_key, parts, stem, word_list, words_of_name
from linker.types import Column, Record, Table

# Confidence of a column named like a table or marked as key, and of a mere suffix match.
CONFIDENCE = 0.85
CONFIDENCE_OF_BARE_NAME = 0.7

_ENDINGS = ("id", "key", "code", "uuid", "guid", "gid", "sk", "fk", "no", "number", "abbr")
_CODES = frozenset(("code", "no", "number", "abbr"))
_LAYERS = frozenset(("dim", "fct", "fact", "lkp", "lookup", "tbl", "stg", "src", "raw", "ref"))
# `purchase_order_id` references `purchase_order_header`.
_HEADS = frozenset(map(stem, ("header", "head", "master", "file", "info")))
_OWN_TABLE = frozenset(map(stem, ("parent", "previous", "prev", "next", "root", "ancestor")))
_COUNTING = frozenset(("num", "count", "total", "has", "is", "max", "min", "avg", "sum", "number"))
# Words that show that a bare name is no key.
_NO_KEYS = (
    frozenset(map(stem, ("version", "order", "position", "rank", "level", "sequence", "size")))
    | frozenset(map(stem, word_list("naming_times")))
    | frozenset(map(stem, word_list("naming_amounts")))
)
_PEOPLE = tuple(map(stem, ("user", "person", "people", "employee", "member", "account", "staff")))
_ROLES = frozenset(map(stem, word_list("naming_roles")))
_BY = "by"
_NUMBERED = re.compile(r"^\D+(?P<number>[01])(?:_id)?$")
_TYPES = (
    ("uuid", re.compile(r"uuid|uniqueidentifier|guid", re.IGNORECASE)),
    ("number", re.compile(r".*(int|serial)|num|dec", re.IGNORECASE)),
    ("text", re.compile(r".*(char|text|string)|enum", re.IGNORECASE)),
)
# Short suffixes, as in `shiptoaddressid`, are unreliable.
_MIN_LETTERS = 5

Words = tuple[str, ...]


class NamedJoin(Record, frozen=True):
    """A column and the key it references, by indexes of tables and columns, with a confidence."""

    table: int
    column: int
    key_table: int
    key_column: int
    confidence: float


class _Keys:
    """Keys by the words that foreign keys to them use."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables
        self.names = list(map(_own_words, tables))
        self.columns = list(map(_columns, tables))
        name_counts = Counter(self.names)
        self.own = [
            _own_key(table, name, name_counts)
            for table, name in zip(tables, self.names, strict=True)
        ]
        self.own_keys = [
            _first_key(table) if own is None else own
            for table, own in zip(tables, self.own, strict=True)
        ]
        self._whole: dict[Words, list[int]] = defaultdict(list)
        self._tails: dict[Words, list[int]] = defaultdict(list)
        self._letters: dict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(self.names):
            if self.own_keys[index] is None:
                continue
            spelt = parts(tables[index].ref.name)[-len(name) :]
            has_head = len(name) > 1 and name[-1] in _HEADS
            for end in (len(name), len(name) - 1) if has_head else (len(name),):
                self._whole[name[:end]].append(index)
                for letters in {"".join(name[:end]), stem("".join(spelt[:end]))}:
                    self._letters[letters].append(index)
            for start in range(1, len(name) if self.own[index] is not None else 0):
                self._tails[name[start:]].append(index)
        people = (self._whole[words,] for words in _PEOPLE if (words,) in self._whole)
        self.people = next(people, [])

    def named(self, words: Words) -> list[int]:
        """Tables with this name."""
        return self._whole.get(words) or self._letters.get("".join(words), [])

    def siblings(self, table: int, words: Words) -> list[int]:
        """
        Tables that share the first words of this one and end with these: `forum_topics` for `topic`
        in `forum_posts`.
        """
        own = self.names[table]
        shared = [
            (_shared(own, self.names[index]), index)
            for index in self._tails.get(words, ())
            if index != table
        ]
        most = max(shared, default=(0, -1))[0]
        return [index for count, index in shared if count == most > 0]

    def inside(self, table: int, words: Words) -> list[int]:
        """
        The table named by this table's first words and these: `current_nodes` for `node` in
        `current_node_tags`.
        """
        own = self.names[table]
        for end in range(len(own) - 1, 0, -1):
            name = (*own[:end], *words)
            if name != own and name in self._whole:
                return self._whole[name]
        return []

    def led_to(self, column: Column, target: int) -> int | None:
        """Index of the key that a column references; a code references a code."""
        words = words_of_name(column.column_name)
        key = self.own_keys[target]
        if words[-1] not in _CODES or key is None:
            return key
        for index, other in enumerate(self.tables[target].columns):
            name = tuple(words_of_name(other.column_name))
            if name in ((words[-1],), (*self.names[target], words[-1])):
                return index
        return None

    def linked(self, table: int, number: int) -> list[int]:
        """The first or second table in the name of a link table."""
        name = self.names[table]
        for start in range(len(name)):
            for middle in range(start + 1, len(name)):
                pair = (self._whole.get(name[start:middle]), self._whole.get(name[middle:]))
                if pair[0] and pair[1]:
                    return pair[number] or []
        return []

    def ending(self, name: str) -> list[int]:
        """Tables at the end of a name without separators, such as `shiptoaddressid`."""
        letters = next((name.removesuffix(end) for end in _ENDINGS if name.endswith(end)), "")
        for start in range(max(1, len(letters) - _MIN_LETTERS + 1)):
            if tables := self._letters.get("".join(words_of_name(letters[start:]))):
                return tables
        return []


def named_joins(tables: Sequence[Table]) -> Iterator[NamedJoin]:
    """Foreign keys of all tables, by names and types."""
    keys = _Keys(tables)
    for index, table in enumerate(tables):
        for number, column in enumerate(table.columns):
            has_words = bool(words_of_name(column.column_name))
            if column.depth or number == keys.own[index] or not has_words:
                continue
            targets, confidence = _targets(keys, index, column)
            near = [other for other in targets if tables[other].ref.schema == table.ref.schema]
            for target in (near or targets)[:1]:
                key = keys.led_to(column, target)
                is_itself = (target, key) == (index, number)
                if key is None or is_itself:
                    continue
                if _is_similar(column, tables[target].columns[key]):
                    yield NamedJoin(index, number, target, key, confidence)


def _targets(keys: _Keys, index: int, column: Column) -> tuple[list[int], float]:
    """Tables that a column may reference by its name, and the confidence."""
    words = tuple(words_of_name(column.column_name))
    if len(words) > 1 and words[-1].isdigit():
        words = words[:-1]
    if (words[:-1] if words[-1] in _ENDINGS else words) == keys.names[index]:
        # Named like its own table.
        return [], 0.0
    numbered = _NUMBERED.match(column.column_name)
    if numbered and (targets := keys.linked(index, int(numbered["number"]))):
        return targets, CONFIDENCE
    if words[-1:] == (_BY,) or words[-2:] == (_BY, "id"):
        return keys.people, CONFIDENCE_OF_BARE_NAME
    if len(words) > 1 and words[-1] in _ENDINGS:
        return _of_key(keys, index, words[:-1]), CONFIDENCE
    targets, confidence = _of_bare_name(keys, index, words, column)
    if targets:
        return targets, confidence
    return keys.ending(alnum_key(column.column_name)), CONFIDENCE


def _of_key(keys: _Keys, index: int, words: Words) -> list[int]:
    """For a column whose name marks a key; the mark is removed from `words`."""
    if (*words, "type") in keys.columns[index]:
        # References different tables per row.
        return []
    own = keys.names[index]
    if words[0] in _OWN_TABLE and words[1:] in (own, own[-1:], ()):
        return [index]
    for start in range(len(words)):
        tail = words[start:]
        targets = keys.inside(index, tail) or keys.named(tail) or keys.siblings(index, tail)
        if targets:
            return targets
    return keys.people if words[-1] in _ROLES else []


def _of_bare_name(keys: _Keys, index: int, words: Words, column: Column) -> tuple[list[int], float]:
    """
    For a column named like a table, or like a suffix of its table's siblings; with the confidence.
    """
    if len(words) == 1 and words[0] in _OWN_TABLE:
        return [index], CONFIDENCE_OF_BARE_NAME
    # Counts and plurals are no keys.
    is_one = words and stem(parts(column.column_name)[-1] + "s") == words[-1]
    if not is_one or not _COUNTING.isdisjoint(words) or words[-1] in _NO_KEYS:
        return [], 0.0
    if targets := keys.named((*keys.names[index], *words)) or keys.named(words):
        return targets, CONFIDENCE
    tails = (keys.named(words[start:]) for start in range(1, len(words)))
    return next(filter(None, tails), []), CONFIDENCE_OF_BARE_NAME


def _columns(table: Table) -> set[Words]:
    return {tuple(words_of_name(column.column_name)) for column in table.columns}


def _shared(name: Words, other: Words) -> int:
    """Length of the common prefix."""
    pairs = zip(name, other, strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _own_words(table: Table) -> Words:
    """The words of a table's name without a layer prefix."""
    words = tuple(words_of_name(table.ref.name))
    return words[1:] if len(words) > 1 and words[0] in _LAYERS else words


def _own_key(table: Table, name: Words, whole: Mapping[Words, int]) -> int | None:
    """Index of the column that is the table's key by name."""
    letters: dict[str, int] = {}
    for index, column in enumerate(table.columns):
        if not column.depth:
            letters.setdefault("".join(words_of_name(column.column_name)), index)
    names = [name, *(name[start:] for start in range(1, len(name)) if name[start:] not in whole)]
    if len(name) > 1 and name[-1] in _HEADS:
        names.append(name[:-1])
    spelt = ["".join((*words, ending)) for ending, words in product(_ENDINGS, names)]
    return next(
        (letters[text] for text in ("id", *spelt, "code", "uuid", "key") if text in letters), None
    )


def _first_key(table: Table) -> int | None:
    """Index of the first column if its name marks a key, as in a detail table."""
    words = words_of_name(table.columns[0].column_name) if table.columns else []
    return 0 if len(words) > 1 and words[-1] in _ENDINGS else None


def _is_similar(column: Column, key: Column) -> bool:
    kinds = {_type(column.data_type), _type(key.data_type)}
    return len(kinds) == 1 or kinds == {"text", "uuid"}


def _type(data_type: str) -> str:
    return next((name for name, pattern in _TYPES if pattern.match(data_type)), data_type)
