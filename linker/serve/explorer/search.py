"""Explanations of search results: why a table matched, and spelling suggestions."""

from collections.abc import Iterable, Mapping, Set

from linker.catalog.snapshot import ProfiledCatalog
from linker.identifiers.resolver import Unknown
from linker.identifiers.table_index import close
from linker.linking.linking import catalog_names
from linker.retrieval.hits import Retrieved
from linker.text.escaping import escape_invisible
from linker.text.words import parts, stem, stop_words, words_of_name
from linker.types import Hit, Table

_SHORTEST = 4
_ALIKE = 0.72
_COLUMNS_NAMED = 3
_NAMED = "name match"
_SEMANTIC = "semantic match"


def words_known(profiled: ProfiledCatalog) -> frozenset[str]:
    """Words of all names and comments, as written."""
    words: set[str] = set()
    for table in profiled.catalog.tables:
        words.update(parts(f"{table.ref} {table.description or ''}"))
        for column in table.columns:
            words.update(parts(f"{column.path} {column.description or ''}"))
    return frozenset(words)


def similarly_named_tables(text: str, profiled: ProfiledCatalog) -> list[Table]:
    """Tables with similar names, if none has exactly this one."""
    named = catalog_names(profiled).table(text)
    near = named.near if isinstance(named, Unknown) else (str(named),)
    if any(text.strip().casefold() in (name, name.rpartition(".")[2]) for name in near):
        return []
    by_name = {str(table.ref): table for table in profiled.catalog.tables}
    return [by_name[name] for name in near if name in by_name]


def meant(text: str, vocabulary: frozenset[str]) -> str:
    """The text with unknown words replaced by similar known ones, or empty."""
    stems = set(words_of_name(" ".join(vocabulary)))
    words, is_other = [], False
    for word in text.split():
        alike = []
        if len(word) >= _SHORTEST and stems.isdisjoint(words_of_name(word)):
            alike = close(word.casefold(), vocabulary, 1, _ALIKE)
        words.extend(alike or [word])
        is_other = is_other or bool(alike)
    return " ".join(words) if is_other else ""


def found_tables(
    text: str, hits: Retrieved, profiled: ProfiledCatalog, most: int
) -> list[tuple[Table, str]]:
    """
    Tables that were retrieved or contain the value, with reasons: exact names first, semantic
    matches last.
    """
    refs = dict.fromkeys(hit.ref for hit in hits.tables[:most])
    refs |= dict.fromkeys(hit.ref.table for hit in hits.columns if hit.match)
    tables: list[tuple[Table, str]] = []
    for ref in refs:
        if table := profiled.catalog.table_by_ref.get(ref):
            tables.append((table, why_found(text, table, hits.columns, profiled)))
    tables.sort(key=lambda item: (item[1] == _SEMANTIC, not item[1].startswith(_NAMED)))
    return tables[:most]


def why_found(text: str, table: Table, hits: Iterable[Hit], profiled: ProfiledCatalog) -> str:
    """The main reason for a result."""
    wanted = _telling(text)
    reasons = []
    if named := wanted.keys() & set(words_of_name(table.ref.name)):
        reasons.append(f"{_NAMED}: {_listed(wanted, named)}")
    if described := wanted.keys() & set(words_of_name(table.description or "")):
        reasons.append(f"description match: {_listed(wanted, described)}")
    own = [hit for hit in hits if hit.ref.table == table.ref]
    values = [(hit.ref.path, hit.match.value) for hit in own if hit.match]
    if values:
        path, value = map(escape_invisible, values[0])
        reasons.append(f"value match: '{value}' in {path}")
    columns = []
    for hit in own:
        column = profiled.catalog.find(hit.ref)
        words = words_of_name(f"{hit.ref.path} {column.description or ''}") if column else ()
        if not hit.match and wanted.keys() & set(words):
            columns.append(escape_invisible(hit.ref.path))
    if columns:
        noun = "column" if len(columns) == 1 else "columns"
        reasons.append(f"{noun} {', '.join(columns[:_COLUMNS_NAMED])}")
    return "; ".join(reasons) or _SEMANTIC


def _telling(text: str) -> dict[str, str]:
    """Informative words by stem."""
    words = parts(text)
    empty = stop_words(words)
    return {stem(word): word for word in words if word not in empty}


def _listed(words: Mapping[str, str], stems: Set[str]) -> str:
    return ", ".join(word for key, word in words.items() if key in stems)
