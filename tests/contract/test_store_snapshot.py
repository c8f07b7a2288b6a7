"""What a collection was made from, on both kinds of server: it is kept with the documents, or says that it is not."""

from collections.abc import Sequence

import numpy as np
import psycopg
import pytest

from linker.errors import StoreError
from linker.store import Collection, MadeFrom, Snapshot, Store
from linker.types import ColumnRef, Document, TableRef, Words

EAST = np.array([[1, 0, 0]], dtype=np.float32)
OLD = "old, with ümlauts and \x00".encode()
NEW = b"new"


def document(path: str, content_hash: str = "#") -> Document:
    return Document(ColumnRef(TableRef("shop", "größe_日本"), path), f"text of {path}", content_hash)


DOCUMENTS = [document("id"), document("Größe"), Document(TableRef("shop", "größe_日本"), "table", "#t")]


def made_from(content: bytes, documents: Sequence[Document]) -> MadeFrom:
    return MadeFrom(content, {one.ref: one.content_hash for one in documents})


def write(store: Store, collection: Collection, documents: Sequence[Document]) -> None:
    store.write(collection, documents, np.repeat(EAST, len(documents), axis=0))


def indexed(store: Store, collection: Collection, content: bytes = OLD) -> MadeFrom:
    """A collection with its snapshot."""
    write(store, collection, DOCUMENTS)
    made = made_from(content, DOCUMENTS)
    store.settle(collection, made)
    return made


def kept(store: Store, collection: Collection) -> Snapshot:
    snapshot = store.snapshot(collection)
    assert snapshot is not None
    return snapshot


def test_a_snapshot_comes_back_byte_by_byte_and_is_current(store: Store, collection: Collection) -> None:
    made = indexed(store, collection)
    assert kept(store, collection) == Snapshot(made.digest, is_current=True, content=OLD)


def test_content_that_the_caller_holds_does_not_travel_again(store: Store, collection: Collection) -> None:
    made = indexed(store, collection)
    assert store.snapshot(collection, held=made.digest) == Snapshot(made.digest, is_current=True, content=None)


def test_a_collection_that_was_never_settled_with_one_has_none(store: Store, collection: Collection) -> None:
    assert store.snapshot(collection) is None
    write(store, collection, DOCUMENTS)
    assert store.snapshot(collection) is None
    store.settle(collection)
    assert store.snapshot(collection) is None


@pytest.mark.parametrize("change", ["written", "deleted"])
def test_once_a_document_changes_the_snapshot_is_that_of_before_and_says_so(
    store: Store, collection: Collection, change: str
) -> None:
    indexed(store, collection)
    if change == "written":
        write(store, collection, [document("id", "changed")])
    else:
        store.delete(collection, [DOCUMENTS[0].ref])
    snapshot = kept(store, collection)
    assert (snapshot.content, snapshot.is_current) == (OLD, False)


def test_the_next_settling_takes_the_place_of_the_one_before(store: Store, collection: Collection) -> None:
    indexed(store, collection)
    changed = [document("id", "changed"), *DOCUMENTS[1:]]
    write(store, collection, changed[:1])
    made = made_from(NEW, changed)
    store.settle(collection, made)
    assert kept(store, collection) == Snapshot(made.digest, is_current=True, content=NEW)


def test_another_warehouse_that_makes_the_same_documents_is_kept_as_well(store: Store, collection: Collection) -> None:
    indexed(store, collection)
    store.settle(collection, made_from(NEW, DOCUMENTS))
    snapshot = kept(store, collection)
    assert (snapshot.content, snapshot.is_current) == (NEW, True)


def test_settling_without_one_forgets_the_one_that_is_no_longer_right(store: Store, collection: Collection) -> None:
    indexed(store, collection)
    store.settle(collection)
    assert kept(store, collection).is_current
    write(store, collection, [document("id", "changed")])
    store.settle(collection)
    assert store.snapshot(collection) is None


@pytest.mark.parametrize("is_settled", [False, True])
def test_a_snapshot_of_other_documents_is_refused_and_changes_nothing(
    store: Store, collection: Collection, *, is_settled: bool
) -> None:
    """Two runs over different warehouses at once: each sees documents of the other when it is done."""
    indexed(store, collection)
    if not is_settled:
        write(store, collection, [document("of another run")])
    with pytest.raises(StoreError, match="another run wrote") as caught:
        store.settle(collection, made_from(NEW, [document("id", "of this run"), *DOCUMENTS[1:]]))
    assert caught.value.hint == "linker index"
    snapshot = kept(store, collection)
    assert (snapshot.content, snapshot.is_current) == (OLD, is_settled)


def test_targets_and_models_have_snapshots_of_their_own(store: Store, collection: Collection) -> None:
    others = [Collection(collection.target, "another model"), Collection("another target", collection.model)]
    indexed(store, collection)
    for other in others:
        assert store.snapshot(other) is None
    for other in others:
        indexed(store, other, NEW)
    assert kept(store, collection).content == OLD
    write(store, others[0], [document("id", "changed")])
    assert [kept(store, one).is_current for one in (collection, *others)] == [True, False, True]


def test_a_model_that_changes_its_dimension_leaves_no_snapshot_behind(
    store: Store, collection: Collection, own_connection: psycopg.Connection
) -> None:
    indexed(store, collection)
    store.write(collection, DOCUMENTS[:1], np.ones((1, 5), dtype=np.float32))
    assert store.snapshot(collection) is None
    orphans = (
        "select count(*) from linker.snapshots left join linker.collections using (collection_id) where target is null"
    )
    assert own_connection.execute(orphans).fetchall() == [(0,)]


def test_a_settling_that_is_cut_off_leaves_both_as_they_were(
    store: Store, collection: Collection, own_connection: psycopg.Connection
) -> None:
    """Indexes are built after the snapshot is written: what fails there takes the snapshot back with it."""
    indexed(store, collection)
    write(store, collection, [document("id", "changed")])
    [[number]] = own_connection.execute(
        "select collection_id from linker.collections where target = %s", (collection.target,)
    ).fetchall()
    never = f"alter table linker.lexemes_{number} add constraint never check (false) not valid"
    own_connection.execute(never.encode())
    write(store, collection, [Document(document("id").ref, "text", "changed", words=Words(name=("word",)))])
    with pytest.raises(StoreError):
        store.settle(collection, made_from(NEW, [document("id", "changed"), *DOCUMENTS[1:]]))
    snapshot = kept(store, collection)
    assert (snapshot.content, snapshot.is_current) == (OLD, False)
