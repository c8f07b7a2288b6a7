"""
Tells which words of a question a warehouse must speak of: enters a question, leaves what each of its words counts.

"How many", "on average" and "compared with last year" can be asked of anything, and a name or a number is looked up
in rows that nobody lists in full. What is left is what the question is about.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linker.ranking.postings import Floats
from linker.ranking.question import QUOTED, QuestionWords
from linker.text.words import SAYING_NOTHING, parts, stem

_GENERIC, _LITERAL = 0.2, 0.25
_WORD = re.compile(r"\w[\w'’-]*|[.?!:\n]|[^\w\s]")
_SENTENCE_ENDS = ".?!:\n"
_LETTER = re.compile(r"[^\W\d_]")

# Words that can be asked of anything.
# fmt: off
_OF_ANYTHING = frozenset(map(stem, (
    "average", "mean", "median", "total", "sum", "count", "number", "amount", "highest", "lowest", "maximum",
    "minimum", "max", "min", "largest", "smallest", "greatest", "biggest", "longest", "shortest", "oldest", "newest",
    "youngest", "latest", "earliest", "recent", "recently", "first", "last", "second", "third", "top", "bottom", "best",
    "worst", "percentage", "percent", "proportion", "ratio", "rate", "share", "difference", "different", "distinct",
    "unique", "single", "same", "others", "another", "either", "less", "greater", "higher", "lower", "fewer", "fewest",
    "above", "below", "across", "along", "through", "further", "year", "month", "day", "week", "weekend", "quarter",
    "date", "time", "today", "yesterday", "daily", "weekly", "monthly", "yearly", "annual", "annually", "period",
    "current", "currently", "previous", "next", "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "zero",
    "hundred", "thousand", "million", "half", "information", "info", "details", "data", "dataset", "record", "value",
    "result", "row", "table", "column", "query", "field", "entry", "item", "sort", "sorted", "order", "ordered",
    "descending", "ascending", "alphabetical", "alphabetically", "rank", "ranking", "group", "grouped", "split",
    "breakdown", "compare", "compared", "comparison", "versus", "respectively", "separately", "name", "named", "called",
    "titled", "type", "kind", "category", "specific", "specifically", "certain", "particular", "corresponding",
    "associated", "related", "respective", "contain", "containing", "match", "got", "make", "made", "take", "took",
    "taken", "gave", "come", "came", "go", "went", "gone", "keep", "kept", "put", "see", "seen", "say", "said", "tell",
    "look", "found", "know", "known", "produce", "happen", "occur", "occurred", "become", "became", "belong", "used",
    "display", "compute", "develop", "change", "increase", "decrease", "grow", "grew", "growth", "trend", "move",
    "people", "person", "anyone", "anybody", "anything", "something", "everything", "nothing", "someone", "he", "she",
    "us", "ours", "my", "mine", "own", "his", "her", "themselves", "still", "yet", "already", "ever", "never", "often",
    "usually", "frequently", "actually", "exactly", "really", "just", "too", "very", "quite", "well", "far", "away",
    "long", "later", "earlier", "soon", "else", "apart", "finally", "initially", "generally", "because", "due", "why",
    "since", "although", "though", "like", "likely", "better", "good", "bad", "high", "low", "big", "small", "large",
    "new", "old", "few", "several", "full", "whole", "entire", "complete", "available", "place", "sit", "stand", "hold",
    "left", "end", "begin", "start", "back", "down", "off", "together", "meet", "according", "involve", "should",
    "might", "shall", "upon", "toward", "towards", "amongst", "except", "non", "none", "yes", "true", "false", "set",
    "detail", "id", "ids", "unit", "case", "part", "side", "way", "level", "line", "paid", "pay", "spend", "spent",
    "cost", "bought", "buy", "sell", "sold",
)))
# fmt: on


@dataclass(frozen=True)
class Telling:
    """
    What each word of a question counts, and which words are names; `pairs` are telling words side by side.

    `phrases` are the runs of telling words as they are written, each with the places of its words.
    """

    weights: Floats
    is_literal: npt.NDArray[np.bool_]
    pairs: tuple[tuple[int, int], ...]
    phrases: tuple[tuple[str, tuple[int, ...]], ...]


def telling(question: QuestionWords) -> Telling:
    """What a question is about."""
    names = _names(question.text)
    weights = np.array([_weight(word, names) for word in question.words], dtype=np.float32)
    place = {word: number for number, word in enumerate(question.words)}
    about = {word: number for word, number in place.items() if weights[number] == 1.0}
    spoken = [stem(part) for part in parts(question.text)]
    pairs = [(about[one], about[other]) for one, other in pairwise(spoken) if {one, other} <= about.keys()]
    return Telling(
        weights=weights if weights.any() else np.full(len(weights), 0.5, dtype=np.float32),
        is_literal=np.array([word in names for word in question.words], dtype=bool),
        pairs=tuple(dict.fromkeys(pairs)),
        phrases=tuple(dict.fromkeys(_phrases(question.text, place))),
    )


def _weight(word: str, names: frozenset[str]) -> float:
    if word.isdigit():
        return 0.0
    if word in _OF_ANYTHING:
        return _GENERIC
    return _LITERAL if word in names else 1.0


def _names(text: str) -> frozenset[str]:
    """The words that are quoted, or that only capitals begin and not because a sentence does."""
    capital: set[str] = set()
    small: set[str] = set()
    is_first = True
    for written in _WORD.findall(text):
        if written in _SENTENCE_ENDS:
            is_first = True
        elif _LETTER.match(written):
            said = {stem(part) for part in parts(written)}
            if written[0].islower():
                small |= said
            elif not is_first:
                capital |= said
            is_first = False
    quoted = {stem(part) for one, other in QUOTED.findall(text) for part in parts(one or other)}
    return frozenset((capital - small) | quoted)


def _phrases(text: str, place: dict[str, int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Words in a row that say more than anything does."""
    run: list[str] = []
    for written in [*_WORD.findall(text), "."]:
        said = [stem(part) for part in parts(written)]
        if any(word in place and not _says_little(word) for word in said):
            run.append(written)
        elif run:
            words = [stem(part) for one in run for part in parts(one)]
            yield " ".join(run), tuple(place[word] for word in words if word in place and not _says_little(word))
            run = []


def _says_little(word: str) -> bool:
    return word.isdigit() or word in _OF_ANYTHING or word in SAYING_NOTHING
