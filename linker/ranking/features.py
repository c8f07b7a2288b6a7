"""
Features of tables and columns for one question, one row each.

Every feature is a share, rank, z-score, count or flag; none depends on names or values of a
database.
"""

import numpy as np

from linker.ranking.catalog_index import Named
from linker.ranking.lexical_match import (
    MatchFeatures,
    lead,
    log_rank,
    log_rank_in_table,
    mean_of_best,
    of_best,
    standard,
)
from linker.ranking.table_tokens import ROLES, Floats, Ints

# Positions beyond are uninformative, since the widest tables are sorted by name.
_LAST_PLACE = 16
# Further extra words do not matter.
_MAX_EXTRA = 3

# Maximum columns of a lookup or link table.
_SMALL = 8


def column_features(evidence: MatchFeatures, table_logits: Floats) -> Named:
    """Features of columns, given table log-odds."""
    chances = (1 / (1 + np.exp(-table_logits))).astype(np.float32)
    own = chances[evidence.index.lexicon.table_of]
    return {
        **_words(evidence),
        **_places(evidence),
        **_kinds(evidence),
        **_tables(evidence, table_logits),
        **_joins(evidence, chances, own),
        **_named_things(evidence, own),
        **_longer_names(evidence, own),
        **_dense(evidence),
    }


def _words(evidence: MatchFeatures) -> Named:
    matches = evidence.matches
    names, descriptions = matches.names.sum(axis=0), matches.descriptions.sum(axis=0)
    paths, values = matches.paths.sum(axis=0), matches.values.sum(axis=0)
    coverage = evidence.name_coverage
    lengths = evidence.index.name_lengths
    return {
        "name": of_best(names),
        "path": of_best(paths),
        "description": of_best(descriptions),
        "values": of_best(values),
        "lexical": of_best(evidence.lexical),
        "lexical_rank": log_rank(evidence.lexical),
        "best_word": of_best(evidence.term_scores.max(axis=0, initial=0.0)),
        "name_said": coverage,
        "long_name_said": coverage * (lengths > 1),
        "name_said_whole": (coverage > 0.9).astype(np.float32),
        "spelt": evidence.column_spelt,
        "name_span": np.minimum(evidence.name_span, 3),
        "value_hit": evidence.value_hits,
        "value_named": matches.named,
        "carries": evidence.carries[0],
        "carries_alone": evidence.carries[1],
    }


def _places(evidence: MatchFeatures) -> Named:
    index, matches = evidence.index, evidence.matches
    indexes = index.places
    sizes, trait = index.sizes[matches.lexicon.table_of], index.lexicon.trait
    is_described = trait("is_described")
    return {
        "rank_in_table": evidence.rank_in_table,
        "name_rank_in_table": log_rank_in_table(
            evidence.name_coverage + 0.1 * evidence.name_span,
            matches.lexicon.table_of,
            matches.lexicon.starts,
        ),
        "place": np.log(np.minimum(indexes, _LAST_PLACE)),
        "is_first": (indexes == 1).astype(np.float32),
        "table_size": np.log(sizes),
        "pool_size": np.full(len(indexes), np.log(max(len(indexes), 1)), dtype=np.float32),
        "depth": trait("depth"),
        "is_empty": trait("is_empty"),
        "fullness": index.fullness,
        "is_constant": trait("is_constant"),
        "shared_key": np.log(index.name_counts) * index.lexicon.roles[:, ROLES.index("key")],
        "name_count": np.log(index.name_counts),
        "is_described": is_described - float(is_described.mean() if len(is_described) else 0),
    }


def _kinds(evidence: MatchFeatures) -> Named:
    index, matches = evidence.index, evidence.matches
    roles = index.lexicon.roles.astype(np.float32)
    asks = matches.question.asks
    role_flags = {role: roles[:, number] for number, role in enumerate(ROLES)}
    is_primary_name = role_flags["name"] * (index.name_lengths <= 2)
    is_outer = index.lexicon.trait("depth") == 0
    has_number = float(any(phrase.isdigit() for phrase in matches.question.phrases))
    return {
        **{f"is_{role}": flags for role, flags in role_flags.items()},
        "time_where_asked": role_flags["time"] * ("time" in asks),
        "time_type_where_asked": role_flags["time_type"] * ("time" in asks),
        "plain_time_where_asked": role_flags["time"]
        * ("time" in asks)
        * (index.name_lengths == 1)
        * is_outer,
        "year_where_asked": role_flags["time"] * bool(matches.question.years),
        "place_where_asked": np.maximum(role_flags["place"], role_flags["place_type"])
        * ("place" in asks),
        "place_type_where_asked": role_flags["place_type"] * ("place" in asks),
        "name_where_asked": role_flags["name"] * ("name" in asks),
        "short_name": is_primary_name,
        "amount_where_measured": np.maximum(role_flags["amount"], role_flags["fraction_type"])
        * ("measure" in asks),
        "number_where_asked": role_flags["number_type"] * (1 - role_flags["key"]) * has_number,
        "key_where_counted": role_flags["key"] * ("number" in asks),
        "group_where_grouped": role_flags["group"] * ("group" in asks),
    }


def _tables(evidence: MatchFeatures, logits: Floats) -> Named:
    matches = evidence.matches
    table_of = matches.lexicon.table_of
    chances = 1 / (1 + np.exp(-logits))
    rank = log_rank(logits)[table_of]
    behind = (logits - logits.max(initial=-20))[table_of]
    chance = chances[table_of]
    asks_all = float("all" in matches.question.asks)
    index = evidence.index
    is_bare = 1.0 - float(index.lexicon.trait("is_described").any())
    coverage = evidence.name_coverage
    return {
        "table_chance": logits[table_of],
        "table_probability": chance,
        "table_rank": rank,
        "table_behind": behind,
        "table_all_asked": logits[table_of] * asks_all,
        "all_asked": np.full(len(table_of), asks_all, dtype=np.float32),
        "rank_in_table_all_asked": evidence.rank_in_table * asks_all,
        "table_of_bare": logits[table_of] * is_bare,
        "said_in_likely": coverage * chance,
        "lexical_in_likely": of_best(evidence.lexical * (0.05 + chance)),
        "value_hit_in_likely": evidence.value_hits * chance,
        "value_named_in_likely": matches.named * chance,
        "fullness_in_likely": index.fullness * chance,
        "shared_key_in_likely": np.log(index.name_counts)
        * index.lexicon.roles[:, ROLES.index("key")]
        * chance,
        "rank_in_likely": evidence.rank_in_table * chance,
        "place_in_likely": np.log(np.minimum(index.places, _LAST_PLACE)) * chance,
        "size_in_likely": np.log(index.sizes[table_of]) * chance,
        "key_in_likely": index.lexicon.roles[:, ROLES.index("key")] * chance,
        "time_in_likely": index.lexicon.roles[:, ROLES.index("time")]
        * chance
        * ("time" in matches.question.asks),
        "short_name_in_likely": index.lexicon.roles[:, ROLES.index("name")] * chance,
    }


def _named_things(evidence: MatchFeatures, chances: Floats) -> Named:
    """Match of place names with place columns, and of quotations with text columns."""
    index, question = evidence.index, evidence.matches.question
    role_flags = {
        role: index.lexicon.roles[:, number].astype(np.float32) for number, role in enumerate(ROLES)
    }
    location = np.maximum(role_flags["place"], role_flags["place_type"])
    other = np.maximum.reduce(
        [role_flags[f"{kind}_type"] for kind in ("number", "time", "boolean", "place", "open")]
    )
    text = (1 - other) * (1 - role_flags["key"])
    is_quoted = float(bool(question.quoted))
    return {
        "place_where_named": location * question.names_place,
        "place_named_in_likely": location * question.names_place * chances,
        "text": text,
        "text_where_quoted": text * is_quoted,
        "text_quoted_in_likely": text * is_quoted * chances,
        "group_where_quoted": role_flags["group"] * is_quoted,
        "name_where_quoted": role_flags["name"] * is_quoted,
    }


def _longer_names(evidence: MatchFeatures, chances: Floats) -> Named:
    """`confirmed_male` beside `confirmed`: a longer name in the table, with unrequested words."""
    lexicon = evidence.index.lexicon
    unmatched = np.concatenate(
        [[0.0], np.cumsum(1 - evidence.word_shares[lexicon.name_words.words])]
    )
    begins = np.cumsum(lexicon.name_words.lengths) - lexicon.name_words.lengths
    first, last = lexicon.extra.T
    unmatched = np.minimum(unmatched[begins + last] - unmatched[begins + first], _MAX_EXTRA).astype(
        np.float32
    )
    extended = np.log1p(lexicon.extended).astype(np.float32)
    return {
        "extends": (last > first).astype(np.float32),
        "extends_unsaid": unmatched,
        "extends_unsaid_in_likely": unmatched * chances,
        "extended": extended,
        "extended_in_likely": extended * chances,
        "extended_said": extended * evidence.name_coverage,
    }


def _joins(evidence: MatchFeatures, chances: Floats, own: Floats) -> Named:
    """
    Join features: whether a column references a probable table, or has its name in more probable
    ones.
    """
    index, graph = evidence.index, evidence.index.graph
    leads = np.zeros(len(index.lexicon.refs), dtype=np.float32)
    np.maximum.at(leads, graph.left_column, graph.confidence * chances[graph.right])
    groups = index.name_groups
    best = np.zeros(int(groups.max(initial=0)) + 1, dtype=np.float32)
    np.maximum.at(best, groups, own)
    elsewhere = np.maximum(best[groups] - own, 0.0)
    is_key = index.lexicon.roles[:, ROLES.index("key")]
    return {
        "leads": leads,
        "leads_from_likely": leads * own,
        "leads_much": np.sqrt(leads * own),
        "name_in_likelier": elsewhere,
        "key_name_in_likelier": elsewhere * is_key,
        "joins": (leads > 0).astype(np.float32),
    }


def _dense(evidence: MatchFeatures) -> Named:
    matches = evidence.matches
    if matches.near is None:
        silent = np.zeros(len(matches.lexicon.refs), dtype=np.float32)
        return {
            "dense": silent,
            "dense_rank": silent,
            "dense_in_table": silent,
            "dense_rank_in_table": silent,
        }
    means = (matches.sum_in_table(matches.near) / evidence.index.sizes)[matches.lexicon.table_of]
    spread = max(float(matches.near.std()), 1e-6)
    return {
        "dense": standard(matches.near),
        "dense_rank": log_rank(matches.near),
        "dense_in_table": np.clip((matches.near - means) / spread, -4, 4),
        "dense_rank_in_table": log_rank_in_table(
            matches.near, matches.lexicon.table_of, matches.lexicon.starts
        ),
    }


def context_features(evidence: MatchFeatures, table_logits: Floats, logits: Floats) -> Named:
    """Features of columns among each other, given their log-odds."""
    matches, index = evidence.matches, evidence.index
    table_of = matches.lexicon.table_of
    groups = index.name_groups
    best, second = _two_best(logits, groups)
    same_name = np.where(logits >= best[groups], second[groups], best[groups])
    chances = 1 / (1 + np.exp(-table_logits))
    own = logits - matches.best_in_table(logits)[table_of]
    rank_in_table = log_rank_in_table(logits, table_of, matches.lexicon.starts)
    is_key = index.lexicon.roles[:, ROLES.index("key")]
    return {
        "chance": logits,
        "chance_rank": log_rank(logits),
        "behind_best": logits - logits.max(initial=-20),
        "behind_table": own,
        "rank_in_table": rank_in_table,
        "same_name": np.maximum(same_name, -10),
        "same_name_ahead": np.clip(same_name - logits, 0, 6),
        "same_name_ahead_in_likely": np.clip(same_name - logits, 0, 6) * chances[table_of],
        "key_same_name_ahead": np.clip(same_name - logits, 0, 6) * is_key,
        "has_same_name": (same_name > -10).astype(np.float32),
        "table_chance": table_logits[table_of],
        "table_rank": log_rank(table_logits)[table_of],
        "carries": evidence.carries[0],
        "carries_alone": evidence.carries[1],
        "spelt": evidence.column_spelt,
    }


def _two_best(scores: Floats, groups: Ints) -> tuple[Floats, Floats]:
    """Best and second-best score per group."""
    best = np.full(int(groups.max(initial=0)) + 1, -20.0, dtype=np.float32)
    np.maximum.at(best, groups, scores)
    second = np.full(len(best), -20.0, dtype=np.float32)
    first = np.zeros(len(scores), dtype=bool)
    order = np.lexsort((-scores, groups))
    first[order[np.concatenate([[True], groups[order][1:] != groups[order][:-1]])]] = True
    np.maximum.at(second, groups[~first], scores[~first])
    return best, second


def table_features(evidence: MatchFeatures) -> Named:
    """Features of tables by themselves."""
    matches, index = evidence.matches, evidence.index
    coverage = evidence.coverage
    importance = max(float(evidence.importance.sum()), 1e-6)
    names = evidence.name_covered.sum(axis=0) / importance
    best = matches.best_in_table(evidence.lexical)
    best_columns = mean_of_best(evidence.lexical, matches.lexicon.starts)
    features: Named = {
        "coverage": coverage,
        "coverage_of_best": of_best(coverage),
        "coverage_rank": log_rank(coverage),
        "name_coverage_of_best": of_best(names),
        "table_name_score": evidence.table_name_score,
        "table_name_said": evidence.table_name_coverage,
        "table_name_unasked": standard(evidence.table_name_unasked),
        "table_spelt": evidence.table_spelt,
        "columns_spelt": matches.best_in_table(evidence.column_spelt),
        "schema_said": _schema_coverage(evidence),
        "table_name_span": np.minimum(evidence.table_span, 3),
        "table_description": of_best(matches.table_descriptions.sum(axis=0)),
        "best_column": of_best(best),
        "best_columns": of_best(best_columns),
        "columns_named": np.log1p(matches.sum_in_table(evidence.name_span)),
        "columns_said": np.log1p(
            matches.sum_in_table(np.where(evidence.name_coverage > 0.75, 1.0, 0.0))
        ),
        "value_hit": matches.best_in_table(evidence.value_hits),
        "value_named": matches.best_in_table(matches.named),
        "only_here": _only_here(evidence),
        "size": np.log(index.sizes),
        "year_fits": _year_fits(evidence),
    }
    return {**features, **_dense_of_tables(evidence)}


def neighbour_features(evidence: MatchFeatures, logits: Floats) -> Named:
    """Features of tables among neighbours, given their log-odds."""
    chances = 1 / (1 + np.exp(-logits))
    order = np.argsort(-logits, kind="stable")
    near = _neighbours(evidence, chances)
    return {
        "chance": logits,
        "chance_rank": log_rank(logits),
        "behind_best": logits - logits.max(initial=-20),
        "neighbour": near[0],
        "second_neighbour": near[1],
        "bridge": near[0] * near[1],
        "adds_to_first": _adds_to_first(evidence, order),
        **_directed(evidence, chances),
        **_beyond_likelier(evidence, chances, order),
        "neighbour_all_asked": near[0] * ("all" in evidence.matches.question.asks),
        "schema_of_best": _schema_of_best(evidence, order),
        "value_hit": evidence.matches.best_in_table(evidence.value_hits),
        "value_named": evidence.matches.best_in_table(evidence.matches.named),
    }


def _schema_coverage(evidence: MatchFeatures) -> Floats:
    """Share of the schema's name in the question, relative to other schemas."""
    question_words = set(evidence.matches.question.words)
    shares: dict[str, float] = {}
    for schema, words in evidence.index.schema_words.items():
        meant = [word for word in words if word in question_words]
        shares[schema] = len(meant) / max(len(words), 1)
    share_of_table = np.array(
        [shares[table.ref.schema] for table in evidence.index.lexicon.tables], dtype=np.float32
    )
    return share_of_table - (float(np.mean(list(shares.values()))) if shares else 0.0)


def _only_here(evidence: MatchFeatures) -> Floats:
    """Share of the question that no other table matches as well."""
    covered = evidence.covered
    if covered.shape[1] < 2 or not len(covered):
        return np.zeros(covered.shape[1], dtype=np.float32)
    ordered = np.sort(covered, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    ahead = np.where(covered >= best, best - second, 0.0).sum(axis=0)
    share: Floats = ahead / max(float(evidence.importance.sum()), 1e-6)
    return share


def _year_fits(evidence: MatchFeatures) -> Floats:
    """1 if a table has a requested year, -1 if only others, else 0."""
    years = evidence.matches.question.years
    fits = np.zeros(len(evidence.index.lexicon.tables), dtype=np.float32)
    for index, period in enumerate(evidence.index.years):
        if years and period:
            fits[index] = 1.0 if any(period[0] <= year <= period[1] for year in years) else -1.0
    return fits


def _dense_of_tables(evidence: MatchFeatures) -> Named:
    dense, matches = evidence.matches.near, evidence.matches
    silent = np.zeros(len(matches.lexicon.tables), dtype=np.float32)
    if dense is None:
        return {
            "dense_best_lead": silent,
            "dense_columns_lead": silent,
            "dense_mean": silent,
            "dense_table_lead": silent,
        }
    means = matches.sum_in_table(dense) / evidence.index.sizes
    return {
        "dense_best_lead": lead(matches.best_in_table(dense)),
        "dense_columns_lead": lead(mean_of_best(dense, matches.lexicon.starts)),
        "dense_mean": standard(means.astype(np.float32)),
        "dense_table_lead": silent if matches.near_tables is None else lead(matches.near_tables),
    }


def _neighbours(evidence: MatchFeatures, chances: Floats) -> tuple[Floats, Floats]:
    """Probabilities of the two best neighbours, weighted by join confidence."""
    graph = evidence.index.graph
    left, right = graph.left, graph.right
    count = len(chances)
    first, second = np.zeros(count, dtype=np.float32), np.zeros(count, dtype=np.float32)
    if not len(left):
        return first, second
    pair = left * count + right
    unique, index = np.unique(pair, return_inverse=True)
    sure = np.zeros(len(unique), dtype=np.float32)
    np.maximum.at(sure, index, graph.confidence)
    ends, others = unique // count, unique % count
    scores = sure * chances[others]
    np.maximum.at(first, ends, scores)
    is_first = scores >= first[ends]
    np.maximum.at(second, ends[~is_first], scores[~is_first])
    return first, second


def _directed(evidence: MatchFeatures, chances: Floats) -> Named:
    """The most probable table that references each, and that each references."""
    graph, count = evidence.index.graph, len(chances)
    lookup, detail = np.zeros(count, dtype=np.float32), np.zeros(count, dtype=np.float32)
    points = graph.confidence * graph.points * chances[graph.left]
    np.maximum.at(lookup, graph.right, points)
    pointed = graph.confidence * graph.points * chances[graph.right]
    np.maximum.at(detail, graph.left, pointed)
    sizes = evidence.index.sizes
    return {
        "lookup_of_likely": lookup,
        "small_lookup_of_likely": lookup * (sizes <= _SMALL),
        "detail_of_likely": detail,
        "small_detail_of_likely": detail * (sizes <= _SMALL),
    }


def _beyond_likelier(evidence: MatchFeatures, chances: Floats, order: Ints) -> Named:
    """
    Share of the question that no more probable table matches, and the most probable joined table.
    """
    graph, count = evidence.index.graph, len(chances)
    indexes = np.empty(count, dtype=np.int64)
    indexes[order] = np.arange(count)
    table_names = evidence.matches.table_names
    named = _beyond(evidence.name_covered, order) / max(float(evidence.importance.sum()), 1e-6)
    as_table = _beyond(table_names, order) / max(
        float(table_names.max(axis=1, initial=0.0).sum()), 1e-6
    )
    joins_likelier = np.zeros(count, dtype=np.float32)
    is_up = indexes[graph.right] < indexes[graph.left]
    np.maximum.at(
        joins_likelier, graph.left[is_up], (graph.confidence * chances[graph.right])[is_up]
    )
    return {
        "names_beyond_likelier": named,
        "table_name_beyond_likelier": as_table,
        "joins_likelier": joins_likelier,
    }


def _beyond(score: Floats, order: Ints) -> Floats:
    """How much better each table matches terms than all before it."""
    in_order = score[:, order]
    before = np.maximum.accumulate(in_order, axis=1)[:, :-1]
    beyond = np.zeros(score.shape[1], dtype=np.float32)
    beyond[order[:1]] = in_order[:, :1].sum(axis=0)
    beyond[order[1:]] = np.maximum(in_order[:, 1:] - before, 0).sum(axis=0)
    return beyond


def _adds_to_first(evidence: MatchFeatures, order: Ints) -> Floats:
    """Share of the question matched beyond the top table."""
    covered = evidence.covered
    first = covered[:, order[:1]]
    share: Floats = np.maximum(covered - first, 0).sum(axis=0)
    return share / max(float(evidence.importance.sum()), 1e-6)


def _schema_of_best(evidence: MatchFeatures, order: Ints) -> Floats:
    tables = [table.ref.schema for table in evidence.index.lexicon.tables]
    if not tables:
        return np.zeros(0, dtype=np.float32)
    best = tables[int(order[0])]
    return np.array([float(schema == best) for schema in tables], dtype=np.float32)


def extra_unasked(evidence: MatchFeatures, *, siblings_only: bool) -> Floats:
    """Tables whose name extends another's by unrequested words."""
    longer, shorter = evidence.index.within
    numbers = evidence.index.sibling_numbers
    if siblings_only:
        same = (numbers[longer] >= 0) & (numbers[longer] == numbers[shorter])
        longer, shorter = longer[same], shorter[same]
    extra = np.zeros(len(evidence.index.lexicon.tables), dtype=np.float32)
    # Shared words weigh the same in both, so only the extra words differ.
    named = evidence.matches.table_names.sum(axis=0)
    extra[longer[named[longer] <= named[shorter] * 1.001]] = 1.0
    return extra
