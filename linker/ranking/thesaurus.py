"""
English words of similar meaning, such as `faith` and `religion`.

They are pairs of the offline encoder's vocabulary with similar embeddings, computed once
(`benchmarks/write_thesaurus.py`), so that a question needs no further embeddings.
"""

from functools import cache, lru_cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from linker.ranking.compound_words import rank_by_word
from linker.text.words import stem

FILE = "thesaurus.npy"
# Similarities are stored as integers.
SCALE = 1000


@lru_cache(maxsize=10_000)
def near_synonyms(word: str) -> tuple[tuple[str, float], ...]:
    """Stems of words similar to a word or its stem, with similarity, most similar first."""
    numbers = [rank_by_word()[form] for form in {word, stem(word)} & rank_by_word().keys()]
    similarity: dict[str, float] = {}
    for number in numbers:
        first, second, similarities = _pairs_of(number)
        others = np.where(first == number, second, first)
        for other, scaled in zip(others.tolist(), similarities.tolist(), strict=True):
            name = stem(_words()[other])
            similarity[name] = max(similarity.get(name, 0.0), scaled / SCALE)
    return tuple(sorted(similarity.items(), key=lambda item: (-item[1], item[0])))


def _pairs_of(number: int) -> npt.NDArray[np.uint16]:
    pairs = _pairs()
    return pairs[:, (pairs[0] == number) | (pairs[1] == number)]


@cache
def _pairs() -> npt.NDArray[np.uint16]:
    """A row of lower word numbers, one of higher ones, and one of similarities."""
    with as_file(files("linker.ranking").joinpath(FILE)) as path:
        pairs: npt.NDArray[np.uint16] = np.load(path)
    return pairs


@cache
def _words() -> list[str]:
    return [*rank_by_word()]
