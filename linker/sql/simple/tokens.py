"""A question as tokens: enters its text, leave words, numbers, quotations and marks with their places."""

import re
from dataclasses import dataclass

from linker.words import folded, stem

_TOKEN = re.compile(
    r"\"(?P<double>[^\"]{1,80})\"|“(?P<curly>[^”]{1,80})”|‘(?P<single>[^’]{1,80})’|(?<!\w)'(?P<plain>[^']{1,80})'(?!\w)"
    r"|(?P<number>(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w]))|(?P<word>\w+(?:[-&]\w+)*)|(?P<mark>[.?!;,:()/])"
)
_APOSTROPHE = re.compile(r"(?<=\w)['’](?:s\b|(?=\s))")
_SENTENCE_ENDS = ".?!;"


@dataclass(frozen=True, slots=True)
class Token:
    """One part of a question, from `start` to `end` of its text; `low` is how it is compared, `stem` its stem."""

    text: str
    low: str
    stem: str
    start: int
    end: int
    is_quoted: bool = False

    @property
    def is_word(self) -> bool:
        """Whether it is written with letters."""
        return not self.is_quoted and self.low[:1].isalpha()

    @property
    def number(self) -> float | None:
        """The number that it writes."""
        bare = self.low.replace(",", "")
        return float(bare) if not self.is_quoted and re.fullmatch(r"\d+(?:\.\d+)?", bare) else None

    @property
    def ends_sentence(self) -> bool:
        """Whether something new begins after it."""
        return self.low in _SENTENCE_ENDS


def tokens_of(question: str) -> tuple[Token, ...]:
    """The tokens in their order; a quotation is one token."""
    # The genitive is blanked, not cut: places in the text stay what they are.
    text = _APOSTROPHE.sub(lambda found: " " * len(found.group()), question)
    return tuple(_token(found) for found in _TOKEN.finditer(text))


def _token(found: re.Match[str]) -> Token:
    kind = found.lastgroup or "mark"
    text = found.group(kind)
    low = folded(text)
    is_quoted = kind not in ("number", "word", "mark")
    return Token(text, low, stem(low) if kind == "word" else low, found.start(), found.end(), is_quoted)
