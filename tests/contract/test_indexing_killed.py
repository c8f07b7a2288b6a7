"""An index run that is killed goes on where it was."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import psycopg

from linker.embedders import Vectors
from linker.indexing import BATCH_SIZE, apply_plan, plan_index
from linker.secret import Secret
from linker.store import Collection, MadeFrom, Store
from linker.types import ColumnRef, Document, TableRef

COUNT = 5 * BATCH_SIZE

# Writes batches, tells of each, and waits inside the encoder for its end after the third.
INDEXES = """
import sys
from pathlib import Path
import numpy as np
from linker.secret import Secret
from linker.indexing import apply_plan, plan_index
from linker.store import Collection, MadeFrom, open_store
from linker.types import ColumnRef, Document, TableRef
url, folder, target, count = sys.argv[1:]
class Stuck:
    name, dimension, calls = "model", 4, 0
    def embed(self, texts):
        self.calls += 1
        if self.calls == 4:
            print("stuck", flush=True)
            sys.stdin.readline()
        return np.ones((len(texts), 4), dtype=np.float32)
documents = [Document(ColumnRef(TableRef("shop", "orders"), str(n)), f"text {n}", "#") for n in range(int(count))]
store = open_store(Secret(url), Path(folder))
collection = Collection(target, "killed")
before = documents[:10]
store.write(collection, before, np.ones((len(before), 4), dtype=np.float32))
store.settle(collection, MadeFrom(b"before", {one.ref: one.content_hash for one in before}))
plan = plan_index(documents, store.content_hashes(collection))
made_from = MadeFrom(b"after", {one.ref: one.content_hash for one in documents})
apply_plan(plan, Stuck(), store, collection, lambda done, total: None, made_from)
"""


class Counting:
    """An encoder that counts what it is given."""

    name, dimension = "model", 4

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return np.ones((len(texts), 4), dtype=np.float32)


def test_after_a_kill_only_the_rest_is_embedded(
    store: Store, url: Secret, own_connection: psycopg.Connection, state_dir: Path, collection: Collection
) -> None:
    arguments = [url.get_secret_value(), str(state_dir), collection.target, str(COUNT)]
    with subprocess.Popen(
        [sys.executable, "-c", INDEXES, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "stuck\n"
        process.kill()
    documents = [Document(ColumnRef(TableRef("shop", "orders"), str(n)), f"text {n}", "#") for n in range(COUNT)]
    own = Collection(collection.target, "killed")
    plan = plan_index(documents, store.content_hashes(own))
    # Ten were there before, and three batches of the others came.
    assert plan.unchanged_count == 10 + 3 * BATCH_SIZE
    kept = store.snapshot(own)
    assert kept is not None
    assert (kept.content, kept.is_current) == (b"before", False)
    encoder = Counting()
    made_from = MadeFrom(b"after", {one.ref: one.content_hash for one in documents})
    apply_plan(plan, encoder, store, own, lambda _done, _total: None, made_from)
    assert sorted(encoder.texts) == sorted(f"text {n}" for n in range(10 + 3 * BATCH_SIZE, COUNT))
    kept = store.snapshot(own)
    assert kept is not None
    assert (kept.content, kept.is_current) == (b"after", True)
    assert plan_index(documents, store.content_hashes(own)).in_step
    [[settled]] = own_connection.execute(
        "select is_settled from linker.collections where target = %s", (own.target,)
    ).fetchall()
    assert settled
