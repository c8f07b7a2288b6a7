"""
Features of tables: from the scores of a question, one row of numbers a table.

Every feature is a share, a rank, a z-score, a count or a flag; none is a name or a value of a
database.
"""

import numpy as np

from linker.ranking.evidence import Scores, log_rank, mean_of_best, of_best, standard
from linker.ranking.known import Named
from linker.ranking.roles import ROLES
from linker.ranking.table_words import Floats, Ints

# A table of so few columns is there to be looked up in, or to bring others together.
_SMALL = 8


def table_features(evidence: Scores) -> Named:
    """Each table by itself, compared with the others of the question."""
    matches, known = evidence.matches, evidence.known
    coverage = evidence.coverage
    importance = max(float(evidence.importance.sum()), 1e-6)
    names = evidence.name_covered.sum(axis=0) / importance
    best, best_columns = (
        matches.best_in_table(evidence.lexical),
        mean_of_best(evidence.lexical, matches.lexicon.starts),
    )
    count = len(known.lexicon.tables)
    sizes = known.sizes
    roles = known.lexicon.roles
    has_time, has_place = (
        matches.best_in_table(roles[:, ROLES.index(role)].astype(np.float32))
        for role in ("time", "place")
    )
    asks = matches.question.asks
    found: Named = {
        "coverage": coverage,
        "coverage_of_best": of_best(coverage),
        "coverage_rank": log_rank(coverage),
        "name_coverage_of_best": of_best(names),
        "table_name_score": evidence.table_name_score,
        "table_name_said": evidence.table_name_coverage,
        "table_name_unasked": standard(evidence.table_name_unasked),
        "table_spelt": evidence.table_spelt,
        "columns_spelt": matches.best_in_table(evidence.column_spelt),
        "schema_said": _schema_spoken(evidence),
        "table_name_span": np.minimum(evidence.table_span, 3),
        "table_description": of_best(matches.table_descriptions.sum(axis=0)),
        "best_column": of_best(best),
        "best_columns": of_best(best_columns),
        "best_columns_rank": log_rank(best_columns),
        "columns_named": np.log1p(matches.sum_in_table(evidence.name_span)),
        "columns_said": np.log1p(
            matches.sum_in_table(np.where(evidence.name_coverage > 0.75, 1.0, 0.0))
        ),
        "value_hit": matches.best_in_table(evidence.value_hits),
        "value_named": matches.best_in_table(matches.named),
        "only_here": _only_here(evidence),
        "size": np.log(sizes),
        "time_where_asked": has_time * ("time" in asks),
        "place_where_asked": has_place * ("place" in asks),
        "year_fits": _year_fits(evidence),
        "is_family": np.array([float(table.family is not None) for table in known.lexicon.tables]),
        "copies": np.log(known.sibling_counts),
        "worse_copy": _behind_sibling(evidence, coverage + 0.3 * evidence.table_name_coverage),
        "tables": np.full(count, np.log(max(len(known.lexicon.tables), 1))),
    }
    return {**found, **_dense(evidence)}


def neighbour_features(evidence: Scores, logits: Floats) -> Named:
    """Each table among its neighbours, given how likely each is by itself."""
    chances = 1 / (1 + np.exp(-logits))
    order = np.argsort(-logits, kind="stable")
    near = _neighbours(evidence, chances)
    covered = evidence.covered
    importance = max(float(evidence.importance.sum()), 1e-6)
    without_first, without_both = _gains(covered, order)
    return {
        "chance": logits,
        "chance_rank": log_rank(logits),
        "behind_best": logits - logits.max(initial=-20),
        "neighbour": near[0],
        "second_neighbour": near[1],
        "bridge": near[0] * near[1],
        "neighbour_when_unlikely": near[0] * (1 - chances),
        "adds_to_first": without_first / importance,
        "adds_to_two": without_both / importance,
        "less_than_copy": _behind_sibling(evidence, logits),
        "unasked_of_copy": standard(evidence.table_name_unasked)
        * (evidence.known.sibling_counts > 1),
        "named_after_likely": _named_after(evidence, chances),
        **_directed(evidence, chances),
        **_beyond_likelier(evidence, chances, order),
        "extra_unasked": extra_unasked(evidence, siblings_only=False),
        "extra_unasked_copy": extra_unasked(evidence, siblings_only=True),
        "neighbour_all_asked": near[0] * ("all" in evidence.matches.question.asks),
        "named_after_all_asked": _named_after(evidence, chances)
        * ("all" in evidence.matches.question.asks),
        "schema_of_best": _schema_of_best(evidence, order),
        "value_hit": evidence.matches.best_in_table(evidence.value_hits),
        "value_named": evidence.matches.best_in_table(evidence.matches.named),
        "tables": np.full(len(logits), np.log(max(len(evidence.known.lexicon.tables), 1))),
    }


def _schema_spoken(evidence: Scores) -> Floats:
    """The share of its schema's name that the question says, compared with the other schemas."""
    question_words = set(evidence.matches.question.words)
    shares: dict[str, float] = {}
    for schema, words in evidence.known.schema_words.items():
        meant = [word for word in words if word in question_words]
        shares[schema] = len(meant) / max(len(words), 1)
    found = np.array(
        [shares[table.ref.schema] for table in evidence.known.lexicon.tables], dtype=np.float32
    )
    return found - (float(np.mean(list(shares.values()))) if shares else 0.0)


def _only_here(evidence: Scores) -> Floats:
    """The share of the question that no other table meets as well."""
    covered = evidence.covered
    if covered.shape[1] < 2 or not len(covered):
        return np.zeros(covered.shape[1], dtype=np.float32)
    ordered = np.sort(covered, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    ahead = np.where(covered >= best, best - second, 0.0).sum(axis=0)
    share: Floats = ahead / max(float(evidence.importance.sum()), 1e-6)
    return share


def _year_fits(evidence: Scores) -> Floats:
    """1 where the table tells a year that is asked for, -1 where it tells others only, else 0."""
    years = evidence.matches.question.years
    fits = np.zeros(len(evidence.known.lexicon.tables), dtype=np.float32)
    for place, period in enumerate(evidence.known.years):
        if years and period:
            fits[place] = 1.0 if any(period[0] <= year <= period[1] for year in years) else -1.0
    return fits


def _behind_sibling(evidence: Scores, scores: Floats) -> Floats:
    """The distance of a table to the best of its siblings."""
    behind = np.zeros(len(scores), dtype=np.float32)
    for group in evidence.known.siblings:
        places = list(group)
        behind[places] = scores[places].max() - scores[places]
    return np.minimum(behind, 5)


def _dense(evidence: Scores) -> Named:
    dense, matches = evidence.matches.near, evidence.matches
    silent = np.zeros(len(matches.lexicon.tables), dtype=np.float32)
    if dense is None:
        return {
            "dense_best": silent,
            "dense_columns": silent,
            "dense_mean": silent,
            "dense_table": silent,
        }
    means = matches.sum_in_table(dense) / evidence.known.sizes
    return {
        "dense_best": standard(matches.best_in_table(dense)),
        "dense_columns": standard(mean_of_best(dense, matches.lexicon.starts)),
        "dense_mean": standard(means.astype(np.float32)),
        "dense_table": silent if matches.near_tables is None else standard(matches.near_tables),
    }


def _neighbours(evidence: Scores, chances: Floats) -> tuple[Floats, Floats]:
    """
    For each table the chances of its likeliest and its second likeliest neighbour, by how sure the
    join is.
    """
    graph = evidence.known.graph
    left, right = graph.left, graph.right
    count = len(chances)
    first, second = np.zeros(count, dtype=np.float32), np.zeros(count, dtype=np.float32)
    if not len(left):
        return first, second
    pair = left * count + right
    unique, place = np.unique(pair, return_inverse=True)
    sure = np.zeros(len(unique), dtype=np.float32)
    np.maximum.at(sure, place, graph.confidence)
    ends, others = unique // count, unique % count
    scores = sure * chances[others]
    np.maximum.at(first, ends, scores)
    is_first = scores >= first[ends]
    np.maximum.at(second, ends[~is_first], scores[~is_first])
    return first, second


def _directed(evidence: Scores, chances: Floats) -> Named:
    """The likeliest table that points to each, and the likeliest that each points to."""
    graph, count = evidence.known.graph, len(chances)
    lookup, detail = np.zeros(count, dtype=np.float32), np.zeros(count, dtype=np.float32)
    points = graph.confidence * graph.points * chances[graph.left]
    np.maximum.at(lookup, graph.right, points)
    pointed = graph.confidence * graph.points * chances[graph.right]
    np.maximum.at(detail, graph.left, pointed)
    sizes = evidence.known.sizes
    return {
        "lookup_of_likely": lookup,
        "small_lookup_of_likely": lookup * (sizes <= _SMALL),
        "detail_of_likely": detail,
        "small_detail_of_likely": detail * (sizes <= _SMALL),
    }


def _beyond_likelier(evidence: Scores, chances: Floats, order: Ints) -> Named:
    """
    The part of the question that no likelier table names as well, and the likeliest table that each
    joins.
    """
    graph, count = evidence.known.graph, len(chances)
    places = np.empty(count, dtype=np.int64)
    places[order] = np.arange(count)
    table_names = evidence.matches.table_names
    named = _beyond(evidence.name_covered, order) / max(float(evidence.importance.sum()), 1e-6)
    as_table = _beyond(table_names, order) / max(
        float(table_names.max(axis=1, initial=0.0).sum()), 1e-6
    )
    joins_likelier = np.zeros(count, dtype=np.float32)
    is_up = places[graph.right] < places[graph.left]
    np.maximum.at(
        joins_likelier, graph.left[is_up], (graph.confidence * chances[graph.right])[is_up]
    )
    return {
        "names_beyond_likelier": named,
        "table_name_beyond_likelier": as_table,
        "joins_likelier": joins_likelier,
    }


def _beyond(met: Floats, order: Ints) -> Floats:
    """For each table, by how much it meets the words better than all before it in the order."""
    in_order = met[:, order]
    before = np.maximum.accumulate(in_order, axis=1)[:, :-1]
    beyond = np.zeros(met.shape[1], dtype=np.float32)
    beyond[order[:1]] = in_order[:, :1].sum(axis=0)
    beyond[order[1:]] = np.maximum(in_order[:, 1:] - before, 0).sum(axis=0)
    return beyond


def _gains(covered: Floats, order: Ints) -> tuple[Floats, Floats]:
    """
    The part of the question that each table meets and that the likeliest, or the two likeliest, do
    not.
    """
    if not covered.shape[1]:
        return covered.sum(axis=0), covered.sum(axis=0)
    first = covered[:, order[0]]
    both = covered[:, order[:2]].max(axis=1)
    return (
        np.maximum(covered - first[:, None], 0).sum(axis=0),
        np.maximum(covered - both[:, None], 0).sum(axis=0),
    )


def _schema_of_best(evidence: Scores, order: Ints) -> Floats:
    tables = [table.ref.schema for table in evidence.known.lexicon.tables]
    if not tables:
        return np.zeros(0, dtype=np.float32)
    best = tables[int(order[0])]
    return np.array([float(schema == best) for schema in tables], dtype=np.float32)


def _named_after(evidence: Scores, chances: Floats) -> Floats:
    """The chance of the likeliest table whose whole name is part of the table's name."""
    longer, shorter = evidence.known.within
    best = np.zeros(len(chances), dtype=np.float32)
    np.maximum.at(best, longer, chances[shorter].astype(np.float32))
    return best


def extra_unasked(evidence: Scores, *, siblings_only: bool) -> Floats:
    """Flags of tables of which another has the same name but for words that nobody asked for."""
    longer, shorter = evidence.known.within
    numbers = evidence.known.sibling_numbers
    if siblings_only:
        same = (numbers[longer] >= 0) & (numbers[longer] == numbers[shorter])
        longer, shorter = longer[same], shorter[same]
    extra = np.zeros(len(evidence.known.lexicon.tables), dtype=np.float32)
    # The words that both have weigh the same in both, so what is not asked differs by the extra
    # words alone.
    named = evidence.matches.table_names.sum(axis=0)
    extra[longer[named[longer] <= named[shorter] * 1.001]] = 1.0
    return extra
