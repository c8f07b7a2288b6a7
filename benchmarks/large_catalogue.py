"""
Latency of questions on large catalogs without a language model: `make bench-large`.

Per number of columns: opening the index, a search for 200, first and repeated questions of a
process, and concurrent processes over one store. Warehouse and encoder are those of
`benchmarks.index_columns`, which also measures search recall.
"""

import argparse
import multiprocessing
import tempfile
from functools import cached_property
from itertools import chain
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time

import psutil

from benchmarks.generated_warehouse import Warehouse, WordVectors
from benchmarks.progress_line import write_line
from linker.catalog.documents import apply_plan, read_plan, write_documents
from linker.catalog.snapshot import ProfiledCatalog, pack
from linker.config.settings import Settings
from linker.embedders import Embedder
from linker.environment import Environment
from linker.index import IndexManifest
from linker.pipeline import ask

Times = list[tuple[float, float]]


class GeneratedEnvironment(Environment):
    """A generated warehouse in a real store."""

    @property
    def target_key(self) -> str:
        """There is one."""
        return "generated"

    @cached_property
    def embedder(self) -> Embedder:
        """Sums of word vectors."""
        return WordVectors()


def opened(folder: Path) -> GeneratedEnvironment:
    """The environment over the store in a folder."""
    return GeneratedEnvironment(Settings(state_dir=folder, kept_traces=0))


def build(warehouse: Warehouse, folder: Path) -> None:
    """Index a generated warehouse."""
    documents = write_documents(warehouse.catalog, warehouse.facts)
    made_from = IndexManifest(pack(ProfiledCatalog(warehouse.catalog, warehouse.facts)))
    # A server reads its settings when it starts the second time.
    with opened(folder) as environment:
        environment.store.describe()
    with opened(folder) as environment:
        plan = read_plan(documents, environment.store, environment.collection)
        apply_plan(
            plan,
            environment.embedder,
            environment.store,
            environment.collection,
            lambda _done, _all: None,
            made_from,
        )


def timed(questions: list[str], environment: Environment) -> Times:
    """Seconds on the wall and of this process for each question."""
    times = []
    for question in questions:
        wall, used = perf_counter(), process_time()
        ask(question, environment)
        times.append((perf_counter() - wall, process_time() - used))
    return times


def searches(questions: list[str], environment: Environment) -> Times:
    """The same for a search of 200 columns and tables by meaning, words and values."""
    times = []
    for question in questions:
        wall, used = perf_counter(), process_time()
        environment.retriever.search(question, limit=200)
        times.append((perf_counter() - wall, process_time() - used))
    return times


def measure(column_count: int, question_count: int, askers: int) -> None:
    """One warehouse, from nothing to asked."""
    warehouse = Warehouse(column_count)
    questions = warehouse.questions[:question_count]
    with tempfile.TemporaryDirectory(prefix="bench-large-") as folder:
        build(warehouse, Path(folder))
        context = multiprocessing.get_context("spawn")
        with opened(Path(folder)) as server:
            server.store.describe()
            with context.Pool(1) as pool:
                write_line(
                    f"{column_count:,} columns: {pool.apply(_resident, (Path(folder), questions))}"
                )
            if askers:
                with context.Pool(askers) as pool:
                    pool.starmap(_asker, [(Path(folder), questions[:1])] * askers, chunksize=1)
                    started = perf_counter()
                    of_askers = pool.starmap(
                        _asker, [(Path(folder), questions)] * askers, chunksize=1
                    )
                    rate = askers * len(questions) / (perf_counter() - started)
                times = list(chain.from_iterable(of_askers))
                write_line(f"  {askers} askers at once: {rate:.1f} questions/s, {_spread(times)}")


def _resident(folder: Path, questions: list[str]) -> str:
    own = psutil.Process()
    with opened(folder) as environment:
        environment.store.describe()
        environment.embedder.embed(questions)
        before, started = own.memory_info().rss, process_time()
        columns = environment.indexed.catalog.column_count
        used, memory = process_time() - started, own.memory_info().rss - before
        searched = [searches(questions, environment) for _ in range(2)][-1]
        first, again = timed(questions, environment), timed(questions, environment)
    return (
        f"{columns:,} opened in {used:.2f} s of processor and {memory / 1e6:.0f} MB\n"
        f"  a search of 200: {_spread(searched)}\n"
        f"  first {len(questions)} questions: {_spread(first)}\n  the same again: {_spread(again)}"
    )


def _asker(folder: Path, questions: list[str]) -> Times:
    with opened(folder) as environment:
        return timed(questions, environment)


def _spread(times: Times) -> str:
    walls = [wall * 1000 for wall, _ in times]
    used = [processor * 1000 for _, processor in times]
    return (
        f"median {median(walls):.1f} ms, 95th {quantiles(walls, n=20)[18]:.0f} ms; "
        f"of the asking process {median(used):.1f} ms of processor"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--columns", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--askers", type=int, default=0, help="processes that ask at once")
    asked = parser.parse_args()
    for column_count in asked.columns:
        measure(column_count, asked.questions, asked.askers)


if __name__ == "__main__":
    main()
