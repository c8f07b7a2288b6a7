"""Two shops that differ only in hidden and masked values."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from linker.errors import GuardError, WarehouseError
from linker.sql_policy.guard import Guard, Probe
from linker.warehouses import Warehouse
from linker.warehouses.base import Bounds
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.warehouse import EVENTS, guard

Outcome = list[str] | str
# Whether a value exists that the statement names may be revealed; random values and clocks differ
# in one world, too.
_TOLD = ("ada@example.com", "bob@example.com", "4915112345", "count(distinct email)")
CHANCE = (
    "random",
    "uuid",
    "sample",
    "shuffle",
    "now(",
    "current_time",
    "current_local",
    "localtime",
    "_timestamp(",
)


def is_comparable(sql: str) -> bool:
    """
    Tell whether two worlds that differ in hidden and masked values alone have to answer the same.
    """
    return not any(word in sql.lower() for word in (*_TOLD, *CHANCE))


# The second world: other lengths, another order, equal values where they differ in the first; other
# nulls too where nothing of the column is seen. The first is written as often, so that rows lie in
# the same order.
_OTHERWISE = (
    "update shop.customers set email = 'zoe@a.example' where email is not null",
    "update shop.customers set phone = 99 where phone is not null",
    "update shop.customers set password_hash = case when customer_id > 1 then 'OTHER' end",
    *(f"update shop.{name} set token = 'OTHER' || event_id" for name in EVENTS),
)
_AS_IT_IS = (
    "update shop.customers set email = email where email is not null",
    "update shop.customers set phone = phone where phone is not null",
    "update shop.customers set password_hash = password_hash",
    *(f"update shop.{name} set token = token" for name in EVENTS),
)


@dataclass(frozen=True)
class Worlds:
    """The guard of both, and a session in each."""

    dialect: str
    guard: Guard
    sessions: tuple[Warehouse, Warehouse]

    def probe(self, sql: str) -> Probe | None:
        """The probe of a statement; none where it is refused."""
        try:
            return self.guard.check(sql)
        except GuardError:
            return None

    def told(self, probe: Probe, seconds: int = 5) -> tuple[Outcome, Outcome]:
        """What each world answers: its rows in any order, or why there are none."""
        first, second = (_told(session, probe, seconds) for session in self.sessions)
        return first, second


def _told(session: Warehouse, probe: Probe, seconds: int) -> Outcome:
    try:
        return sorted(map(repr, session.query(probe.sql, (), Bounds(seconds, rows=100))))
    except WarehouseError as error:
        return error.what


@contextmanager
def worlds(dialect: str, folder: Path) -> Iterator[Worlds]:
    """Both worlds, made anew."""
    with ExitStack() as stack:
        sessions = []
        for name, statements in (("first", _AS_IT_IS), ("second", _OTHERWISE)):
            (folder / name).mkdir()
            shop = (
                duckdb_shop(folder / name, statements)
                if dialect == "duckdb"
                else postgres_shop(statements)
            )
            sessions.append(stack.enter_context(shop))
            stack.callback(sessions[-1].close)
        yield Worlds(dialect, guard(dialect), (sessions[0], sessions[1]))
