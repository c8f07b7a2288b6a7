"""Larger collections are searched by short codes of their vectors: what is found is what comparing all would find."""

from collections.abc import Callable, Iterator

import numpy as np
import psycopg
import pytest

from linker.config.values import Secret
from linker.embedders import Vectors
from linker.store import Collection, Store
from linker.store.places import key_of
from linker.store.switching import Sizes
from linker.types import ColumnRef, Document, TableRef
from tests.contract.putting import nearest, put

MakeDocuments = Callable[[int], list[Document]]
MakeVectors = Callable[[int, int, int], Vectors]
COUNT = 10_000
# Vectors of encoders spread over fewer dimensions than they have.
SPREAD = np.random.default_rng(20).normal(size=(64, 384)).astype(np.float32)


@pytest.fixture
def coded(
    url: Secret, collection: Collection, make_documents: MakeDocuments, make_vectors: MakeVectors
) -> Iterator[tuple[Store, list[Document], Vectors]]:
    """A store with enough columns for codes, and what it holds."""
    store, documents, vectors = (
        Store.connect(url.get_secret_value()),
        make_documents(COUNT),
        encoded(make_vectors(21, COUNT, 64)),
    )
    put(store, collection, documents, vectors)
    yield store, documents, vectors
    store.close()


def encoded(inner: Vectors) -> Vectors:
    vectors = inner @ SPREAD
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def best_first(vectors: Vectors, query: Vectors) -> list[int]:
    return [int(number) for number in np.argsort(-(vectors.astype(np.float64) @ query.astype(np.float64)))]


def test_the_nearest_are_found_by_codes_with_and_without_exclusions(
    coded: tuple[Store, list[Document], Vectors],
    url: Secret,
    own_connection: psycopg.Connection,
    collection: Collection,
    make_vectors: MakeVectors,
) -> None:
    store, documents, vectors = coded
    queries = encoded(make_vectors(22, 10, 64))
    for limit, excluded_count in [(1, 0), (10, 0), (10, 150), (200, 0), (50, 150)]:
        shares = []
        for query in queries:
            order = best_first(vectors, query)
            excluded = [documents[number].ref for number in order[:excluded_count]]
            found = nearest(store, collection, query, limit=limit, excluded=excluded)
            numbers, scores = [int(ref.path) for ref, _ in found], [score for _, score in found]
            assert len(set(numbers)) == limit
            assert scores == pytest.approx([float(vectors[number] @ query) for number in numbers], abs=1e-5)
            assert scores == sorted(scores, reverse=True)
            shares.append(len(set(numbers) & set(order[excluded_count : excluded_count + limit])) / limit)
        assert np.mean(shares) >= 0.99, f"limit {limit}, {excluded_count} excluded"
    # What has no code is not found by who reads them now: it was they that were searched.
    own_connection.execute(
        "delete from linker.codes using linker.collections as collections join linker.spaces using (space_id) "
        "where codes.collection_id = collections.collection_id and model = %s and block > 0",
        (collection.model,),
    )
    other = Store.connect(url.get_secret_value())
    eight = sorted(documents, key=lambda document: key_of(document.ref))[:8]
    found = nearest(other, collection, queries[0], limit=200)
    assert {ref for ref, _ in found} == {document.ref for document in eight}
    other.close()


def test_what_another_session_switched_to_is_found_by_its_codes(
    coded: tuple[Store, list[Document], Vectors],
    url: Secret,
    collection: Collection,
    make_vectors: MakeVectors,
) -> None:
    store, documents, vectors = coded
    [query] = encoded(make_vectors(24, 1, 64))
    gone, after = best_first(vectors, query)[:2]
    assert nearest(store, collection, query, limit=1)[0][0] == documents[gone].ref
    other = Store.connect(url.get_secret_value())
    new = ColumnRef(TableRef("shop", "orders"), "new")
    other.stage(collection, [Document(new, "", "")], query[None])
    assert nearest(store, collection, query, limit=1)[0][0] == documents[gone].ref
    kept = [document for number, document in enumerate(documents) if number != gone]
    other.switch(collection, [*kept, Document(new, "", "")])
    assert [ref for ref, _ in nearest(store, collection, query, limit=2)] == [new, documents[after].ref]
    # Too few are left for codes: a session that does not know that yet would find nothing by them.
    other.switch(collection, [*kept[:500], Document(new, "", "")])
    other.close()
    order = best_first(np.delete(vectors, gone, axis=0)[:500], query)
    assert [ref for ref, _ in nearest(store, collection, query, limit=2)] == [new, kept[order[0]].ref]


@pytest.mark.parametrize("dimension", [300, 1_536])
def test_codes_of_any_length_lead_to_the_nearest(
    url: Secret, collection: Collection, make_documents: MakeDocuments, make_vectors: MakeVectors, dimension: int
) -> None:
    """900 bits are no whole number of bytes; vectors of more than 1,024 numbers have a bit each."""
    store = Store.connect(url.get_secret_value(), sizes=Sizes(codes=1_000))
    spread = make_vectors(28, 16, dimension)
    inner = make_vectors(29, 4_000, 16) @ spread
    vectors = np.asarray(inner / np.linalg.norm(inner, axis=1, keepdims=True))
    put(store, collection, make_documents(4_000), vectors)
    shares = []
    for query in vectors[:20]:
        found = {int(ref.path) for ref, _ in nearest(store, collection, query, limit=100)}
        shares.append(len(found & set(best_first(vectors, query)[:100])) / 100)
    assert np.mean(shares) >= 0.99
    store.close()


def test_all_of_many_short_vectors_are_compared(
    url: Secret, collection: Collection, make_documents: MakeDocuments, make_vectors: MakeVectors
) -> None:
    store = Store.connect(url.get_secret_value(), sizes=Sizes(codes=1_000))
    documents, vectors = make_documents(1_500), make_vectors(25, 1_500, 8)
    put(store, collection, documents, vectors)
    [query] = make_vectors(26, 1, 8)
    found = nearest(store, collection, query, limit=200, excluded=[documents[best_first(vectors, query)[0]].ref])
    assert [int(ref.path) for ref, _ in found] == best_first(vectors, query)[1:201]
    store.close()


def test_a_graph_that_an_earlier_version_built_is_dropped(
    store: Store,
    url: Secret,
    own_connection: psycopg.Connection,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
) -> None:
    put(store, collection, make_documents(20), make_vectors(27, 20, 8))
    [[number]] = own_connection.execute(
        "select collection_id from linker.collections where target = %s", (collection.target,)
    ).fetchall()
    graphs = "select count(*) from pg_indexes where indexname ~ '_nearest(_tables)?$'"
    for name, kind in (("nearest", "not is_table"), ("nearest_tables", "is_table")):
        own_connection.execute(
            f"create index vectors_{number}_{name} on linker.vectors_{number} "
            f"using hnsw ((embedding::halfvec(8)) halfvec_cosine_ops) where {kind}".encode()
        )
    assert own_connection.execute(graphs).fetchone() == (2,)
    own_connection.execute("delete from linker.migrations where name = '0008_no_graph.sql'")
    Store.connect(url.get_secret_value()).close()
    assert own_connection.execute(graphs).fetchone() == (0,)


@pytest.mark.parametrize(("dimension", "bits"), [(3, 9), (384, 1_152), (1_024, 3_072), (1_536, 1_536), (4_000, 4_000)])
def test_a_code_has_three_bits_a_number_and_of_long_vectors_one(
    store: Store, own_connection: psycopg.Connection, dimension: int, bits: int
) -> None:
    assert store.describe()
    vector = np.full(dimension, 1 / np.sqrt(dimension))
    [[code]] = own_connection.execute(
        "select linker.code_of(%s::vector)::text", ([float(number) for number in vector],)
    ).fetchall()
    assert code == "1" * bits
