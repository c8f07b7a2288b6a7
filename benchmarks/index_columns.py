"""
Measures the index on generated warehouses: build, re-index, search, recall, disk and memory.

Enter numbers of columns, leaves a table for benchmarks/README.md. Documents are written by the product from a generated
catalogue. Vectors are sums of word vectors of 64 dimensions inside 384, so that documents which share words lie
together as those of a real encoder do; the encoder itself is only timed, on a sample of the same documents.
"""

import argparse
import random
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time, sleep
from types import TracebackType
from zlib import crc32

import numpy as np
import psutil
import psycopg

from linker.document import write_documents
from linker.embedders import Vectors, open_embedder
from linker.facts import ColumnFacts, Facts
from linker.indexing import apply_plan, plan_index
from linker.retrievers.hybrid import HybridRetriever
from linker.store import Collection, Query, Scope, Store
from linker.store.embedded import start_postgres
from linker.store.pgvector import PgvectorStore
from linker.types import Catalog, Column, ColumnRef, Document, Table, TableRef
from linker.words import words_of_text

DIMENSION, INTRINSIC = 384, 64
COLUMNS_PER_TABLE = 20
QUESTIONS = 200
SYLLABLES = [consonant + vowel for consonant in "bcdfghklmnprstvz" for vowel in "aeiou"]
TYPES = (
    ("VARCHAR", "category"),
    ("VARCHAR", "text"),
    ("BIGINT", "foreign_key"),
    ("DOUBLE", "measure"),
    ("DATE", "date"),
)


class WordVectors:
    """An encoder that is done at once: a text is the sum of its words."""

    name = "sums of word vectors"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._known: dict[str, Vectors] = {}
        self._spread = np.random.default_rng(1).normal(size=(INTRINSIC, DIMENSION)).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        return np.stack([self._embed(text) for text in texts])

    def _embed(self, text: str) -> Vectors:
        if text not in self._known:
            vector = np.sum([self._word(word) for word in [*words_of_text(text), ""]], axis=0)
            own = np.random.default_rng(crc32(text.encode())).normal(size=DIMENSION) * np.linalg.norm(vector) * 0.02
            self._known[text] = ((vector + own) / np.linalg.norm(vector + own)).astype(np.float32)
        return self._known[text]

    def _word(self, word: str) -> Vectors:
        if f" {word}" not in self._known:
            inner = np.random.default_rng(crc32(word.encode())).normal(size=INTRINSIC).astype(np.float32)
            self._known[f" {word}"] = inner @ self._spread
        return self._known[f" {word}"]


class Warehouse:
    """A generated catalogue: names of two or three words, of which some are frequent and most are rare."""

    def __init__(self, column_count: int) -> None:
        chance = random.Random(column_count)  # noqa: S311
        vocabulary = [
            "".join(chance.choices(SYLLABLES, k=chance.randint(2, 3))) for _ in range(2_000 + column_count // 20)
        ]
        frequencies = list(accumulate(1 / (rank + 10) for rank in range(len(vocabulary))))

        def words(count: int) -> list[str]:
            return chance.choices(vocabulary, cum_weights=frequencies, k=count)

        tables, known = [], {}
        for number in range(column_count // COLUMNS_PER_TABLE):
            ref = TableRef(f"schema_{number % 10}", "_".join([*words(2), str(number)]))
            columns = []
            for position in range(COLUMNS_PER_TABLE):
                kind, category = TYPES[position % len(TYPES)]
                path = "_".join([*words(chance.randint(1, 3)), str(position)])
                told = " ".join(words(8)) if chance.random() < 0.5 else None
                columns.append(Column(path, path, 0, position, kind, is_nullable=True, description=told))
                values = tuple(" ".join(words(chance.randint(1, 3))) for _ in range(20)) if kind == "VARCHAR" else ()
                known[ColumnRef(ref, path)] = ColumnFacts(category=category, values=values)
            told = " ".join(words(10)) if chance.random() < 0.5 else None
            tables.append(Table(ref, "table", told, 1_000, tuple(columns)))
        self.catalog, self.facts = Catalog(tuple(tables), len(tables)), Facts(known)
        self._chance = chance

    @cached_property
    def questions(self) -> list[str]:
        """Words of a few columns, of their tables and of a value, between words that say nothing."""
        asked = []
        for _ in range(QUESTIONS):
            table = self._chance.choice(self.catalog.tables)
            one, other = self._chance.sample(table.columns, 2)
            values = self.facts.of(ColumnRef(table.ref, table.columns[0].path)).values
            names = (*one.path.split("_")[:-1], *other.path.split("_")[:-1], *table.ref.name.split("_")[:-1])
            asked.append(f"How many {' '.join(names)} were there for each of them with {self._chance.choice(values)}?")
        return asked


@dataclass
class Memory:
    """The most that a process and all below it used, without what they share counted twice."""

    process: psutil.Process
    most: int = 0

    def __enter__(self) -> "Memory":
        self._going = True
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._going = False
        self._thread.join()

    def _watch(self) -> None:
        while self._going:
            self.most = max(self.most, sum(self._used(one) for one in [self.process, *self.process.children()]))
            sleep(1.0)

    @staticmethod
    def _used(process: psutil.Process) -> int:
        try:
            return int(process.memory_full_info().pss)
        except psutil.Error:
            return 0


@dataclass
class Clock:
    """Seconds on the wall, and of processor: what this process, a server and all that it started have used."""

    postmaster: psutil.Process
    walls: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Add what it took."""
        used, started = self._used(), perf_counter()
        yield
        self.walls.setdefault(name, []).append(perf_counter() - started)
        self.processor[name] = self.processor.get(name, 0.0) + self._used() - used

    def each(self, name: str) -> str:
        """Of one search."""
        walls = self.walls[name]
        return (
            f"median {median(walls) * 1000:.1f} ms, 99th {quantiles(walls, n=100)[98] * 1000:.1f} ms, "
            f"processor {self.processor[name] / len(walls) * 1000:.1f} ms"
        )

    def _used(self) -> float:
        living = [self.postmaster, *self.postmaster.children()]
        ended = self.postmaster.cpu_times()
        server = sum(one.cpu_times().user + one.cpu_times().system for one in living)
        return process_time() + server + ended.children_user + ended.children_system


def raw_encoder(documents: Sequence[Document]) -> tuple[float, float]:
    """Seconds a document of the offline encoder: on the wall, and of processor."""
    encoder = open_embedder("offline")
    sample = [document.text for document in random.Random(3).sample(list(documents), min(256, len(documents)))]  # noqa: S311
    encoder.embed(sample[:16])
    started, used = perf_counter(), process_time()
    encoder.embed(sample)
    return (perf_counter() - started) / len(sample), (process_time() - used) / len(sample)


def recall(
    store: Store, collection: Collection, matrix: Vectors, refs: Sequence[ColumnRef], queries: Vectors
) -> dict[str, float]:
    """The share of the exact nearest that are found, by number of results and kind of scope."""
    schemas = sorted({ref.table for ref in refs})
    tables = schemas[: max(1, len(schemas) // 10)]
    inside = {ref for ref in refs if ref.table in set(tables)}
    shares: dict[str, list[float]] = {}
    for query in queries:
        order = [refs[int(place)] for place in np.argsort(-(matrix @ query), kind="stable")]
        for kind, scope in (
            ("all", Scope()),
            ("200 excluded", Scope(excluded=order[:200])),
            ("a tenth of the tables", Scope(tables=tables)),
        ):
            allowed = (
                order[200:] if scope.excluded else [ref for ref in order if ref in inside] if scope.tables else order
            )
            for limit in (10, 100, 200):
                found = store.search(collection, Query(query), limit=limit, scope=scope)
                exact = set(allowed[:limit])
                refs_found = {found.columns[number] for number, _ in found.dense}
                shares.setdefault(f"{kind} @{limit}", []).append(len(refs_found & exact) / len(exact))
    return {name: float(np.mean(found)) for name, found in shares.items()}


def sizes(url: str) -> dict[str, int]:
    """Bytes on disk by table and index of the collection, without the numbers in their names."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select relname, pg_relation_size(oid) + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) "
            "from pg_class where relnamespace = 'linker'::regnamespace and relkind in ('r', 'i') "
            "and pg_relation_size(oid) > 0"
        )
        return {name: int(size) for name, size in rows}


def measure(column_count: int, say: Callable[[str], None]) -> None:
    """One warehouse, from nothing to searched."""
    warehouse, encoder = Warehouse(column_count), WordVectors()
    documents = write_documents(warehouse.catalog, warehouse.facts)
    raw_wall, raw_processor = (each * len(documents) for each in raw_encoder(documents))
    # What the stand-in for an encoder takes is no part of what is measured: it knows all texts before.
    encoder.embed([document.text for document in documents])
    say(f"{column_count:,} columns, {len(documents):,} documents")
    say(f"  raw encoder {raw_wall:.1f} s, processor {raw_processor:.1f} s")
    with tempfile.TemporaryDirectory(prefix="bench-index-") as folder:
        # A server reads its settings when it starts the second time.
        start_postgres(Path(folder) / "postgres").stop()
        server = start_postgres(Path(folder) / "postgres")
        postmaster = psutil.Process(int((server.folder / "postmaster.pid").read_text("utf-8").split()[0]))
        store, collection, clock = (
            PgvectorStore.connect(server.url),
            Collection("bench", encoder.name),
            Clock(postmaster),
        )
        for run in ("build", "unchanged"):
            with Memory(postmaster) as memory, clock(run):
                again = write_documents(warehouse.catalog, warehouse.facts)
                plan = plan_index(again, store.content_hashes(collection))
                apply_plan(plan, encoder, store, collection, lambda _done, _total: None)
            wall, used = clock.walls[run][0], clock.processor[run]
            say(
                f"  {run}: {wall:.1f} s, {wall / raw_wall:.1%} of the encoder; processor {used:.1f} s, "
                f"{used / len(documents) * 1000:.2f} ms a document, {used / raw_processor:.1%} of the encoder; "
                f"memory of the server {memory.most / 1e6:.0f} MB"
            )
        with Memory(postmaster) as memory:
            search(warehouse.questions, HybridRetriever(encoder, store, collection), store, collection, clock)
        for name in ("hybrid", "excluding", "nearest", "many"):
            say(f"  {name}: {clock.each(name)}")
        own = [document for document in documents if isinstance(document.ref, ColumnRef)]
        matrix, queries = encoder.embed([document.text for document in own]), encoder.embed(warehouse.questions)[:50]
        found = recall(store, collection, matrix, [document.ref for document in own], queries)
        say("  recall " + ", ".join(f"{name} {share:.4f}" for name, share in found.items()))
        disk = sizes(server.url)
        largest = sorted(disk.items(), key=lambda one: -one[1])[:9]
        say(
            f"  disk {sum(disk.values()) / 1e6:.0f} MB: "
            + ", ".join(f"{name} {size / 1e6:.0f}" for name, size in largest)
            + f"; memory of the server while searching {memory.most / 1e6:.0f} MB"
        )
        store.close()
        server.stop()


def search(
    questions: Sequence[str], retriever: HybridRetriever, store: Store, collection: Collection, clock: Clock
) -> None:
    """Every question four ways: for 200, without the first 200, by meaning alone, and for 1,600 columns."""
    encoder = WordVectors()
    vectors = encoder.embed(questions)
    retriever.retrieve(questions[0], limit=200)
    for text, vector in zip(questions, vectors, strict=True):
        with clock("hybrid"):
            hits = retriever.retrieve(text, limit=200)
        with clock("excluding"):
            retriever.retrieve(text, limit=200, excluded=[hit.ref for hit in hits])
        with clock("nearest"):
            store.nearest(collection, vector, limit=200)
        with clock("many"):
            retriever.retrieve(text, limit=1_600)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--columns", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    for column_count in parser.parse_args().columns:
        measure(column_count, _say)


if __name__ == "__main__":
    main()
