"""The manifest of a collection always matches its documents, on both servers."""

import numpy as np
import psycopg
import pytest

from linker.errors import StoreError
from linker.index import Collection, IndexManifest, Snapshot, Store
from linker.types import ColumnRef, Document, TableRef, Words
from tests.contract.publishing import put

EAST = np.array([[1, 0, 0]], dtype=np.float32)
OLD = IndexManifest("old, with ümlauts and \x00".encode())
NEW = IndexManifest(b"new")


def document(path: str, content_hash: str = "#") -> Document:
    return Document(
        ColumnRef(TableRef("shop", "größe_日本"), path), f"text of {path}", content_hash
    )


DOCUMENTS = [
    document("id"),
    document("Größe"),
    Document(TableRef("shop", "größe_日本"), "table", "#t"),
]
CHANGED = [document("id", "changed"), *DOCUMENTS[1:]]


def index(store: Store, collection: Collection, made_from: IndexManifest = OLD) -> None:
    """A collection with its snapshot."""
    put(store, collection, DOCUMENTS, np.repeat(EAST, len(DOCUMENTS), axis=0), made_from)


def kept(store: Store, collection: Collection) -> Snapshot:
    snapshot = store.snapshot(collection)
    assert snapshot is not None
    return snapshot


def test_a_snapshot_comes_back_byte_by_byte(store: Store, collection: Collection) -> None:
    index(store, collection)
    assert kept(store, collection) == Snapshot(OLD.digest, is_settled=True, content=OLD.content)


def test_content_that_the_caller_holds_does_not_travel_again(
    store: Store, collection: Collection
) -> None:
    index(store, collection)
    assert store.snapshot(collection, held=OLD.digest) == Snapshot(
        OLD.digest, is_settled=True, content=None
    )


def test_its_digest_is_known_without_its_content(store: Store, collection: Collection) -> None:
    assert store.snapshot_digest(collection) is None
    index(store, collection)
    assert store.snapshot_digest(collection) == OLD.digest


def test_a_collection_that_was_never_switched_with_one_has_none(
    store: Store, collection: Collection
) -> None:
    assert store.snapshot(collection) is None
    store.stage(collection, DOCUMENTS, np.repeat(EAST, len(DOCUMENTS), axis=0))
    assert store.snapshot(collection) is None
    store.publish(collection, DOCUMENTS)
    assert store.snapshot(collection) is None


def test_it_stays_while_other_documents_are_staged_and_goes_with_its_own(
    store: Store, collection: Collection
) -> None:
    index(store, collection)
    store.stage(collection, CHANGED[:1], EAST)
    assert kept(store, collection) == Snapshot(OLD.digest, is_settled=True, content=OLD.content)
    store.publish(collection, CHANGED, NEW)
    assert kept(store, collection) == Snapshot(NEW.digest, is_settled=True, content=NEW.content)


def test_another_warehouse_that_makes_the_same_documents_is_kept_as_well(
    store: Store, collection: Collection
) -> None:
    index(store, collection)
    store.publish(collection, DOCUMENTS, NEW)
    assert kept(store, collection).content == NEW.content


def test_a_switch_without_one_forgets_the_one_that_is_no_longer_right(
    store: Store, collection: Collection
) -> None:
    index(store, collection)
    store.publish(collection, DOCUMENTS[:1])
    assert store.snapshot(collection) is None


def test_of_two_runs_at_once_the_later_one_is_refused_or_makes_the_collection_its_own(
    store: Store, collection: Collection
) -> None:
    """Two warehouses under one name: what the one staged goes when the other switches."""
    index(store, collection)
    store.stage(collection, CHANGED[:1], EAST)
    others = [document("of another run"), *DOCUMENTS]
    store.stage(collection, others[:1], EAST)
    store.publish(collection, others, OLD)
    with pytest.raises(StoreError, match="another run wrote") as caught:
        store.publish(collection, CHANGED, NEW)
    assert caught.value.hint == "linker index"
    assert store.content_hashes(collection) == {one.ref: one.content_hash for one in others}
    assert kept(store, collection).content == OLD.content
    store.stage(collection, CHANGED[:1], EAST)
    store.publish(collection, CHANGED, NEW)
    assert store.content_hashes(collection) == {one.ref: one.content_hash for one in CHANGED}
    assert kept(store, collection).content == NEW.content


def test_targets_and_models_have_snapshots_of_their_own(
    store: Store, collection: Collection
) -> None:
    others = [
        Collection(collection.target, "another model"),
        Collection("another target", collection.model),
    ]
    index(store, collection)
    for other in others:
        assert store.snapshot(other) is None
    for other in others:
        index(store, other, NEW)
    assert kept(store, collection).content == OLD.content
    store.publish(others[0], DOCUMENTS[:1], OLD)
    assert [kept(store, one).content for one in (collection, *others)] == [
        OLD.content,
        OLD.content,
        NEW.content,
    ]


def test_a_model_that_changes_its_dimension_leaves_no_snapshot_behind(
    store: Store, collection: Collection, own_connection: psycopg.Connection
) -> None:
    index(store, collection)
    store.stage(collection, DOCUMENTS[:1], np.ones((1, 5), dtype=np.float32))
    assert store.snapshot(collection) is None
    orphans = (
        "select count(*) from linker.snapshots "
        "left join linker.collections using (collection_id) where target is null"
    )
    assert own_connection.execute(orphans).fetchall() == [(0,)]


def test_a_switch_that_is_cut_off_leaves_everything_as_it_was(
    store: Store, collection: Collection, own_connection: psycopg.Connection
) -> None:
    """Words are counted after documents are written: what fails there takes them back."""
    index(store, collection)
    [[number]] = own_connection.execute(
        "select collection_id from linker.collections where target = %s", (collection.target,)
    ).fetchall()
    never = f"alter table linker.lexemes_{number} add constraint never check (false) not valid"
    own_connection.execute(never.encode())
    worded = Document(document("id").ref, "text", "changed", words=Words(name=("word",)))
    store.stage(collection, [worded], EAST)
    with pytest.raises(StoreError):
        store.publish(collection, [worded, *DOCUMENTS[1:]], NEW)
    assert kept(store, collection) == Snapshot(OLD.digest, is_settled=True, content=OLD.content)
    assert store.content_hashes(collection) == {one.ref: one.content_hash for one in DOCUMENTS}
    assert store.staged(collection, [worded]) == {worded.ref}
