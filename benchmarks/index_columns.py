"""
Measures the index on generated warehouses: build, re-index, concurrent readers, search, recall,
disk, memory.

For each number of columns it prints a row for results/asking.md. The product writes the documents
from a generated catalog; the encoder is timed on a sample.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
import psutil
import psycopg
from msgspec.structs import replace

from benchmarks.concurrent_searches import Reader
from benchmarks.generated_warehouse import Warehouse, WordVectors
from benchmarks.progress_line import write_line
from benchmarks.resource_usage import Clock, Memory
from linker.catalog.documents import BATCH_SIZE, apply_plan, read_plan, write_documents
from linker.embedders import Vectors, open_embedder
from linker.index import Collection, Query, Store
from linker.index.embedded import start_postgres
from linker.retrieval.hybrid import HybridRetriever
from linker.text.values import spans_by_gram
from linker.text.words import words_of_text
from linker.types import ColumnRef, Document


def raw_encoder(documents: Sequence[Document]) -> tuple[float, float]:
    """Wall and CPU seconds per document."""
    encoder = open_embedder("offline")
    sample = [
        document.text
        for document in random.Random(3).sample(list(documents), min(256, len(documents)))  # noqa: S311
    ]
    encoder.embed(sample[:16])
    started, used = perf_counter(), process_time()
    encoder.embed(sample)
    return (perf_counter() - started) / len(sample), (process_time() - used) / len(sample)


def recall(
    store: Store,
    collection: Collection,
    matrix: Vectors,
    refs: Sequence[ColumnRef],
    queries: Vectors,
) -> dict[str, float]:
    """The share of the exact nearest that are found, by number of results and of exclusions."""
    shares: dict[str, list[float]] = {}
    for query in queries:
        order = [refs[int(index)] for index in np.argsort(-(matrix @ query), kind="stable")]
        for kind, count in (("all", 0), ("200 excluded", 200)):
            for limit in (10, 100, 200):
                found = store.search(collection, Query(query), limit=limit, excluded=order[:count])
                exact = set(order[count : count + limit])
                refs_found = {found.columns[number] for number, _ in found.dense}
                shares.setdefault(f"{kind} @{limit}", []).append(
                    len(refs_found & exact) / len(exact)
                )
    return {name: float(np.mean(found)) for name, found in shares.items()}


def sizes(url: str) -> dict[str, int]:
    """Bytes on disk by table and index of the collection, without the numbers in their names."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select relname, pg_relation_size(oid) + "
            "coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) from pg_class where "
            "relnamespace = 'linker'::regnamespace and relkind in ('r', 'i') and "
            "pg_relation_size(oid) > 0"
        )
        return {name: int(size) for name, size in rows}


@dataclass(frozen=True)
class Bench:
    """One warehouse, and the server that it is indexed in."""

    warehouse: Warehouse
    encoder: WordVectors
    documents: Sequence[Document]
    postmaster: psutil.Process
    url: str
    store: Store
    clock: Clock
    say: Callable[[str], None]
    collection: Collection


def measure(column_count: int, say: Callable[[str], None]) -> None:
    """One warehouse, from nothing to searched."""
    warehouse, encoder = Warehouse(column_count), WordVectors()
    documents = write_documents(warehouse.catalog, warehouse.facts)
    # The time of the substitute encoder is not measured: it has all vectors in advance.
    encoder.embed([document.text for document in documents])
    say(f"{column_count:,} columns, {len(documents):,} documents")
    with tempfile.TemporaryDirectory(prefix="bench-index-") as folder:
        # A server reads its settings when it starts the second time.
        start_postgres(Path(folder) / "postgres").stop()
        server = start_postgres(Path(folder) / "postgres")
        postmaster = psutil.Process(
            int((server.folder / "postmaster.pid").read_text("utf-8").split()[0])
        )
        store = Store(server.url)
        clock, collection = Clock(postmaster), Collection("bench", encoder.name)
        bench = Bench(
            warehouse, encoder, documents, postmaster, server.url, store, clock, say, collection
        )
        measure_build(bench)
        measure_readers(bench)
        measure_search(bench)
        measure_recall(bench)
        store.close()
        server.stop()


def measure_build(bench: Bench) -> None:
    """Build and unchanged rebuild, without the encoder."""
    raw_wall, raw_processor = (
        seconds * len(bench.documents) for seconds in raw_encoder(bench.documents)
    )
    bench.say(f"  raw encoder {raw_wall:.1f} s, processor {raw_processor:.1f} s")
    for run in ("build", "unchanged"):
        with Memory(bench.postmaster) as memory, bench.clock(run):
            again = write_documents(bench.warehouse.catalog, bench.warehouse.facts)
            plan = read_plan(again, bench.store, bench.collection)
            apply_plan(
                plan, bench.encoder, bench.store, bench.collection, lambda _done, _total: None
            )
        wall, used = bench.clock.walls[run][0], bench.clock.processor[run]
        bench.say(
            f"  {run}: {wall:.1f} s, {wall / raw_wall:.1%} of the encoder; processor {used:.1f} "
            f"s, {used / len(bench.documents) * 1000:.2f} ms a document, "
            f"{used / raw_processor:.1%} of the encoder; memory of the server "
            f"{memory.most / 1e6:.0f} MB"
        )


def measure_readers(bench: Bench) -> None:
    """
    Duration of concurrent searches during index runs: 200 changed documents, all, and a first
    index.
    """
    queries = [
        Query(vector, tuple(words_of_text(text)), tuple(spans_by_gram(text)))
        for text, vector in zip(
            bench.warehouse.questions, bench.encoder.embed(bench.warehouse.questions), strict=True
        )
    ]
    documents = list(bench.documents)
    few = [
        *(replace(document, content_hash="anew") for document in documents[:200]),
        *documents[200:],
    ]
    every = [replace(document, content_hash="anew once more") for document in documents]
    empty = Collection("bench of a first index", bench.encoder.name)
    for name, collection, wanted in (
        ("200 changed", bench.collection, few),
        ("all changed", bench.collection, every),
        ("first index", empty, documents),
    ):
        plan = read_plan(wanted, bench.store, collection)
        with Reader(bench.url, collection, queries) as reader:
            started = perf_counter()
            for start in range(0, len(plan.changed), BATCH_SIZE):
                batch = plan.changed[start : start + BATCH_SIZE]
                bench.store.stage(
                    collection, batch, bench.encoder.embed([document.text for document in batch])
                )
            staged = perf_counter()
            bench.store.publish(collection, plan.documents)
            ended = perf_counter()
        before, staging, switching = (
            f"{median(seconds) * 1000:.0f}, {max(seconds) * 1000:.0f} ms ({len(seconds)})"
            for seconds in (
                reader.seconds(0, started),
                reader.seconds(started, staged),
                reader.seconds(staged, ended),
            )
        )
        bench.say(
            f"  {name}: staged in {staged - started:.1f} s, switched in {ended - staged:.1f} s; "
            f"searches, median and longest, before {before}, while staging {staging}, while "
            f"switching {switching}"
        )


def measure_search(bench: Bench) -> None:
    """Latency of four kinds of searches, and disk usage."""
    retriever = HybridRetriever(bench.encoder, bench.store, bench.collection)
    with Memory(bench.postmaster) as memory:
        search(bench.warehouse.questions, retriever, bench.store, bench.collection, bench.clock)
    for name in ("hybrid", "excluding", "nearest", "many"):
        bench.say(f"  {name}: {bench.clock.line(name)}")
    disk = sizes(bench.url)
    largest = sorted(disk.items(), key=lambda relation: -relation[1])[:9]
    bench.say(
        f"  disk {sum(disk.values()) / 1e6:.0f} MB: "
        + ", ".join(f"{name} {size / 1e6:.0f}" for name, size in largest)
        + f"; memory of the server while searching {memory.most / 1e6:.0f} MB"
    )


def measure_recall(bench: Bench) -> None:
    """Recall against exhaustive comparison."""
    own = [
        (document.ref, document.text)
        for document in bench.documents
        if isinstance(document.ref, ColumnRef)
    ]
    matrix = bench.encoder.embed([text for _, text in own])
    queries = bench.encoder.embed(bench.warehouse.questions)[:50]
    found = recall(bench.store, bench.collection, matrix, [ref for ref, _ in own], queries)
    bench.say("  recall " + ", ".join(f"{name} {share:.4f}" for name, share in found.items()))


def search(
    questions: Sequence[str],
    retriever: HybridRetriever,
    store: Store,
    collection: Collection,
    clock: Clock,
) -> None:
    """
    Every question four ways: for 200, without the first 200, by meaning alone, and for 1,600
    columns.
    """
    encoder = WordVectors()
    vectors = encoder.embed(questions)
    retriever.search(questions[0], limit=200)
    for text, vector in zip(questions, vectors, strict=True):
        with clock("hybrid"):
            hits = retriever.search(text, limit=200).columns
        with clock("excluding"):
            retriever.search(text, limit=200, excluded=[hit.ref for hit in hits])
        with clock("nearest"):
            store.search(collection, Query(vector), limit=200)
        with clock("many"):
            retriever.search(text, limit=1_600)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--columns", type=int, nargs="+", default=[1_000, 10_000, 20_000, 100_000])
    for column_count in parser.parse_args().columns:
        measure(column_count, write_line)


if __name__ == "__main__":
    main()
