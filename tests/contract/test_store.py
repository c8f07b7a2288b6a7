"""Contract of the store for documents, on an embedded and a separate server."""

from collections.abc import Callable

import numpy as np
import pytest

from linker.embedders import Vectors
from linker.errors import StoreError
from linker.index import Collection, Store
from linker.types import ColumnRef, Document, TableRef
from tests.contract.publishing import nearest, put

MakeDocuments = Callable[[int], list[Document]]
MakeVectors = Callable[[int, int, int], Vectors]

EAST = np.array([1, 0, 0], dtype=np.float32)
NORTH = np.array([0, 1, 0], dtype=np.float32)
UP = np.array([0, 0, 1], dtype=np.float32)


def ref(path: str, table: str = "orders", schema: str = "shop") -> ColumnRef:
    return ColumnRef(TableRef(schema, table), path)


def document(path: str, content_hash: str = "#") -> Document:
    return Document(ref(path), f"text of {path}", content_hash)


def cosine_order(vectors: Vectors, query: Vectors) -> list[tuple[int, float]]:
    """All numbers by cosine to the query, computed from the stored half-precision vectors."""
    wide, asked = vectors.astype(np.float16).astype(float), query.astype(np.float16).astype(float)
    cosines = wide @ asked / (np.linalg.norm(wide, axis=1) * np.linalg.norm(asked))
    return [(int(number), float(cosines[number])) for number in np.argsort(-cosines)]


@pytest.mark.parametrize("limit", [1, 10, 200])
def test_the_documents_found_are_those_of_the_greatest_cosine_best_first(
    store: Store,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
    limit: int,
) -> None:
    documents, vectors = make_documents(300), make_vectors(1, 300, 24)
    put(store, collection, documents, vectors)
    for query in make_vectors(2, 5, 24):
        found = nearest(store, collection, query, limit=limit)
        expected = cosine_order(vectors, query)[:limit]
        assert [reference for reference, _ in found] == [
            documents[number].ref for number, _ in expected
        ]
        assert [score for _, score in found] == pytest.approx(
            [score for _, score in expected], abs=1e-5
        )


def test_the_length_of_a_vector_does_not_matter_only_its_direction(
    store: Store, collection: Collection
) -> None:
    put(
        store,
        collection,
        [document("far but along"), document("near but across")],
        np.stack([100 * EAST, NORTH]),
    )
    found = nearest(store, collection, 0.01 * EAST, limit=2)
    assert [reference.path for reference, _ in found] == ["far but along", "near but across"]
    assert [score for _, score in found] == pytest.approx([1.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_a_search_finds_what_comparing_all_vectors_finds(
    store: Store,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
    seed: int,
) -> None:
    chance = np.random.default_rng(seed)
    dimension, limit, excluded = chance.integers(1, [400, 150, 100]).tolist()
    documents, vectors = make_documents(100), make_vectors(seed, 100, dimension)
    put(store, collection, documents, vectors)
    [query] = make_vectors(seed + 100, 1, dimension)
    cosines = dict(cosine_order(vectors, query))
    found = nearest(
        store,
        collection,
        query,
        limit=limit,
        excluded=[document.ref for document in documents[:excluded]],
    )
    numbers = [int(reference.path) for reference, _ in found]
    # Of columns that lie equally near any may come.
    expected = sorted((cosines[number] for number in range(excluded, 100)), reverse=True)[:limit]
    assert len(set(numbers)) == len(expected)
    assert min(numbers) >= excluded
    assert [score for _, score in found] == pytest.approx(expected, abs=1e-5)
    assert [cosines[number] for number in numbers] == pytest.approx(expected, abs=1e-5)


def test_a_limit_above_the_number_of_documents_gives_all_of_them(
    store: Store, collection: Collection
) -> None:
    put(store, collection, [document("a"), document("b")], np.stack([EAST, -EAST]))
    assert [(r.path, score) for r, score in nearest(store, collection, EAST, limit=5_000)] == [
        ("a", 1.0),
        ("b", -1.0),
    ]


@pytest.mark.parametrize("limit", [10, 100])
def test_excluded_columns_never_come_back_and_do_not_cost_recall(
    store: Store,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
    limit: int,
) -> None:
    documents, vectors = make_documents(300), make_vectors(3, 300, 24)
    put(store, collection, documents, vectors)
    [query] = make_vectors(4, 1, 24)
    order = [documents[number].ref for number, _ in cosine_order(vectors, query)]
    found = nearest(store, collection, query, limit=limit, excluded=order[:150])
    assert [reference for reference, _ in found] == order[150 : 150 + limit]


def test_excluding_a_column_leaves_its_namesake_in_another_table_and_schema(
    store: Store, collection: Collection
) -> None:
    refs = [
        ref("id", "orders", "shop"),
        ref("id", "orders", "archive"),
        ref("id", "returns", "shop"),
    ]
    put(
        store,
        collection,
        [Document(reference, "id", "#") for reference in refs],
        np.stack([EAST, EAST, EAST]),
    )
    found = nearest(store, collection, EAST, limit=10, excluded=[refs[0]])
    assert {reference for reference, _ in found} == {refs[1], refs[2]}


def test_nothing_of_one_target_is_found_in_another(store: Store, collection: Collection) -> None:
    other = Collection(collection.target + " too", collection.model)
    put(store, collection, [document("mine"), document("both")], np.stack([EAST, NORTH]))
    put(store, other, [document("theirs"), document("both")], np.stack([EAST, UP]))
    assert {r.path for r, _ in nearest(store, collection, EAST, limit=10)} == {"mine", "both"}
    assert {r.path for r, _ in nearest(store, other, EAST, limit=10)} == {"theirs", "both"}
    assert set(store.content_hashes(collection)) == {ref("mine"), ref("both")}
    store.publish(other, [document("theirs")])
    assert set(store.content_hashes(collection)) == {ref("mine"), ref("both")}
    assert nearest(store, collection, NORTH, limit=1) == [(ref("both"), 1.0)]


def test_nothing_of_one_model_is_found_under_another(store: Store, collection: Collection) -> None:
    other = Collection(collection.target, collection.model + " too")
    put(store, collection, [document("first")], EAST[None])
    put(store, other, [document("second")], EAST[None])
    assert nearest(store, collection, EAST, limit=10) == [(ref("first"), 1.0)]
    assert nearest(store, other, EAST, limit=10) == [(ref("second"), 1.0)]
    assert set(store.content_hashes(other)) == {ref("second")}


def test_two_models_of_different_dimension_live_side_by_side(
    store: Store, collection: Collection
) -> None:
    wide = Collection(collection.target, collection.model + " wide")
    put(store, collection, [document("a"), document("b")], np.stack([EAST, NORTH]))
    put(store, wide, [document("a"), document("b")], np.eye(700, dtype=np.float32)[[600, 601]])
    assert nearest(store, collection, EAST, limit=1) == [(ref("a"), 1.0)]
    assert nearest(store, wide, np.eye(700, dtype=np.float32)[601], limit=1) == [(ref("b"), 1.0)]


def test_a_model_that_changes_its_dimension_starts_anew(
    store: Store, collection: Collection
) -> None:
    other_target = Collection(collection.target + " too", collection.model)
    put(store, collection, [document("old")], EAST[None])
    put(store, other_target, [document("old")], EAST[None])
    store.cache_vectors(collection.model, {"digest": EAST})
    put(store, collection, [document("new")], np.array([[0, 0, 0, 1]], dtype=np.float32))
    assert store.content_hashes(collection) == {ref("new"): "#"}
    assert store.content_hashes(other_target) == {}
    assert store.cached_vectors(collection.model, ["digest"]) == {}
    assert nearest(store, collection, np.array([0, 0, 0, 1], dtype=np.float32), limit=9) == [
        (ref("new"), 1.0)
    ]


def test_vectors_longer_than_the_index_holds_are_refused_with_a_way_out(
    store: Store, collection: Collection
) -> None:
    with pytest.raises(StoreError, match="4001 dimensions") as caught:
        put(store, collection, [document("a")], np.ones((1, 4001), dtype=np.float32))
    assert "embedder" in caught.value.hint
    put(store, collection, [document("a")], np.ones((1, 4000), dtype=np.float32))
    assert store.content_hashes(collection) == {ref("a"): "#"}


def test_a_collection_that_was_never_written_is_empty(store: Store, collection: Collection) -> None:
    assert store.content_hashes(collection) == {}
    assert nearest(store, collection, EAST, limit=10) == []
    assert store.staged(collection, [document("a")]) == set()
    store.publish(collection, [])
    assert store.content_hashes(collection) == {}


def test_content_hashes_come_back_as_written(
    store: Store, collection: Collection, make_documents: MakeDocuments, make_vectors: MakeVectors
) -> None:
    documents = make_documents(300)
    put(store, collection, documents, make_vectors(5, 300, 8))
    assert store.content_hashes(collection) == {
        written.ref: written.content_hash for written in documents
    }


def test_a_document_that_changed_has_its_new_hash_and_its_new_vector_and_the_others_need_none(
    store: Store, collection: Collection
) -> None:
    put(store, collection, [document("a", "#1"), document("b", "#1")], np.stack([EAST, NORTH]))
    store.stage(collection, [document("a", "#2")], UP[None])
    store.publish(collection, [document("a", "#2"), document("b", "#1")])
    assert store.content_hashes(collection) == {ref("a"): "#2", ref("b"): "#1"}
    assert nearest(store, collection, UP, limit=10) == [(ref("a"), 1.0), (ref("b"), 0.0)]


def test_many_batches_become_the_collection_at_once(store: Store, collection: Collection) -> None:
    axes = np.eye(12, dtype=np.float32)
    documents = [document(str(number)) for number in range(12)]
    for one, axis in zip(documents, axes, strict=True):
        store.stage(collection, [one], axis[None])
        assert nearest(store, collection, axis, limit=9) == []
    assert store.content_hashes(collection) == {}
    store.publish(collection, documents)
    assert [nearest(store, collection, axis, limit=1)[0][0].path for axis in axes] == [
        str(n) for n in range(12)
    ]


def test_documents_that_are_not_wanted_are_gone_and_the_others_stay(
    store: Store, collection: Collection
) -> None:
    put(
        store,
        collection,
        [document("a"), document("b"), document("c")],
        np.stack([EAST, NORTH, UP]),
    )
    store.publish(collection, [document("b")])
    assert store.content_hashes(collection) == {ref("b"): "#"}
    assert nearest(store, collection, EAST, limit=10) == [(ref("b"), 0.0)]


@pytest.mark.parametrize(
    "name",
    ["o'clock", 'a "quoted" one', "a.b.c", "with blank ", "größe_日本", "100%s", "back\\t", ""],
)
def test_names_come_back_letter_by_letter(store: Store, collection: Collection, name: str) -> None:
    own = Collection(collection.target + name, collection.model + name)
    written, dotted = ref(name, name, name), ref("x", "b.c", "a")
    put(
        store,
        own,
        [Document(written, name, name), Document(dotted, "", "#")],
        np.stack([EAST, NORTH]),
    )
    assert store.content_hashes(own) == {written: name, dotted: "#"}
    assert nearest(store, own, EAST, limit=1) == [(written, 1.0)]
    assert nearest(store, own, EAST, limit=9, excluded=[written]) == [(dotted, 0.0)]
    assert nearest(store, own, EAST, limit=9, excluded=[ref("x", "c", "a.b")]) == [
        (written, 1.0),
        (dotted, 0.0),
    ]
    store.publish(own, [Document(dotted, "", "#")])
    assert store.content_hashes(own) == {dotted: "#"}


@pytest.mark.parametrize("vector_count", [0, 1, 3])
def test_staging_the_wrong_number_of_vectors_leaves_nothing(
    store: Store, collection: Collection, vector_count: int
) -> None:
    documents = [document("a"), document("b")]
    with pytest.raises(ValueError, match="zip"):
        store.stage(collection, documents, np.ones((vector_count, 3), dtype=np.float32))
    assert store.staged(collection, documents) == set()
    put(store, collection, [document("a")], EAST[None])
    assert nearest(store, collection, EAST, limit=9) == [(ref("a"), 1.0)]


def test_what_is_staged_is_told_by_name_and_hash_and_gone_after_the_switch(
    store: Store, collection: Collection
) -> None:
    store.stage(collection, [document("a", "#1"), document("b", "#1")], np.stack([EAST, NORTH]))
    wanted = [document("a", "#2"), document("b", "#1"), document("c", "#1")]
    assert store.staged(collection, wanted) == {ref("b")}
    # Both states of `a` may be staged: a run that was killed had the one, the next has the other.
    store.stage(collection, [wanted[0], wanted[1], wanted[2]], np.stack([UP, NORTH, EAST]))
    assert store.staged(collection, wanted) == {ref("a"), ref("b"), ref("c")}
    store.publish(collection, wanted)
    assert store.staged(collection, [*wanted, document("a", "#1")]) == set()
    assert [r.path for r, _ in nearest(store, collection, UP, limit=1)] == ["a"]
    assert [r.path for r, _ in nearest(store, collection, EAST, limit=1)] == ["c"]


def test_nothing_that_is_staged_for_one_target_or_model_is_taken_by_another(
    store: Store, collection: Collection
) -> None:
    others = [
        Collection(collection.target + " too", collection.model),
        Collection(collection.target, collection.model + " too"),
    ]
    store.stage(collection, [document("a")], EAST[None])
    for other in others:
        store.stage(other, [document("b")], NORTH[None])
        assert store.staged(other, [document("a")]) == set()
        with pytest.raises(StoreError, match="another run wrote") as caught:
            store.publish(other, [document("a")])
        assert caught.value.hint == "linker index"
        assert store.content_hashes(other) == {}
        # What was refused took nothing away.
        assert store.staged(other, [document("b")]) == {ref("b")}


def test_a_switch_that_is_refused_keeps_what_was_there_before(
    store: Store, collection: Collection
) -> None:
    put(store, collection, [document("a", "#1"), document("gone", "#1")], np.stack([EAST, UP]))
    store.stage(collection, [document("a", "#2")], NORTH[None])
    with pytest.raises(StoreError, match="another run wrote"):
        store.publish(collection, [document("a", "#2"), document("b", "#2")])
    assert store.content_hashes(collection) == {ref("a"): "#1", ref("gone"): "#1"}
    assert nearest(store, collection, EAST, limit=9) == [(ref("a"), 1.0), (ref("gone"), 0.0)]


def test_a_switch_of_a_collection_for_which_nothing_was_ever_staged_is_refused(
    store: Store, collection: Collection
) -> None:
    with pytest.raises(StoreError, match="nothing was staged"):
        store.publish(collection, [document("a")])


def test_what_is_remembered_is_recalled_by_digest_and_model(
    store: Store, collection: Collection
) -> None:
    store.cache_vectors(collection.model, {"one": EAST, "two": NORTH})
    store.cache_vectors(collection.model + " too", {"one": UP})
    recalled = store.cached_vectors(collection.model, ["two", "one", "three"])
    assert set(recalled) == {"one", "two"}
    np.testing.assert_array_equal(recalled["one"], EAST)
    np.testing.assert_array_equal(recalled["two"], NORTH)
    assert store.cached_vectors(collection.model, []) == {}
    assert store.cached_vectors("a model that nobody used", ["one"]) == {}


def test_of_what_is_remembered_the_newest_ten_thousand_are_kept(
    store: Store, collection: Collection
) -> None:
    store.cache_vectors(collection.model, {"first": UP, "second": NORTH})
    store.cache_vectors(collection.model, {str(number): EAST for number in range(9_999)})
    everything = ["first", "second", *map(str, range(9_999))]
    assert set(store.cached_vectors(collection.model, everything)) == set(everything[1:])


def test_remembering_the_same_text_again_changes_nothing(
    store: Store, collection: Collection
) -> None:
    store.cache_vectors(collection.model, {"one": EAST})
    store.cache_vectors(collection.model, {"one": EAST, "two": NORTH})
    assert set(store.cached_vectors(collection.model, ["one", "two"])) == {"one", "two"}


def test_remembered_texts_are_no_documents(store: Store, collection: Collection) -> None:
    store.cache_vectors(collection.model, {"one": EAST})
    assert nearest(store, collection, EAST, limit=9) == []
    put(store, collection, [document("a")], NORTH[None])
    assert nearest(store, collection, EAST, limit=9) == [(ref("a"), 0.0)]
    assert set(store.cached_vectors(collection.model, ["one"])) == {"one"}
