"""
The tokens of a text: enter words of any script, leave the numbers of their pieces in the vocabulary
of BERT, without accents and in lower case.

A text is only ever text: `[MASK]` in it is a word in brackets, and no token of a meaning of its own.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

Tokens = Sequence[int]

_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_CONTINUED = "##"
# Of longer words it knows none.
_LONGEST_WORD = 100
# Words whose pieces are remembered: names of columns repeat each other.
_REMEMBERED = 2**15
_WORD_OR_MARK = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")
_SPACES = "\t\n\r"
_REPLACEMENT = "\ufffd"
# Control characters, those that format, halves of pairs, and those for private use.
_UNSEEN = ("Cc", "Cf", "Cs", "Co")
# Ideographs, each of which is a word.
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPieces:
    """The pieces of one vocabulary, whose order is their numbers."""

    def __init__(self, vocabulary: Sequence[str], most_tokens: int) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._most_tokens = most_tokens
        self._pieces = lru_cache(_REMEMBERED)(self._cut)

    def tokens(self, text: str) -> Tokens:
        """The numbers of a text, between those of begin and end; a longer one is cut."""
        found = [self._numbers[_BEGIN]]
        for word in _words(text):
            found.extend(self._pieces(word))
            if len(found) >= self._most_tokens:
                break
        return [*found[: self._most_tokens - 1], self._numbers[_END]]

    def _cut(self, word: str) -> Tokens:
        """
        The longest piece that a word begins with, and so on; one that does not come out is unknown
        as a whole.
        """
        found = list[int]()
        start = 0 if len(word) <= _LONGEST_WORD else -1
        while 0 <= start < len(word):
            number, start = self._longest(word, start)
            found.append(number)
        return found if start >= 0 else [self._numbers[_UNKNOWN]]

    def _longest(self, word: str, start: int) -> tuple[int, int]:
        """The number of the longest piece at a place, and where it ends: nowhere if none is known."""
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else _CONTINUED + word[start:end]
            if piece in self._numbers:
                return self._numbers[piece], end
        return 0, -1


def _words(text: str) -> Sequence[str]:
    """The words and marks of a text."""
    if text.isascii() and text.isprintable():
        return _WORD_OR_MARK.findall(text.lower())
    plain = unicodedata.normalize("NFD", "".join(_cleaned(text)))
    return "".join(_spelled(plain)).split()


def _cleaned(text: str) -> Iterator[str]:
    """The characters that can be seen, with space around ideographs."""
    for character in text:
        if character in _SPACES:
            yield " "
        elif unicodedata.category(character) in _UNSEEN or character == _REPLACEMENT:
            continue
        elif _is_ideograph(ord(character)):
            yield f" {character} "
        else:
            yield character


def _spelled(text: str) -> Iterator[str]:
    """Each character without its accents and in lower case, with space around marks."""
    for character in text:
        category = unicodedata.category(character)
        if _is_mark(character, category):
            yield f" {character} "
        elif category != "Mn":
            yield character.lower()


def _is_mark(character: str, category: str) -> bool:
    is_sign = character.isascii() and category.startswith("S")  # such as + and $
    return is_sign or category.startswith("P")


def _is_ideograph(number: int) -> bool:
    return any(first <= number <= last for first, last in _IDEOGRAPHS)
