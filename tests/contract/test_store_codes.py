"""
Larger collections are searched by short codes of their vectors: what is found is what comparing all
would find.
"""

from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import numpy as np
import psycopg
import pytest

from linker.config.values import Secret
from linker.embedders import Vectors
from linker.store import Collection, Store
from linker.store.codes import code_rows
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
    url: Secret,
    state_dir: Path,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
) -> Iterator[tuple[Store, list[Document], Vectors]]:
    """A store with enough columns for codes, and what it holds."""
    store, documents, vectors = (
        Store(url.get_secret_value(), state_dir=state_dir),
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
    return [
        int(number)
        for number in np.argsort(-(vectors.astype(np.float64) @ query.astype(np.float64)))
    ]


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
            assert scores == pytest.approx(
                [float(vectors[number] @ query) for number in numbers], abs=1e-5
            )
            assert scores == sorted(scores, reverse=True)
            shares.append(
                len(set(numbers) & set(order[excluded_count : excluded_count + limit])) / limit
            )
        assert np.mean(shares) >= 0.99, f"limit {limit}, {excluded_count} excluded"
    # What Postgres holds is not read for it, but by who has no folder for a file.
    [query, *_] = queries
    before = nearest(store, collection, query, limit=20)
    [[own]] = own_connection.execute(
        "select collection_id from linker.collections where target = %s", (collection.target,)
    ).fetchall()
    own_connection.execute(f"delete from linker.vectors_{own} where document_key < 0".encode())
    assert nearest(store, collection, query, limit=20) == before
    other = Store(url.get_secret_value())
    assert {ref for ref, _ in nearest(other, collection, query, limit=20)} != {
        ref for ref, _ in before
    }
    other.close()


def test_a_process_that_searches_again_and_again_makes_the_file_that_it_lacks(
    coded: tuple[Store, list[Document], Vectors],
    url: Secret,
    tmp_path: Path,
    collection: Collection,
    make_vectors: MakeVectors,
) -> None:
    [query] = encoded(make_vectors(23, 1, 64))
    other, found = (
        Store(url.get_secret_value(), state_dir=tmp_path),
        list[list[tuple[ColumnRef, float]]](),
    )
    files = []
    for _ in range(4):
        found.append(nearest(other, collection, query, limit=50))
        files.append(len(list(tmp_path.glob("vectors/*"))))
    assert files == [0, 0, 1, 1]
    for each in found:
        assert [ref for ref, _ in each] == [ref for ref, _ in found[0]]
        assert [score for _, score in each] == pytest.approx(
            [score for _, score in found[0]], abs=1e-6
        )
    other.close()


@pytest.mark.parametrize("left", [0, 7, 4_000_000])
def test_a_file_that_was_cut_off_is_not_read(
    coded: tuple[Store, list[Document], Vectors],
    url: Secret,
    state_dir: Path,
    collection: Collection,
    make_vectors: MakeVectors,
    left: int,
) -> None:
    store, _, _ = coded
    [query] = encoded(make_vectors(23, 1, 64))
    before = [ref for ref, _ in nearest(store, collection, query, limit=50)]
    [path] = state_dir.glob("vectors/*")
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(whole[:left])
    other = Store(url.get_secret_value(), state_dir=state_dir)
    for _ in range(4):
        assert [ref for ref, _ in nearest(other, collection, query, limit=50)] == before
    assert path.read_bytes() == whole
    other.close()


def test_where_no_file_can_be_written_postgres_compares(
    url: Secret,
    tmp_path: Path,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
) -> None:
    (tmp_path / "vectors").write_text("a file in the place of the folder")
    store = Store(url.get_secret_value(), sizes=Sizes(codes=1_000), state_dir=tmp_path)
    vectors = encoded(make_vectors(30, 1_000, 64))
    put(store, collection, make_documents(1_000), vectors)
    for _ in range(4):
        found = [int(ref.path) for ref, _ in nearest(store, collection, vectors[3], limit=10)]
        assert found == best_first(vectors, vectors[3])[:10]
    store.close()


def test_a_file_is_of_one_state_of_one_database(
    url: Secret,
    fresh_url: Secret,
    state_dir: Path,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
) -> None:
    """Two databases that were written alike share a folder, and each finds its own."""
    vectors, stores = [encoded(make_vectors(seed, 1_000, 64)) for seed in (31, 32)], []
    for each, of_store in zip((url, fresh_url), vectors, strict=True):
        stores.append(Store(each.get_secret_value(), sizes=Sizes(codes=1_000), state_dir=state_dir))
        put(stores[-1], collection, make_documents(1_000), of_store)
    for store, of_store in zip(stores, vectors, strict=True):
        for query in (vectors[0][0], vectors[1][0]):
            found = [int(ref.path) for ref, _ in nearest(store, collection, query, limit=5)]
            assert found == best_first(of_store, query)[:5]
    # A run that changes nothing leaves the file; the next that does takes it away.
    before = {path.name: path.stat().st_mtime_ns for path in state_dir.glob("vectors/*")}
    stores[1].switch(collection, make_documents(1_000))
    assert {path.name: path.stat().st_mtime_ns for path in state_dir.glob("vectors/*")} == before
    stores[1].stage(
        collection, [Document(ColumnRef(TableRef("shop", "orders"), "new"), "", "")], vectors[0][:1]
    )
    stores[1].switch(
        collection,
        [*make_documents(1_000), Document(ColumnRef(TableRef("shop", "orders"), "new"), "", "")],
    )
    after = {path.name for path in state_dir.glob("vectors/*")}
    assert len(after) == 1
    assert not after & before.keys()
    assert nearest(stores[1], collection, vectors[0][0], limit=1)[0][0].path == "new"
    for store in stores:
        store.close()


def test_a_store_of_before_with_codes_in_postgres_is_brought_up_to_date(
    fresh_url: Secret,
    state_dir: Path,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
) -> None:
    """
    What the last version adds is taken away again from a store that this one wrote, and codes are
    made as before.
    """
    store = Store(fresh_url.get_secret_value(), sizes=Sizes(codes=1_000), state_dir=state_dir)
    vectors = encoded(make_vectors(33, 1_000, 64))
    put(store, collection, make_documents(1_000), vectors)
    store.close()
    codes = (
        resources.files("linker.store").joinpath("migrations", "0003_codes.sql").read_text("utf-8")
    )
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as connection:
        connection.execute("alter table linker.collections drop column is_coded")
        connection.execute(codes.encode())
        connection.execute("update linker.collections set version = 1, is_coded = true")
        [[own]] = connection.execute("select collection_id from linker.collections").fetchall()
        connection.execute("select linker.write_codes(%s)", (own,))
        connection.execute("delete from linker.migrations where name = '0009_codes_beside.sql'")
    other = Collection(collection.target + " too", collection.model)
    store = Store(fresh_url.get_secret_value(), sizes=Sizes(codes=1_000), state_dir=state_dir)
    put(store, other, make_documents(1_000), vectors[::-1])
    for _ in range(4):
        assert nearest(store, collection, vectors[5], limit=1)[0][0].path == "5"
        assert nearest(store, other, vectors[5], limit=1)[0][0].path == "994"
    assert len(list(state_dir.glob("vectors/*"))) == 2
    store.close()


@pytest.mark.parametrize("is_same_machine", [True, False])
def test_what_another_session_switched_to_is_found_by_its_codes(
    coded: tuple[Store, list[Document], Vectors],
    url: Secret,
    state_dir: Path,
    collection: Collection,
    make_vectors: MakeVectors,
    *,
    is_same_machine: bool,
) -> None:
    store, documents, vectors = coded
    [query] = encoded(make_vectors(24, 1, 64))
    gone, after = best_first(vectors, query)[:2]
    assert nearest(store, collection, query, limit=1)[0][0] == documents[gone].ref
    other = Store(url.get_secret_value(), state_dir=state_dir if is_same_machine else None)
    new = ColumnRef(TableRef("shop", "orders"), "new")
    other.stage(collection, [Document(new, "", "")], query[None])
    assert nearest(store, collection, query, limit=1)[0][0] == documents[gone].ref
    kept = [document for number, document in enumerate(documents) if number != gone]
    other.switch(collection, [*kept, Document(new, "", "")])
    assert [ref for ref, _ in nearest(store, collection, query, limit=2)] == [
        new,
        documents[after].ref,
    ]
    # Too few are left for codes: a session that does not know that yet would find nothing by them.
    other.switch(collection, [*kept[:500], Document(new, "", "")])
    other.close()
    order = best_first(np.delete(vectors, gone, axis=0)[:500], query)
    assert [ref for ref, _ in nearest(store, collection, query, limit=2)] == [
        new,
        kept[order[0]].ref,
    ]


@pytest.mark.parametrize("dimension", [300, 1_536])
def test_codes_of_any_length_lead_to_the_nearest(
    url: Secret,
    state_dir: Path,
    collection: Collection,
    make_documents: MakeDocuments,
    make_vectors: MakeVectors,
    dimension: int,
) -> None:
    """900 bits are no whole number of bytes; vectors of more than 1,024 numbers have a bit each."""
    store = Store(url.get_secret_value(), sizes=Sizes(codes=1_000), state_dir=state_dir)
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
    store = Store(url.get_secret_value(), sizes=Sizes(codes=1_000))
    documents, vectors = make_documents(1_500), make_vectors(25, 1_500, 8)
    put(store, collection, documents, vectors)
    [query] = make_vectors(26, 1, 8)
    found = nearest(
        store, collection, query, limit=200, excluded=[documents[best_first(vectors, query)[0]].ref]
    )
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
    Store(url.get_secret_value()).close()
    assert own_connection.execute(graphs).fetchone() == (0,)


@pytest.mark.parametrize(
    ("dimension", "words"), [(3, 1), (384, 18), (1_024, 48), (1_025, 17), (4_000, 63)]
)
def test_a_code_has_three_bits_a_number_and_of_long_vectors_one(dimension: int, words: int) -> None:
    vectors = np.full((2, dimension), 1 / np.sqrt(dimension), dtype=np.float32)
    vectors[1, 0] = 0.1 / np.sqrt(dimension)
    codes = code_rows(vectors)
    assert codes.shape == (words, 2)
    bits = np.bitwise_count(codes).sum(axis=0).tolist()
    # One number is above its step, the other only above zero and the negative of it.
    assert (
        bits == [3 * dimension, 3 * dimension - 1] if dimension <= 1_024 else [dimension, dimension]
    )
