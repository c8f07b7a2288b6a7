"""
Places of pages: enters what a page is about, leaves its address below the root, on a server and in
files alike.
"""

import hashlib
import re

from linker.catalog.snapshot import ProfiledCatalog
from linker.types import TableRef

_LONGEST = 80
_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


def slug(name: str) -> str:
    """
    A name as a part of an address and of a file: letters, digits, - and _ stay; a long one ends in
    a digest.
    """
    written = _STRANGE.sub(lambda letter: f"~{ord(letter[0]):x}~", name)
    if len(written) <= _LONGEST:
        return written
    return f"{written[:_LONGEST]}~~{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def numbered(place: str, page: int) -> str:
    """The file of a page among several of one place."""
    return f"{place}.html" if page == 1 else f"{place}.{page}.html"


def schema_place(schema: str) -> str:
    """The place of a schema."""
    return f"schemas/{slug(schema)}"


def table_place(ref: TableRef) -> str:
    """The place of a table."""
    return f"tables/{slug(ref.schema)}/{slug(ref.name)}"


def joins_place(ref: TableRef) -> str:
    """The place of the joins of a table."""
    return f"joins/{slug(ref.schema)}/{slug(ref.name)}"


def column_place(ref: TableRef, path: str) -> str:
    """The place of a column."""
    return f"{table_place(ref)}/{slug(path)}"


def schemas_by_slug(profiled: ProfiledCatalog) -> dict[str, str]:
    """The schemas by the part of the address that means them."""
    return {slug(table.ref.schema): table.ref.schema for table in profiled.catalog.tables}


def tables_by_slugs(profiled: ProfiledCatalog) -> dict[tuple[str, str], TableRef]:
    """The tables by the two parts of the address that mean them."""
    return {
        (slug(table.ref.schema), slug(table.ref.name)): table.ref
        for table in profiled.catalog.tables
    }
