"""Collections of several models and targets in one store are isolated."""

from collections.abc import Callable

import numpy as np
import psycopg

from linker.embedders import Vectors
from linker.index import Collection, Store
from linker.types import Document
from tests.contract.publishing import nearest, put

MakeDocuments = Callable[[int], list[Document]]
MakeVectors = Callable[[int, int, int], Vectors]


def best_first(vectors: Vectors, query: Vectors) -> list[str]:
    return [
        str(number)
        for number in np.argsort(-(vectors.astype(np.float64) @ query.astype(np.float64)))
    ]


def test_a_model_that_changes_its_dimension_leaves_nothing_behind(
    store: Store,
    own_connection: psycopg.Connection,
    collection: Collection,
    make_documents: MakeDocuments,
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


def test_a_target_is_searched_to_its_end_behind_a_crowd_of_another(
    store: Store, collection: Collection, make_documents: MakeDocuments, make_vectors: MakeVectors
) -> None:
    crowd = Collection(collection.target + " crowd", collection.model)
    near, far = make_vectors(15, 800, 8), make_vectors(16, 40, 8)
    near[:, 0] = np.abs(near[:, 0]) + 0.1
    far[:, 0] = -np.abs(far[:, 0]) - 0.1
    far /= np.linalg.norm(far, axis=1, keepdims=True)
    put(store, crowd, make_documents(800), near)
    put(store, collection, make_documents(40), far)
    query = np.eye(1, 8, dtype=np.float32)[0]
    found = nearest(store, collection, query, limit=10)
    assert [reference.path for reference, _ in found] == best_first(far, query)[:10]
