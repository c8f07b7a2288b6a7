"""
How fast the offline encoder is, with its extra onnxruntime and without, beside others on the same
weights.

`make bench-encode` measures beside sentence-transformers; for `--beside onnxruntime` no torch is
needed.

The texts are column documents made of the demo's own names and descriptions: the SQL comments of
linker/demo. The offline encoder gets them as `linker index` hands them out, 256 at a time, the
other one all at once. Each round measures all, one after the other, so that other work on the
machine disturbs them alike.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from linker.catalog.documents import BATCH_SIZE
from linker.embedders import Embedder, Vectors, open_embedder
from linker.embedders.offline.bert import BertConfig, BertEncoder, read_weights
from linker.embedders.offline.embedder import OfflineEmbedder, installed_folder
from linker.embedders.offline.graph import GraphEncoder

TORCH = "sentence-transformers"
ONNXRUNTIME = "onnxruntime"
DEMO = Path(__file__).resolve().parents[1] / "linker" / "demo" / "sql"
# Tokens of the longest text, and those that bare onnxruntime computes together: with 128 or 2,048
# it takes 5 % longer.
MOST_TOKENS = 256
TOGETHER = 512


def main() -> None:
    """
    Print lines for each number of threads: texts per second and the median ratios of the rounds.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--beside", choices=[TORCH, ONNXRUNTIME], default=TORCH)
    arguments = parser.parse_args()
    texts = documents(arguments.texts)
    theirs = beside(arguments.beside)
    say(f"{len(texts)} texts; the difference is the largest of a number in their vectors")
    say(
        f"| threads | offline, by | texts/s | {arguments.beside}, texts/s | wall | processor | difference |"
    )
    say("|---|---|---|---|---|---|---|")
    for threads in arguments.threads:
        for row in compare(theirs(threads), texts, threads, arguments.rounds):
            say(row)


class InNumpy(OfflineEmbedder):
    """The offline encoder as it is without the extra."""

    _graph = None


class BareOnnxruntime:
    """
    Onnxruntime with the same tokenizer and graph, and nothing else of linker.

    Texts of one length are computed together: with padding to the longest of a batch it takes an
    eighth longer.
    """

    name, dimension = ONNXRUNTIME, OfflineEmbedder.dimension

    def __init__(self, folder: Path, *, threads: int) -> None:
        encoder = BertEncoder(
            BertConfig.read(folder / "config.json"), read_weights(folder / "model.safetensors")
        )
        self._encode = GraphEncoder(encoder.weights).encode
        self._threads = threads
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._tokenizer.no_padding()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        by_length = sorted(range(len(texts)), key=lambda number: len(tokens[number]))
        runs = [[*run] for _, run in groupby(by_length, key=lambda number: len(tokens[number]))]
        batches = [
            run[start : start + size]
            for run in runs
            for size in [TOGETHER // len(tokens[run[0]])]
            for start in range(0, len(run), size)
        ]
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            parts = [list(map(tokens.__getitem__, batch)) for batch in batches]
            encoded = pool.map(self._encode, parts)
            for batch, rows in zip(batches, encoded, strict=True):
                vectors[batch] = rows
        return vectors


def beside(name: str) -> Callable[[int], Embedder]:
    """What is compared with, given a number of threads."""
    folder = installed_folder()
    if name == ONNXRUNTIME:
        return lambda threads: BareOnnxruntime(folder, threads=threads)

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


def compare(theirs: Embedder, texts: list[str], threads: int, rounds: int) -> Iterator[str]:
    """
    A line for onnxruntime, where it is installed, and one for numpy, on that many cores; medians of
    the rounds.
    """
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(everywhere)[:threads]))
    embedders = {
        each.engine().partition(",")[0]: each
        for each in (OfflineEmbedder(threads=threads), InNumpy(threads=threads))
    }
    ours = {engine: as_indexed(embedder) for engine, embedder in embedders.items()}
    # All open what they need.
    expected = theirs.embed(texts)
    differences = {engine: np.abs(embed(texts) - expected).max() for engine, embed in ours.items()}
    every = [*ours.values(), theirs.embed]
    times = np.array([[seconds(embed, texts) for embed in every] for _ in range(rounds)])
    os.sched_setaffinity(0, everywhere)
    for number, (engine, difference) in enumerate(differences.items()):
        rates = " | ".join(
            f"{len(texts) / np.median(times[:, side, 0]):.0f}" for side in (number, -1)
        )
        wall, processor = np.median(times[:, number] / times[:, -1], axis=0)
        yield f"| {threads} | {engine} | {rates} | {wall:.2f} | {processor:.2f} | {difference:.1e} |"


def as_indexed(embedder: Embedder) -> Callable[[list[str]], Vectors]:
    """Embed in the calls that `linker index` makes."""

    def embed(texts: list[str]) -> Vectors:
        parts = [texts[start : start + BATCH_SIZE] for start in range(0, len(texts), BATCH_SIZE)]
        return np.concatenate([embedder.embed(part) for part in parts])

    return embed


def seconds(embed: Callable[[list[str]], Vectors], texts: list[str]) -> tuple[float, float]:
    """Of the wall and of the processors."""
    wall, processor = time.perf_counter(), time.process_time()
    embed(texts)
    return time.perf_counter() - wall, time.process_time() - processor


def documents(count: int) -> list[str]:
    """As linker/catalog/documents.py writes them: column, table, description, type."""
    comments = re.compile(r"comment on column ([\w.]+)\.(\w+) is '((?:[^']|'')*)'", re.IGNORECASE)
    found = [
        match
        for path in sorted(DEMO.glob("*.j2"))
        for match in comments.findall(path.read_text("utf-8"))
    ]
    texts = [
        f"{column} of {table}. {words}. type: varchar".lower() for table, column, words in found
    ]
    return [texts[number % len(texts)] for number in range(count)]


if __name__ == "__main__":
    main()
