"""The graph that a search of many columns walks: that it is used, and that what it finds is right when it is."""

from collections.abc import Callable, Iterator

import numpy as np
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from linker.config.values import Secret
from linker.embedders import Vectors
from linker.store import Collection, Store
from linker.store.pgvector import PgvectorStore
from linker.store.switching import Sizes
from linker.types import Document
from tests.contract.putting import put

MakeDocuments = Callable[[int], list[Document]]
MakeVectors = Callable[[int, int, int], Vectors]
OpenIndexed = Callable[[], Store]

# The planner may read a few thousand rows without any index; so few are written here that tests are quick.
# And a server whose owner allows short scans only must not make a search miss what it filters for.
ONLY_BY_INDEX = "-c enable_seqscan=off -c enable_sort=off -c hnsw.max_scan_tuples=1"


@pytest.fixture
def open_indexed(url: Secret) -> Iterator[OpenIndexed]:
    """Opens sessions whose planner has no way but the vector index."""
    opened: list[Store] = []

    def open_one() -> Store:
        by_index = make_conninfo(url.get_secret_value(), options=ONLY_BY_INDEX)
        opened.append(PgvectorStore.connect(by_index, sizes=Sizes(graph=10_000)))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


def best_first(vectors: Vectors, query: Vectors) -> list[str]:
    return [str(number) for number in np.argsort(-(vectors.astype(np.float64) @ query.astype(np.float64)))]


def index_of(connection: psycopg.Connection, model: str) -> tuple[str, str]:
    """Name and definition of the vector index of a model's only collection."""
    [row] = connection.execute(
        "select indexname, indexdef from pg_indexes "
        "join linker.collections on indexname = 'vectors_' || collection_id || '_nearest' "
        "join linker.spaces using (space_id) where schemaname = 'linker' and model = %s",
        (model,),
    ).fetchall()
    return row[0], row[1]


def scan_count(connection: psycopg.Connection, index: str) -> int:
    [[count]] = connection.execute(
        "select idx_scan from pg_stat_user_indexes where schemaname = 'linker' and indexrelname = %s", (index,)
    ).fetchall()
    return int(count)


def sessions(connection: psycopg.Connection) -> set[int]:
    rows = connection.execute("select pid from pg_stat_activity where application_name = 'dbt-linker'")
    return {int(pid) for [pid] in rows}


def test_every_collection_has_its_own_index_by_cosine_in_half_precision(
    open_indexed: OpenIndexed,
    own_connection: psycopg.Connection,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
) -> None:
    store = open_indexed()
    put(store, collection, make_documents(10_000), make_vectors(10, 10_000, 5))
    _, definition = index_of(own_connection, collection.model)
    assert "USING hnsw (((embedding)::halfvec(5)) halfvec_cosine_ops)" in definition
    assert definition.endswith("WHERE (NOT is_table)")


def test_a_model_that_changes_its_dimension_leaves_nothing_behind(
    store: Store, own_connection: psycopg.Connection, collection: Collection, make_documents: MakeDocuments
) -> None:
    def relations() -> int:
        [[count]] = own_connection.execute(
            "select count(*) from pg_class where relnamespace = 'linker'::regnamespace"
        ).fetchall()
        return int(count)

    put(store, collection, make_documents(2), np.eye(2, 5, dtype=np.float32))
    before = relations()
    put(store, collection, make_documents(2), np.eye(2, 6, dtype=np.float32))
    assert relations() == before


def test_a_search_goes_through_the_index_of_its_space(
    open_indexed: OpenIndexed,
    own_connection: psycopg.Connection,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
) -> None:
    before = sessions(own_connection)
    searching = open_indexed()
    [process] = sessions(own_connection) - before
    documents, vectors = make_documents(10_000), make_vectors(11, 10_000, 16)
    put(searching, collection, documents, vectors)
    index, _ = index_of(own_connection, collection.model)
    assert scan_count(own_connection, index) == 0
    queries = make_vectors(12, 20, 16)
    for query in queries:
        searching.nearest(collection, query, limit=10, excluded=[documents[0].ref])
    # A session hands in what it counted when it ends; this waits for that.
    own_connection.execute("select pg_terminate_backend(%s, 10000)", (process,))
    assert scan_count(own_connection, index) == len(queries)


def test_through_the_index_the_nearest_are_found_with_and_without_exclusions(
    open_indexed: OpenIndexed, collection: Collection, make_documents: MakeDocuments, make_vectors: MakeVectors
) -> None:
    searching, documents, vectors = open_indexed(), make_documents(10_000), make_vectors(13, 10_000, 32)
    put(searching, collection, documents, vectors)
    for limit, excluded_count in [(1, 0), (10, 0), (10, 100), (200, 0), (200, 300)]:
        shares = []
        for query in make_vectors(14, 10, 32):
            order = best_first(vectors, query)
            excluded = [documents[int(path)].ref for path in order[:excluded_count]]
            found = searching.nearest(collection, query, limit=limit, excluded=excluded)
            paths, scores = [reference.path for reference, _ in found], [score for _, score in found]
            assert len(set(paths)) == limit
            assert scores == pytest.approx([float(vectors[int(path)] @ query) for path in paths], abs=1e-5)
            assert scores == sorted(scores, reverse=True)
            assert not set(paths) & set(order[:excluded_count])
            shares.append(len(set(paths) & set(order[excluded_count : excluded_count + limit])) / limit)
        assert np.mean(shares) >= 0.98, f"limit {limit}, {excluded_count} excluded"


def test_a_target_is_searched_to_its_end_behind_a_crowd_of_another(
    open_indexed: OpenIndexed, collection: Collection, make_documents: MakeDocuments, make_vectors: MakeVectors
) -> None:
    searching = open_indexed()
    crowd = Collection(collection.target + " crowd", collection.model)
    near, far = make_vectors(15, 800, 8), make_vectors(16, 40, 8)
    near[:, 0] = np.abs(near[:, 0]) + 0.1
    far[:, 0] = -np.abs(far[:, 0]) - 0.1
    far /= np.linalg.norm(far, axis=1, keepdims=True)
    put(searching, crowd, make_documents(800), near)
    put(searching, collection, make_documents(40), far)
    query = np.eye(1, 8, dtype=np.float32)[0]
    found = searching.nearest(collection, query, limit=10)
    assert [reference.path for reference, _ in found] == best_first(far, query)[:10]
