"""
Features of columns: from the scores of a question and the odds of tables, one row of numbers a
column.

Every feature is a share, a rank, a z-score, a count or a flag; none is a name or a value of a
database.
"""

import numpy as np

from linker.ranking.evidence import Scores, log_rank, log_rank_in_table, of_best, standard
from linker.ranking.known import Named
from linker.ranking.roles import ROLES
from linker.ranking.table_words import Floats, Ints

# Beyond that the place in a table says nothing: the widest tables are sorted by name.
_LAST_PLACE = 16
# Three further words say no more than many.
_MOST_EXTRA = 3


def column_features(evidence: Scores, table_logits: Floats) -> Named:
    """Each column, given how likely its table is."""
    chances = (1 / (1 + np.exp(-table_logits))).astype(np.float32)
    own = chances[evidence.known.lexicon.table_of]
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


def _words(evidence: Scores) -> Named:
    matches = evidence.matches
    names, descriptions = matches.names.sum(axis=0), matches.descriptions.sum(axis=0)
    paths, values = matches.paths.sum(axis=0), matches.values.sum(axis=0)
    coverage = evidence.name_coverage
    lengths = evidence.known.name_lengths
    return {
        "name": of_best(names),
        "path": of_best(paths),
        "description": of_best(descriptions),
        "values": of_best(values),
        "lexical": of_best(evidence.lexical),
        "lexical_rank": log_rank(evidence.lexical),
        "best_word": of_best(evidence.met.max(axis=0, initial=0.0)),
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


def _places(evidence: Scores) -> Named:
    known, matches = evidence.known, evidence.matches
    places = known.places
    sizes, trait = known.sizes[matches.lexicon.table_of], known.lexicon.trait
    is_described = trait("is_described")
    return {
        "rank_in_table": evidence.rank_in_table,
        "name_rank_in_table": log_rank_in_table(
            evidence.name_coverage + 0.1 * evidence.name_span,
            matches.lexicon.table_of,
            matches.lexicon.starts,
        ),
        "place": np.log(np.minimum(places, _LAST_PLACE)),
        "is_first": (places == 1).astype(np.float32),
        "table_size": np.log(sizes),
        "pool_size": np.full(len(places), np.log(max(len(places), 1)), dtype=np.float32),
        "depth": trait("depth"),
        "is_empty": trait("is_empty"),
        "fullness": known.fullness,
        "is_constant": trait("is_constant"),
        "shared_key": np.log(known.name_counts) * known.lexicon.roles[:, ROLES.index("key")],
        "name_count": np.log(known.name_counts),
        "is_described": is_described - float(is_described.mean() if len(is_described) else 0),
    }


def _kinds(evidence: Scores) -> Named:
    known, matches = evidence.known, evidence.matches
    roles = known.lexicon.roles.astype(np.float32)
    asks = matches.question.asks
    of = {role: roles[:, number] for number, role in enumerate(ROLES)}
    is_primary_name = of["name"] * (known.name_lengths <= 2)
    is_outer = known.lexicon.trait("depth") == 0
    has_number = float(any(phrase.isdigit() for phrase in matches.question.phrases))
    return {
        **{f"is_{role}": flags for role, flags in of.items()},
        "time_where_asked": of["time"] * ("time" in asks),
        "time_type_where_asked": of["time_type"] * ("time" in asks),
        "plain_time_where_asked": of["time"]
        * ("time" in asks)
        * (known.name_lengths == 1)
        * is_outer,
        "year_where_asked": of["time"] * bool(matches.question.years),
        "place_where_asked": np.maximum(of["place"], of["place_type"]) * ("place" in asks),
        "place_type_where_asked": of["place_type"] * ("place" in asks),
        "name_where_asked": of["name"] * ("name" in asks),
        "short_name": is_primary_name,
        "amount_where_measured": np.maximum(of["amount"], of["fraction_type"])
        * ("measure" in asks),
        "number_where_asked": of["number_type"] * (1 - of["key"]) * has_number,
        "key_where_counted": of["key"] * ("number" in asks),
        "group_where_grouped": of["group"] * ("group" in asks),
    }


def _tables(evidence: Scores, logits: Floats) -> Named:
    matches = evidence.matches
    of = matches.lexicon.table_of
    chances = 1 / (1 + np.exp(-logits))
    rank = log_rank(logits)[of]
    behind = (logits - logits.max(initial=-20))[of]
    chance = chances[of]
    asks_all = float("all" in matches.question.asks)
    known = evidence.known
    is_bare = 1.0 - float(known.lexicon.trait("is_described").any())
    coverage = evidence.name_coverage
    return {
        "table_chance": logits[of],
        "table_probability": chance,
        "table_rank": rank,
        "table_behind": behind,
        "table_all_asked": logits[of] * asks_all,
        "all_asked": np.full(len(of), asks_all, dtype=np.float32),
        "rank_in_table_all_asked": evidence.rank_in_table * asks_all,
        "table_of_bare": logits[of] * is_bare,
        "said_in_likely": coverage * chance,
        "lexical_in_likely": of_best(evidence.lexical * (0.05 + chance)),
        "value_hit_in_likely": evidence.value_hits * chance,
        "value_named_in_likely": matches.named * chance,
        "fullness_in_likely": known.fullness * chance,
        "shared_key_in_likely": np.log(known.name_counts)
        * known.lexicon.roles[:, ROLES.index("key")]
        * chance,
        "rank_in_likely": evidence.rank_in_table * chance,
        "place_in_likely": np.log(np.minimum(known.places, _LAST_PLACE)) * chance,
        "size_in_likely": np.log(known.sizes[of]) * chance,
        "key_in_likely": known.lexicon.roles[:, ROLES.index("key")] * chance,
        "time_in_likely": known.lexicon.roles[:, ROLES.index("time")]
        * chance
        * ("time" in matches.question.asks),
        "short_name_in_likely": known.lexicon.roles[:, ROLES.index("name")] * chance,
    }


def _named_things(evidence: Scores, chances: Floats) -> Named:
    """
    Where a place is named, it stands in some column of places; what is quoted stands in a text.
    """
    known, question = evidence.known, evidence.matches.question
    of = {
        role: known.lexicon.roles[:, number].astype(np.float32) for number, role in enumerate(ROLES)
    }
    place = np.maximum(of["place"], of["place_type"])
    other = np.maximum.reduce(
        [of[f"{kind}_type"] for kind in ("number", "time", "boolean", "place", "open")]
    )
    text = (1 - other) * (1 - of["key"])
    is_quoted = float(bool(question.quoted))
    return {
        "place_where_named": place * question.names_place,
        "place_named_in_likely": place * question.names_place * chances,
        "text": text,
        "text_where_quoted": text * is_quoted,
        "text_quoted_in_likely": text * is_quoted * chances,
        "group_where_quoted": of["group"] * is_quoted,
        "name_where_quoted": of["name"] * is_quoted,
    }


def _longer_names(evidence: Scores, chances: Floats) -> Named:
    """
    `confirmed_male` beside `confirmed`: a name that is longer than another of its table by words
    nobody said.
    """
    lexicon = evidence.known.lexicon
    unspoken = np.concatenate([[0.0], np.cumsum(1 - evidence.spoken[lexicon.name_words.words])])
    begins = np.cumsum(lexicon.name_words.lengths) - lexicon.name_words.lengths
    first, last = lexicon.extra.T
    unspoken = np.minimum(unspoken[begins + last] - unspoken[begins + first], _MOST_EXTRA).astype(
        np.float32
    )
    extended = np.log1p(lexicon.extended).astype(np.float32)
    return {
        "extends": (last > first).astype(np.float32),
        "extends_unsaid": unspoken,
        "extends_unsaid_in_likely": unspoken * chances,
        "extended": extended,
        "extended_in_likely": extended * chances,
        "extended_said": extended * evidence.name_coverage,
    }


def _joins(evidence: Scores, chances: Floats, own: Floats) -> Named:
    """
    Features of joins: does the column lead to a likely table, and do columns of its name stand in
    likelier ones?
    """
    known, graph = evidence.known, evidence.known.graph
    leads = np.zeros(len(known.lexicon.refs), dtype=np.float32)
    np.maximum.at(leads, graph.left_column, graph.confidence * chances[graph.right])
    groups = known.name_groups
    best = np.zeros(int(groups.max(initial=0)) + 1, dtype=np.float32)
    np.maximum.at(best, groups, own)
    elsewhere = np.maximum(best[groups] - own, 0.0)
    is_key = known.lexicon.roles[:, ROLES.index("key")]
    return {
        "leads": leads,
        "leads_from_likely": leads * own,
        "leads_much": np.sqrt(leads * own),
        "name_in_likelier": elsewhere,
        "key_name_in_likelier": elsewhere * is_key,
        "joins": (leads > 0).astype(np.float32),
    }


def _dense(evidence: Scores) -> Named:
    matches = evidence.matches
    if matches.near is None:
        silent = np.zeros(len(matches.lexicon.refs), dtype=np.float32)
        return {
            "dense": silent,
            "dense_rank": silent,
            "dense_in_table": silent,
            "dense_rank_in_table": silent,
        }
    means = (matches.sum_in_table(matches.near) / evidence.known.sizes)[matches.lexicon.table_of]
    spread = max(float(matches.near.std()), 1e-6)
    return {
        "dense": standard(matches.near),
        "dense_rank": log_rank(matches.near),
        "dense_in_table": np.clip((matches.near - means) / spread, -4, 4),
        "dense_rank_in_table": log_rank_in_table(
            matches.near, matches.lexicon.table_of, matches.lexicon.starts
        ),
    }


def twin_features(evidence: Scores, table_logits: Floats, logits: Floats) -> Named:
    """Each column among the others, given how likely each is by itself."""
    matches, known = evidence.matches, evidence.known
    of = matches.lexicon.table_of
    groups = known.name_groups
    best, second = _two_best(logits, groups)
    twin = np.where(logits >= best[groups], second[groups], best[groups])
    chances = 1 / (1 + np.exp(-table_logits))
    own = logits - matches.best_in_table(logits)[of]
    rank_in_table = log_rank_in_table(logits, of, matches.lexicon.starts)
    is_key = known.lexicon.roles[:, ROLES.index("key")]
    return {
        "chance": logits,
        "chance_rank": log_rank(logits),
        "behind_best": logits - logits.max(initial=-20),
        "behind_table": own,
        "rank_in_table": rank_in_table,
        "twin": np.maximum(twin, -10),
        "twin_ahead": np.clip(twin - logits, 0, 6),
        "twin_ahead_in_likely": np.clip(twin - logits, 0, 6) * chances[of],
        "key_twin_ahead": np.clip(twin - logits, 0, 6) * is_key,
        "has_twin": (twin > -10).astype(np.float32),
        "table_chance": table_logits[of],
        "table_rank": log_rank(table_logits)[of],
        "carries": evidence.carries[0],
        "carries_alone": evidence.carries[1],
        "spelt": evidence.column_spelt,
    }


def _two_best(scores: Floats, groups: Ints) -> tuple[Floats, Floats]:
    """The best and the second best score of each group."""
    best = np.full(int(groups.max(initial=0)) + 1, -20.0, dtype=np.float32)
    np.maximum.at(best, groups, scores)
    second = np.full(len(best), -20.0, dtype=np.float32)
    first = np.zeros(len(scores), dtype=bool)
    order = np.lexsort((-scores, groups))
    first[order[np.concatenate([[True], groups[order][1:] != groups[order][:-1]])]] = True
    np.maximum.at(second, groups[~first], scores[~first])
    return best, second
