"""
Distinguishable warehouse states, a process that indexes one and pauses on request, and a process
that searches continuously and records results of mixed states.
"""

import os
import select
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from linker.catalog.documents import BATCH_SIZE, apply_plan, read_plan
from linker.config.values import Secret
from linker.embedders import Vectors
from linker.index import Collection, IndexManifest, Query, Store, open_store
from linker.text.values import spans_by_gram
from linker.types import ColumnRef, Document, Ref, TableRef, Words
from tests.contract.publishing import nearest

TABLE = TableRef("shop", "orders")
STEADY = 20
CHANGING = 2 * BATCH_SIZE + 10
DIMENSION = 16


def documents_of(state: int) -> list[Document]:
    """Columns that stay, columns that change, and a column and a table of one state only."""
    words = Words(name=(f"state{state}",))
    changed: list[Ref] = [
        *(ColumnRef(TABLE, f"changing {number}") for number in range(CHANGING)),
        ColumnRef(TABLE, f"only in {state}"),
        TableRef("shop", f"table of {state}"),
    ]
    return [
        *(
            Document(ColumnRef(TABLE, f"steady {number}"), "steady", "#")
            for number in range(STEADY)
        ),
        *(
            Document(ref, f"state {state}", f"#{state}", words, (f"value of {state}",))
            for ref in changed
        ),
    ]


def made_from(state: int) -> IndexManifest:
    """What its snapshot holds."""
    return IndexManifest(str(state).encode())


class StateEncoder:
    """Encodes the state in vectors, counts texts, and pauses at a batch until it is killed."""

    name, dimension = "states", DIMENSION

    def __init__(self, stuck_at: int = -1) -> None:
        self.embedded = 0
        self._stuck_at = stuck_at

    def embed(self, texts: Sequence[str]) -> Vectors:
        """An axis for every state; constant parts are orthogonal."""
        if self.embedded // BATCH_SIZE == self._stuck_at:
            wait("embedding")
        self.embedded += len(texts)
        axes = [
            0 if text == "steady" else 1 + int(text.split()[-1]) % (DIMENSION - 1) for text in texts
        ]
        return np.eye(DIMENSION, dtype=np.float32)[axes]


def index(
    store: Store,
    collection: Collection,
    state: int,
    *,
    stuck_at: int = -1,
    stuck_before_switch: bool,
) -> int:
    """Bring the index to a state; returns the number of embedded documents."""

    def on_progress(done: int, total: int) -> None:
        if stuck_before_switch and done == total:
            wait("embedded")

    encoder = StateEncoder(stuck_at)
    apply_plan(
        read_plan(documents_of(state), store, collection),
        encoder,
        store,
        collection,
        on_progress,
        made_from(state),
    )
    return encoder.embedded


def wait(where: str) -> None:
    """Say where it waits, for ever."""
    sys.stdout.write(f"{where}\n")
    sys.stdout.flush()
    sys.stdin.read()


def seen(store: Store, collection: Collection, states: int) -> set[str]:
    """States among the search results, each complete, and any inconsistency."""
    vector = np.ones(DIMENSION, dtype=np.float32)
    words = tuple(f"state{state}" for state in range(states))
    grams = tuple(spans_by_gram(" ".join(f'"value of {state}"' for state in range(states))))
    found = store.search(collection, Query(vector, words, grams), limit=2_000)
    dense = {found.columns[number].path for number, _ in found.dense}
    lexical = {found.columns[number].path for number, _ in found.lexical}
    tables = {
        found.tables[number].name for number, _ in (*found.dense_tables, *found.lexical_tables)
    }
    values = {
        one.value: len(one.columns) for one in found.values if one.value.startswith("value of ")
    }
    similarities = {score for _, score in nearest(store, collection, vector, limit=2_000)}
    told = {
        path.removeprefix("only in ") for path in (*dense, *lexical) if path.startswith("only in ")
    }
    told |= {name.removeprefix("table of ") for name in tables} | {
        value.removeprefix("value of ") for value in values
    }
    if len(dense) != STEADY + CHANGING + 1 or len(lexical) != CHANGING + 1:
        told.add(f"{len(dense)} columns by meaning, {len(lexical)} by words")
    if set(values.values()) != {CHANGING + 1} or len(similarities) != 1:
        told.add(f"values {values}, scores {similarities}")
    return told


def read_for_ever(store: Store, collection: Collection, states: int) -> None:
    """Search continuously; print the number of searches and errors for each line read."""
    count, wrong = 0, ""
    while True:
        before = store.snapshot(collection)
        told = seen(store, collection, states)
        after = store.snapshot(collection)
        count += 1
        if len(told) != 1:
            wrong = wrong or f"mixed: {told}"
        if before and before == after and told != {str((before.content or b"").decode())}:
            wrong = wrong or f"a search of {told} between two snapshots of {before.content!r}"
        if select.select([0], [], [], 0)[0]:
            if not os.read(0, 100):
                return
            sys.stdout.write(f"{count} {wrong}\n")
            sys.stdout.flush()


def main() -> None:
    """A separate process: its action, the store and the collection."""
    what, url, folder, target, *numbers = sys.argv[1:]
    store, collection = open_store(Secret(url), Path(folder)), Collection(target, StateEncoder.name)
    if what == "read":
        read_for_ever(store, collection, int(numbers[0]))
    else:
        state, stuck_at, before_publishing = map(int, numbers)
        index(
            store, collection, state, stuck_at=stuck_at, stuck_before_switch=bool(before_publishing)
        )
    store.close()


if __name__ == "__main__":
    main()
