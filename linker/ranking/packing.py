"""
All that is known of a whole catalogue before any question, as bytes and back; its tables and facts
are given again.

MessagePack, as bytes from a file are only ever data; arrays are their numbers as they lie in
memory.
"""

from functools import cache
from itertools import pairwise
from typing import Any, get_type_hints

import msgspec
import numpy as np

from linker.catalog.snapshot import ProfiledCatalog
from linker.ranking.graph import Graph
from linker.ranking.known import Known
from linker.ranking.lexicon import Lexicon, TextPlaces, sorted_tables
from linker.ranking.likeness import SimilarWords
from linker.ranking.table_words import Ints, Vocabulary
from linker.types import ColumnRef, Record

# What a lexicon is given: the catalogue, and texts by number, which share one vocabulary.
_GIVEN = frozenset(
    ("catalog", "facts", "tables", "refs", "squashed_names", "squashed_tables", "values_at")
)


class _Packed(Record, frozen=True):
    """
    What is written of the rest: the paths of each table, texts and where they stand, and what joins
    and repeats.
    """

    paths: tuple[tuple[str, ...], ...]
    texts: Vocabulary
    places: tuple[tuple[Ints, Ints], ...]
    graph: Graph
    siblings: tuple[tuple[int, ...], ...]


def pack_known(known: Known | None) -> bytes:
    """What is known of a catalogue; nothing where it is not known as a whole."""
    if known is None:
        return b""
    lexicon = known.lexicon
    standing = (lexicon.squashed_names, lexicon.squashed_tables, lexicon.values_at)
    all_paths = [ref.path for ref in lexicon.refs]
    packed = _Packed(
        paths=tuple(
            tuple(all_paths[start:end]) for start, end in pairwise(lexicon.starts.tolist())
        ),
        texts=standing[0].texts,
        places=tuple((each.keys, each.places) for each in standing),
        graph=known.graph,
        siblings=known.siblings,
    )
    return msgspec.msgpack.encode(
        (packed, tuple(getattr(lexicon, name) for name in _forms())), enc_hook=_written
    )


def unpack_known(content: bytes, profiled: ProfiledCatalog) -> Known:
    """The same of the catalogue that it was packed of."""
    form: Any = tuple[_Packed, tuple[(*_forms().values(),)]]  # type: ignore[misc]  # as long as a lexicon
    packed, fields = msgspec.msgpack.decode(content, type=form, dec_hook=_read)
    tables = sorted_tables(profiled.catalog)
    refs = (
        ColumnRef(table.ref, path)
        for table, paths in zip(tables, packed.paths, strict=True)
        for path in paths
    )
    names, of_tables, values = (TextPlaces(packed.texts, *each) for each in packed.places)
    lexicon = Lexicon(
        catalog=profiled.catalog,
        facts=profiled.facts,
        tables=tables,
        refs=tuple(refs),
        squashed_names=names,
        squashed_tables=of_tables,
        values_at=values,
        **dict(zip(_forms(), fields, strict=True)),
    )
    return Known(lexicon, packed.graph, packed.siblings)


@cache
def _forms() -> dict[str, object]:
    """The fields of a lexicon that are written, and their types."""
    return {name: form for name, form in get_type_hints(Lexicon).items() if name not in _GIVEN}


def _written(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Vocabulary):
        return value.spelt
    if isinstance(value, SimilarWords):
        return value.parts
    raise NotImplementedError


def _read(form: type, value: Any) -> object:  # noqa: ANN401 - whatever was written
    if form is Vocabulary:
        return Vocabulary(value)
    if form is SimilarWords:
        return SimilarWords(*value)
    kind, shape, numbers = value
    return np.frombuffer(numbers, kind).reshape(shape)
