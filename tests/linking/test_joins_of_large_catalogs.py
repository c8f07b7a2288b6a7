"""Joins between tables of a catalog that is too large to be ranked as a whole."""

from functools import cached_property
from pathlib import Path

from linker.catalog.column_metadata import Facts, KeyPair
from linker.catalog.index_session import FixedIndex, Index
from linker.catalog.snapshot import ProfiledCatalog
from linker.linking.mschema import join_tables
from linker.types import Catalog, Column, Columns, Table, TableRef
from tests.linking.rules import careful
from tests.linking.test_size import GeneratedEnvironment, generated

CLIENTS, PROMISES = TableRef("crm", "clients"), TableRef("desk", "promises")
# No word of it is in the names of the others.
STEPS = TableRef("vocabulary", "zz_steps")


def table(ref: TableRef, *paths: str) -> Table:
    columns = tuple(
        Column(path, path, 0, place, "VARCHAR", is_nullable=True, description=None)
        for place, path in enumerate(paths, start=1)
    )
    return Table(ref, "table", None, None, Columns(columns))


class WithLookup(GeneratedEnvironment):
    """A large catalog, and two tables with keys to one lookup."""

    @cached_property
    def index(self) -> Index:
        others = generated(self._columns).tables
        tables = (
            *others,
            table(CLIENTS, "client_no", "rung"),
            table(PROMISES, "rung", "hours"),
            # Too wide for the room that the best hits leave.
            table(STEPS, "step", *(f"label_{number}" for number in range(25))),
        )
        joins = tuple(
            KeyPair(ref, ("rung",), STEPS, ("step",), confidence=0.98)
            for ref in (CLIENTS, PROMISES)
        )
        return FixedIndex(ProfiledCatalog(Catalog(tables, len(tables)), Facts({}, joins)))


def test_tables_join_over_a_lookup_that_their_names_do_not_find(tmp_path: Path) -> None:
    with WithLookup(tmp_path, careful, 20_000) as environment:
        found = join_tables([CLIENTS, PROMISES], environment)
    assert found.between == (STEPS,)
    assert sorted(map(str, found.joins)) == [
        "crm.clients.rung = vocabulary.zz_steps.step",
        "desk.promises.rung = vocabulary.zz_steps.step",
    ]
