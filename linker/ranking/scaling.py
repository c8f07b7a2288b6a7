"""Scores made comparable between questions and catalogues: shares of the best, z-scores, ranks."""

import numpy as np

from linker.ranking.postings import Floats, Ints


def of_best(scores: Floats) -> Floats:
    """Each score as a share of the best one."""
    best = float(scores.max()) if len(scores) else 0.0
    shares: Floats = (scores / best if best > 0 else np.zeros_like(scores)).astype(np.float32)
    return shares


def standard(scores: Floats) -> Floats:
    """Deviations from the mean in standard deviations, cut at four."""
    spread = float(scores.std()) if len(scores) else 0.0
    if spread < 1e-9:
        return np.zeros(len(scores), dtype=np.float32)
    clipped: Floats = np.clip((scores - scores.mean()) / spread, -4, 4).astype(np.float32)
    return clipped


def log_rank(scores: Floats) -> Floats:
    """The logarithm of the rank from 1, best first; equal scores share the mean of their ranks."""
    if not len(scores):
        return np.zeros(0, dtype=np.float32)
    _, inverse, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = np.log(last - (counts - 1) / 2)[inverse].astype(np.float32)
    return ranks


def log_rank_in_table(scores: Floats, table_of: Ints, starts: Ints) -> Floats:
    """The logarithm of the rank inside the table, best first."""
    order = np.lexsort((-scores, table_of))
    ranks = np.empty(len(scores), dtype=np.float32)
    ranks[order] = np.arange(len(scores)) - starts[table_of[order]] + 1
    # Where scores are equal, the better rank of the two is no merit: all share the last.
    tied = np.zeros(len(scores), dtype=np.int64)
    at = scores[order]
    tables = table_of[order]
    new = np.ones(len(scores), dtype=bool)
    new[1:] = (at[1:] != at[:-1]) | (tables[1:] != tables[:-1])
    group = np.cumsum(new) - 1
    total = np.bincount(group, weights=ranks[order])
    mean = total / np.bincount(group)
    tied = mean[group]
    shared = np.empty(len(scores), dtype=np.float32)
    shared[order] = np.log(tied)
    return shared


def mean_of_best(scores: Floats, starts: Ints, count: int = 3) -> Floats:
    """For each table the mean of its best scores; a table that has fewer is marked down for that."""
    sizes = np.diff(starts)
    table_of = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((-scores, table_of))
    place = np.arange(len(scores)) - starts[table_of]
    top = np.where(place < count, scores[order], 0.0)
    means: Floats = (np.add.reduceat(top, starts[:-1]) / count).astype(np.float32)
    return means
