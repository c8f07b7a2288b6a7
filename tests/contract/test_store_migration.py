"""A store of an older version is brought up to date, and keeps what it holds."""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import numpy as np
import psycopg
import pytest
from pgvector.psycopg import register_vector
from psycopg import sql
from psycopg.conninfo import make_conninfo

from linker.config.values import Secret
from linker.store import Collection, MadeFrom, Query, Snapshot, open_store
from linker.store.places import key_of
from linker.types import ColumnRef, Document, TableRef
from tests.contract.putting import nearest, put

EAST, NORTH = np.eye(2, 3, dtype=np.float32)


@pytest.fixture
def old_url(
    own_connection: psycopg.Connection, url: Secret, request: pytest.FixtureRequest
) -> Iterator[Secret]:
    """A database as version 0001 left it: two targets, and names that need care."""
    name = f"old {request.node.name}"[:60]
    own_connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    old = Secret(make_conninfo(url.get_secret_value(), dbname=name))
    first = (
        resources.files("linker.store").joinpath("migrations", "0001_documents.sql").read_bytes()
    )
    with psycopg.connect(old.get_secret_value(), autocommit=True) as connection:
        connection.execute("create schema linker")
        connection.execute("create table linker.migrations (name text primary key)")
        connection.execute(first)
        connection.execute("insert into linker.migrations values ('0001_documents.sql')")
        register_vector(connection)
        connection.execute("insert into linker.spaces (model, dimension) values ('model', 3)")
        for target, path, vector in [
            ("a", "größe_日本", EAST),
            ("a", "id", NORTH),
            ("b", "id", EAST),
        ]:
            connection.execute(
                "insert into linker.documents values (1, %s, 'shop', 'orders', %s, 'old', 'Customers of orders', %s)",
                (target, path, vector),
            )
        connection.execute("insert into linker.remembered values (1, 'digest', %s)", (NORTH,))
    yield old
    own_connection.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def test_documents_and_remembered_vectors_of_the_first_version_are_kept(
    old_url: Secret, state_dir: Path
) -> None:
    refs = [ColumnRef(TableRef("shop", "orders"), path) for path in ("größe_日本", "id")]
    for _ in range(2):
        store = open_store(old_url, state_dir)
        assert store.content_hashes(Collection("a", "model")) == dict.fromkeys(refs, "old")
        assert nearest(store, Collection("a", "model"), EAST, limit=9) == [
            (refs[0], 1.0),
            (refs[1], 0.0),
        ]
        assert nearest(store, Collection("b", "model"), EAST, limit=9) == [(refs[1], 1.0)]
        found = store.search(Collection("b", "model"), Query(EAST, ("customers",)), limit=9)
        assert [found.columns[number] for number, _ in found.lexical] == [refs[1]]
        np.testing.assert_array_equal(store.recall("model", ["digest"])["digest"], NORTH)
        store.close()


def test_what_is_written_after_the_migration_replaces_what_was_there(
    old_url: Secret, state_dir: Path
) -> None:
    ref = ColumnRef(TableRef("shop", "orders"), "größe_日本")
    store = open_store(old_url, state_dir)
    other = Document(ColumnRef(TableRef("shop", "orders"), "id"), "", "old")
    store.stage(Collection("a", "model"), [Document(ref, "new", "new")], NORTH[None])
    store.switch(Collection("a", "model"), [Document(ref, "new", "new"), other])
    assert store.content_hashes(Collection("a", "model"))[ref] == "new"
    assert len(store.content_hashes(Collection("a", "model"))) == 2
    store.close()


@pytest.mark.parametrize(
    "ref",
    [
        TableRef("a", "b"),
        ColumnRef(TableRef("ä", "1:"), ""),
        ColumnRef(TableRef("", "日本"), "x.y"),
    ],
)
def test_server_and_client_make_the_same_keys(
    old_url: Secret, state_dir: Path, ref: TableRef | ColumnRef
) -> None:
    open_store(old_url, state_dir).close()
    table = ref if isinstance(ref, TableRef) else ref.table
    kind, path = ("table", "") if isinstance(ref, TableRef) else ("column", ref.path)
    with psycopg.connect(old_url.get_secret_value()) as connection:
        [[key]] = connection.execute(
            "select linker.key_of(%s, %s, %s, %s)", (kind, table.schema, table.name, path)
        ).fetchall()
    assert key == key_of(ref)


def test_a_store_from_before_there_was_a_history_keeps_its_index_and_gets_one(
    fresh_url: Secret, state_dir: Path
) -> None:
    """All that later versions add is taken away again from a store that this one wrote."""
    collection, document = (
        Collection("a", "model"),
        Document(ColumnRef(TableRef("shop", "orders"), "id"), "id", "#"),
    )
    store = open_store(fresh_url, state_dir)
    put(store, collection, [document], EAST[None], MadeFrom(b"what it was made from"))
    store.close()
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as connection:
        connection.execute("drop table linker.runs, linker.table_states")
        connection.execute("delete from linker.migrations where name = '0005_history.sql'")
    store = open_store(fresh_url, state_dir)
    assert nearest(store, collection, EAST, limit=9) == [(document.ref, 1.0)]
    snapshot = store.snapshot(collection)
    assert snapshot is not None
    assert (snapshot.content, snapshot.is_settled) == (b"what it was made from", True)
    assert store.history.runs("a", limit=9) == []
    assert store.history.begin("a", "refresh") == 1
    store.close()


@pytest.mark.parametrize("was_killed", [False, True])
def test_what_a_killed_run_of_before_the_switch_left_has_no_snapshot_and_is_mended_by_the_next(
    fresh_url: Secret, state_dir: Path, *, was_killed: bool
) -> None:
    """All that the switch added is taken away again from a store that this version wrote."""
    collection, document = (
        Collection("a", "model"),
        Document(ColumnRef(TableRef("shop", "orders"), "id"), "id", "#"),
    )
    made_from = MadeFrom(b"what it was made from")
    store = open_store(fresh_url, state_dir)
    put(store, collection, [document], EAST[None], made_from)
    store.close()
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as connection:
        connection.execute("drop table linker.staged")
        connection.execute("alter table linker.collections drop column version")
        connection.execute(
            "update linker.collections set is_coded = true, is_settled = %s", (not was_killed,)
        )
        connection.execute("delete from linker.migrations where name = '0006_staged.sql'")
    store = open_store(fresh_url, state_dir)
    assert store.content_hashes(collection) == {document.ref: "#"}
    assert (store.snapshot(collection) is None) == was_killed
    other = Document(ColumnRef(TableRef("shop", "orders"), "other"), "other", "#")
    store.stage(collection, [other], NORTH[None])
    store.switch(collection, [document, other], made_from)
    assert store.snapshot(collection) == Snapshot(
        made_from.digest, is_settled=True, content=made_from.content
    )
    assert nearest(store, collection, NORTH, limit=9) == [(other.ref, 1.0), (document.ref, 0.0)]
    store.close()
