"""
Tokens of a short text without the tokenizer: enters a question in plain letters, leave the numbers
of its tokens.

To load the tokenizer takes longer than to encode a question; its pieces alone are read in a fifth
of that. A text of other letters, which have to be cleaned and taken apart first, is left to the
tokenizer.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from linker.types import Record

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
