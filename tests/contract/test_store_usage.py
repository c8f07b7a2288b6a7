"""Contract of the store for usage statistics: kept by source, without query texts."""

import hashlib
import re

import numpy as np
import psycopg
import pytest
from psycopg import sql

from linker.catalog.column_metadata import pack
from linker.index import Collection, IndexManifest, Snapshot, Store
from linker.types import Document, TableRef
from linker.usage.counting import count_use
from linker.usage.sources import Logged
from tests.usage.logs import tables

# Nothing else that is kept holds these.
SECRETS = ("zanzibar", "4711424242", "2031-07-19", "moonlight", "secretalias")
QUERIES = f"""
    select o.amount as {SECRETS[4]}, '{SECRETS[0]}' as said -- {SECRETS[3]}
    from sales.orders o join crm.customers c using (customer_id)
    where o.status = '{SECRETS[0]}' and o.amount > {SECRETS[1]} and o.placed_on < date '{SECRETS[2]}'
        and c.city in ('{SECRETS[0]}', '{SECRETS[3]}') /* {SECRETS[0]} */;
    select "{SECRETS[0]}" from sales.orders; select '{SECRETS[0]} from broken; select {SECRETS[1]}
"""


@pytest.fixture
def target(collection: Collection) -> str:
    return collection.target


def indexed(store: Store, collection: Collection) -> IndexManifest:
    document = Document(TableRef("sales", "orders"), "orders", "#")
    made = IndexManifest(b"snapshot")
    store.stage(collection, [document], np.array([[1, 0, 0]], dtype=np.float32))
    store.publish(collection, [document], made)
    return made


def snapshot(store: Store, collection: Collection, held: str = "") -> Snapshot:
    found = store.snapshot(collection, held=held)
    assert found is not None
    return found


def names(store: Store, target: str) -> list[str]:
    return [one.name for one in store.learned.sources(target)]


def test_what_a_source_told_comes_back_and_is_told_with_the_snapshot(
    store: Store, collection: Collection
) -> None:
    indexed(store, collection)
    store.learned.replace(collection.target, "b.sql", b"of b \x00", '{"read": 3}')
    store.learned.replace(collection.target, "größe.sql", b"of a", "{}")
    found = store.learned.sources(collection.target)
    assert [(one.name, one.content, dict(one.counts)) for one in found] == [
        ("b.sql", b"of b \x00", {"read": 3}),
        ("größe.sql", b"of a", {}),
    ]
    assert sorted(snapshot(store, collection).learned) == [b"of a", b"of b \x00"]


def test_a_source_that_is_learned_again_replaces_what_it_told(
    store: Store, collection: Collection
) -> None:
    indexed(store, collection)
    for content in (b"old", b"new", b"new"):
        store.learned.replace(collection.target, "a.sql", content, "{}")
    assert snapshot(store, collection).learned == (b"new",)


def test_what_a_source_told_has_a_digest(store: Store, target: str) -> None:
    assert store.learned.digests(target) == {}
    store.learned.replace(target, "a.sql", b"told", "{}")
    assert store.learned.digests(target) == {"a.sql": hashlib.sha256(b"told").hexdigest()}


def test_a_source_that_is_forgotten_is_gone_and_the_others_stay(store: Store, target: str) -> None:
    for source in ("a.sql", "b.sql"):
        store.learned.replace(target, source, b"told", "{}")
    assert store.learned.delete(target, "a.sql")
    assert not store.learned.delete(target, "a.sql")
    assert names(store, target) == ["b.sql"]


def test_targets_do_not_learn_from_each_other(store: Store, collection: Collection) -> None:
    indexed(store, collection)
    store.learned.replace(f"{collection.target} 2", "a.sql", b"told", "{}")
    assert names(store, collection.target) == []
    assert snapshot(store, collection).learned == ()


def test_a_long_session_sees_that_something_was_learned(
    store: Store, collection: Collection
) -> None:
    made = indexed(store, collection)
    before = snapshot(store, collection, held=made.digest).learned_digest
    store.learned.replace(collection.target, "a.sql", b"told", "{}")
    after = snapshot(store, collection, held=made.digest)
    assert before == ""
    assert after.learned_digest not in ("", before)
    assert (after.content, after.learned) == (None, ())


def test_no_literal_comment_or_alias_of_a_query_is_kept_anywhere(
    store: Store, target: str, own_connection: psycopg.Connection
) -> None:
    known, _ = count_use([Logged(QUERIES), Logged(QUERIES.partition(";")[0])], tables())
    [(begun,)] = own_connection.execute("select pg_current_xact_id()::xid::text").fetchall()
    store.learned.replace(target, "queries.sql", pack(known), "{}")
    assert known.queries > 0
    [source] = store.learned.sources(target)
    assert not re.search("|".join(SECRETS).encode(), source.content)
    dump = "".join(_dump(own_connection, begun))
    assert "queries.sql" in dump
    assert [secret for secret in SECRETS if secret in dump.casefold()] == []


def _dump(connection: psycopg.Connection, begun: str) -> list[str]:
    """All rows of the store that were written since."""
    relations = connection.execute(
        "select tablename from pg_tables where schemaname = 'linker'"
    ).fetchall()
    lines: list[str] = []
    for (name,) in relations:
        written = sql.SQL("select t::text from {} as t where age(t.xmin) <= age(%s::xid)")
        rows = connection.execute(written.format(sql.Identifier("linker", name)), (begun,))
        lines += [str(row) for row in rows]
    return lines
