"""
Writes index documents (text, search terms and values per column and table) and embeds those that
changed.

Text from the warehouse is data: it is reduced to one line, truncated, and never interpreted.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain

from msgspec.structs import replace

from linker.catalog.column_metadata import NO_FACTS, ColumnFacts, Facts
from linker.catalog.snapshot import ProfiledCatalog
from linker.embedders import Embedder
from linker.index import Collection, IndexManifest, Store
from linker.text.numbers import counted
from linker.text.values import LONGEST_VALUE
from linker.text.words import casefold_ascii, parts, readable, words_of_name, words_of_text
from linker.types import (
    Catalog,
    Column,
    ColumnRef,
    Document,
    Family,
    OnProgress,
    Record,
    Ref,
    Table,
    Words,
)

# Part of every digest, so that a new template rewrites all documents.
TEMPLATE_VERSION = 3
# Encoders read about 250 words; keys and values come last and must fit.
_LONGEST_DESCRIPTION = 400
_LONGEST_TABLE_DESCRIPTION = 200
_VALUES_IN_TEXT = 8
_LONGEST_VALUE_IN_TEXT = 40
_COLUMNS_IN_TEXT = 40
_MAX_WORDS = 400
_words_of_value = lru_cache(maxsize=100_000)(words_of_text)
# Semantic types whose values describe the column; amounts and times do not.
_INFORMATIVE = frozenset((None, "category", "code", "text", "boolean", "geo", "constant", "year"))

BATCH_SIZE = 256


def write_documents(catalog: Catalog, facts: Facts = NO_FACTS) -> tuple[Document, ...]:
    """
    One document per logical table and column; a family has one set, whatever its number of shards.
    """
    return tuple(chain.from_iterable(_documents(table, facts) for table in catalog.tables))


def column_texts(profiled: ProfiledCatalog) -> Mapping[ColumnRef, str]:
    """Document texts of columns, as an encoder reads them."""
    documents = write_documents(profiled.catalog, profiled.facts)
    return {
        document.ref: document.text for document in documents if isinstance(document.ref, ColumnRef)
    }


def _documents(table: Table, facts: Facts) -> Iterator[Document]:
    of_column = {
        column.path: facts.get(ColumnRef(table.ref, column.path)) for column in table.columns
    }
    yield _table_document(table, of_column)
    table_words = _some([*words_of_name(str(table.ref)), *words_of_text(table.description or "")])
    for column in table.columns:
        yield _column_document(table, column, of_column[column.path], table_words)


def _column_document(
    table: Table, column: Column, facts: ColumnFacts, table_words: tuple[str, ...]
) -> Document:
    values = _short_values(facts.values)
    frequent = _short_values(facts.frequent_values)
    words = Words(
        name=_some(words_of_name(column.path)),
        description=_some(words_of_text(column.description or "")),
        table=table_words,
        values=_some(chain.from_iterable(map(_words_of_value, frequent))),
    )
    ref = ColumnRef(table.ref, column.path)
    text = _text(_column_sentences(table, column, facts, frequent))
    return _digested(Document(ref, text, "", words, values))


def _short_values(values: Iterable[str]) -> tuple[str, ...]:
    shown = dict.fromkeys(readable(value)[: LONGEST_VALUE + 1] for value in values)
    return tuple(value for value in shown if 0 < len(value) <= LONGEST_VALUE)


def _table_document(table: Table, facts: Mapping[str, ColumnFacts]) -> Document:
    words = Words(
        name=_some(words_of_name(table.ref.name)),
        description=_some(words_of_text(table.description or "")),
        table=_some(
            [
                *words_of_name(table.ref.schema),
                *chain.from_iterable(map(words_of_name, facts)),
            ]
        ),
    )
    return _digested(Document(table.ref, _text(_table_sentences(table, facts)), "", words))


def _digested(document: Document) -> Document:
    """The document without the order of values, which follows counts that change daily."""
    words = document.words
    content = (
        TEMPLATE_VERSION,
        document.text,
        words.name,
        words.description,
        words.table,
        sorted(words.values),
        sorted(document.values),
    )
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    return Document(document.ref, document.text, digest, words, document.values)


def _text(sentences: Iterable[str]) -> str:
    return ". ".join(sentences).lower()


def _column_sentences(
    table: Table, column: Column, facts: ColumnFacts, values: tuple[str, ...]
) -> Iterator[str]:
    yield f"{_named(column.path)} of {readable(str(table.ref))}"
    if column.description:
        yield _cut(column.description, _LONGEST_DESCRIPTION)
    if table.description:
        yield f"table: {_cut(table.description, _LONGEST_TABLE_DESCRIPTION)}"
    yield f"type: {readable(column.short_type)}" + (
        f", {facts.category.replace('_', ' ')}" if facts.category else ""
    )
    if facts.is_primary_key:
        yield "primary key"
    for key in facts.points_to[:1]:
        yield f"points to {readable(str(key))}"
    if table.family:
        yield _range(table.family)
        if table.family.holders(column):
            yield "only some of them have it"
    informative = sorted(value for value in values if len(value) <= _LONGEST_VALUE_IN_TEXT)[
        :_VALUES_IN_TEXT
    ]
    if informative and facts.category in _INFORMATIVE:
        yield f"values{' of some' if facts.seen_in else ''}: {', '.join(informative)}"


def _table_sentences(table: Table, facts: Mapping[str, ColumnFacts]) -> Iterator[str]:
    yield f"table {readable(str(table.ref))}"
    if table.description:
        yield _cut(table.description, _LONGEST_DESCRIPTION)
    if table.family:
        yield _range(table.family)
    if table.schemas:
        yield "the same table stands in other schemas"
    paths = [
        column.path
        for column in sorted(table.columns, key=lambda column: (column.depth, column.position))
    ]
    keys = [path for path in paths if facts[path].is_primary_key]
    others = [path for path in paths if path not in keys]
    if keys:
        yield f"key: {', '.join(map(_named, keys))}"
    yield f"columns: {', '.join(map(_named, others[:_COLUMNS_IN_TEXT]))}"


def _named(path: str) -> str:
    """The name, and its words if it has no separators."""
    name, words = readable(path), " ".join(parts(path))
    as_written = " ".join(re.findall(r"[^\W_]+", casefold_ascii(path)))
    return name if words == as_written else f"{name} ({words})"


def _range(family: Family) -> str:
    """The years of a family; days would re-embed it with every new shard."""
    years = [_year(key) for key in (family.first_key, family.last_key)]
    sentence = (
        f"one {'copy of the same rows' if family.is_snapshots else 'table'} for every "
        f"{family.key_kind}"
    )
    if not all(re.fullmatch(r"(19|20)\d\d", year) for year in years) or family.key_kind in (
        "number",
        "shard",
        "hash",
    ):
        return sentence
    return (
        f"{sentence} of {years[0]}"
        if years[0] == years[1]
        else f"{sentence} from {years[0]} to {years[1]}"
    )


def _year(key: str) -> str:
    """The year at the start of a date, or at its end where no month can follow: 31012024."""
    digits = re.sub(r"\D", "", key)
    return (
        digits[4:8] if len(digits) == len("31012024") and digits[4:6] in ("19", "20") else key[:4]
    )


def _cut(description: str, length: int) -> str:
    text = readable(description)
    if len(text) > length:
        text = text[:length].rpartition(" ")[0] or text[:length]
    return text.rstrip(".")


def _some(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word, _ in zip(dict.fromkeys(words), range(_MAX_WORDS), strict=False))


class IndexPlan(Record, frozen=True):
    """Differences between documents and index, and vectors already in the store."""

    documents: tuple[Document, ...]
    changed: tuple[Document, ...]
    gone: tuple[Ref, ...]
    staged: Set[Ref] = frozenset()
    has_snapshot: bool = True

    @property
    def unchanged_count(self) -> int:
        """Number of documents that are current."""
        return len(self.documents) - len(self.changed)

    @property
    def to_embed(self) -> tuple[Document, ...]:
        """Changed documents without a vector; an interrupted run may have embedded some."""
        return tuple(document for document in self.changed if document.ref not in self.staged)

    @property
    def in_step(self) -> bool:
        """True if documents and snapshot equal those of the index."""
        return self.has_snapshot and not self.changed and not self.gone

    def __str__(self) -> str:
        embedded = _counted([document.ref for document in self.to_embed])
        before = [document.ref for document in self.changed if document.ref in self.staged]
        since = f" ({_counted(before)} by an interrupted run before)" if before else ""
        return (
            f"{embedded} embedded{since}, {self.unchanged_count:,} unchanged, "
            f"{_counted(self.gone)} removed"
        )


def _counted(refs: Sequence[Ref]) -> str:
    """For example `3 columns and 1 table`; 0 for none."""
    columns = sum(isinstance(ref, ColumnRef) for ref in refs)
    counts = {"column": columns, "table": len(refs) - columns}
    parts = (counted(count, kind) for kind, count in counts.items() if count)
    return " and ".join(parts) or "0"


def plan_index(documents: Sequence[Document], indexed: Mapping[Ref, str]) -> IndexPlan:
    """Compare documents with the index by digest."""
    wanted = {document.ref for document in documents}
    return IndexPlan(
        documents=tuple(documents),
        changed=tuple(
            document for document in documents if indexed.get(document.ref) != document.content_hash
        ),
        gone=tuple(sorted((ref for ref in indexed if ref not in wanted), key=str)),
    )


def read_plan(documents: Sequence[Document], store: Store, collection: Collection) -> IndexPlan:
    """Compare documents with the store, including vectors of interrupted runs."""
    plan = plan_index(documents, store.content_hashes(collection))
    return replace(plan, staged=store.staged(collection, plan.changed)) if plan.changed else plan


def apply_plan(
    plan: IndexPlan,
    embedder: Embedder,
    store: Store,
    collection: Collection,
    on_progress: OnProgress,
    made_from: IndexManifest | None = None,
) -> None:
    """
    Embed missing documents in batches, then publish the index atomically; embedded batches survive
    an interruption.
    """
    if plan.in_step:
        return
    missing = plan.to_embed
    for start in range(0, len(missing), BATCH_SIZE):
        batch = missing[start : start + BATCH_SIZE]
        store.stage(collection, batch, embedder.embed([document.text for document in batch]))
        on_progress(start + len(batch), len(missing))
    store.publish(collection, plan.documents, made_from)
