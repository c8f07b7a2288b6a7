"""
Writes `linker/ranking/thesaurus.npy`, pairs of English words with similar embeddings:
`python -m benchmarks.write_thesaurus`.

Words are those of the offline encoder's vocabulary. Pairs with a common stem are left out, since
they match by spelling.
"""

import sys
from pathlib import Path

import numpy as np

import linker.ranking
from linker.embedders import OFFLINE, Vectors, open_embedder
from linker.ranking.compound_words import rank_by_word
from linker.ranking.thesaurus import FILE, SCALE
from linker.text.words import STOP_WORDS, root, stem

# Cosine similarity; below, more pairs mislead than help.
LEAST = 0.6
SHORTEST = 3
BATCH = 2000


def main() -> None:
    words = [word for word in rank_by_word() if len(word) >= SHORTEST and word not in STOP_WORDS]
    pairs = similar_pairs(words, open_embedder(OFFLINE).embed(words))
    path = Path(linker.ranking.__file__).with_name(FILE)
    np.save(path, pairs)
    sys.stdout.write(f"{pairs.shape[1]} pairs of {len(words)} words, {path.stat().st_size} bytes\n")


def similar_pairs(words: list[str], vectors: Vectors) -> np.ndarray:
    """A row of lower word numbers, one of higher ones, and one of similarities."""
    numbers = np.array([rank_by_word()[word] for word in words])
    roots = np.unique([root(stem(word)) for word in words], return_inverse=True)[1]
    rows = []
    for start in range(0, len(words), BATCH):
        cosines = vectors[start : start + BATCH] @ vectors.T
        first, second = np.nonzero(cosines >= LEAST)
        kept = (first + start < second) & (roots[first + start] != roots[second])
        first, second = first[kept], second[kept]
        similarities = np.rint(SCALE * cosines[first, second])
        rows.append(np.stack([numbers[first + start], numbers[second], similarities]))
    return np.concatenate(rows, axis=1).astype(np.uint16)


if __name__ == "__main__":
    main()
