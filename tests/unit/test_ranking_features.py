"""Every ranking feature has a weight or is declared unfitted."""

import numpy as np
import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.features import (
    column_features,
    context_features,
    neighbour_features,
    table_features,
)
from linker.ranking.lexical_match import (
    NO_SIGNALS,
    MatchFeatures,
    RetrievalSignals,
    compute_match_features,
    match,
)
from linker.ranking.query_analysis import analyse
from linker.ranking.ranker import rank
from linker.ranking.weights import RANKING_STAGES, UNFITTED, read_weights
from linker.retrieval.hits import RefScores
from linker.types import Catalog, ColumnRef, Table
from tests.tables import table

CATALOG = Catalog(
    (table("orders", "order_id", "city"), table("customers", "customer_id", "city")), 2
)


def computed_features() -> dict[str, set[str]]:
    """The names of the features of each stage, as a question of a small shop has them."""
    known = build_catalog_index(CATALOG)
    evidence = compute_match_features(
        known, match(analyse("orders by city"), known.lexicon, NO_SIGNALS)
    )
    weights = read_weights()
    first = weights.tables.logits(table_features(evidence))
    tables = weights.neighbours.logits(neighbour_features(evidence, first))
    columns = column_features(evidence, tables)
    context = context_features(evidence, tables, weights.columns.logits(columns))
    return dict(
        zip(
            RANKING_STAGES,
            map(
                set,
                (table_features(evidence), neighbour_features(evidence, first), columns, context),
            ),
            strict=True,
        )
    )


@pytest.mark.parametrize("stage", RANKING_STAGES)
def test_every_feature_of_the_ranking_has_a_weight_or_is_declared_unfitted(stage: str) -> None:
    unweighed = computed_features()[stage] - set(getattr(read_weights(), stage).features) - UNFITTED
    assert not unweighed, (
        f"the stage `{stage}` computes {', '.join(sorted(unweighed))}, which the shipped weights do not know, so it "
        f"changes nothing: fit the weights anew (`linker tune`), or name it in `UNFITTED` of linker/ranking/weights.py"
    )


@pytest.mark.parametrize("stage", RANKING_STAGES)
def test_every_weight_belongs_to_a_feature_that_is_computed(stage: str) -> None:
    assert set(getattr(read_weights(), stage).features) - computed_features()[stage] == set()


def test_what_is_declared_unfitted_is_computed_and_has_no_weight() -> None:
    computed = set().union(*computed_features().values())
    weighed = {
        feature for stage in RANKING_STAGES for feature in getattr(read_weights(), stage).features
    }
    assert computed & UNFITTED == UNFITTED
    assert weighed & UNFITTED == set()


def evidence_of(question: str, *tables: Table) -> MatchFeatures:
    """The scores of a question to a shop, by words alone."""
    known = build_catalog_index(Catalog(tables, len(tables)))
    return compute_match_features(known, match(analyse(question), known.lexicon, NO_SIGNALS))


def test_a_name_that_is_longer_than_another_says_by_how_many_words_nobody_asked_for() -> None:
    cases = table(
        "cases", "confirmed", "confirmed_male", "new_confirmed", "confirmed_first_week", "day"
    )
    evidence = evidence_of("confirmed male cases", cases)
    features = column_features(evidence, np.zeros(1, dtype=np.float32))
    assert features["extends"].tolist() == [0, 1, 1, 1, 0]
    assert features["extends_unsaid"].round(3).tolist() == [0, 0, 1, 2, 0]
    # `confirmed` occurs in three longer names, and the longest of them is not `confirmed_male` with
    # one more word.
    assert np.expm1(features["extended"]).round(3).tolist() == [3, 0, 0, 0, 0]


def test_a_table_says_more_than_likelier_ones_where_it_names_what_they_do_not() -> None:
    shop = (
        table("orders", "order_id", "city"),
        table("orders_old", "order_id", "city"),
        table("refunds", "reason"),
    )
    evidence = evidence_of("orders and refunds", *shop)
    features = neighbour_features(evidence, np.array([2.0, 1.0, 0.0], dtype=np.float32))
    beyond = features["table_name_beyond_likelier"]
    assert beyond[0] > 0
    assert beyond[1] == 0
    assert beyond[2] > 0
    joined = features["joins_likelier"]
    # The likeliest has none before it; nothing leads to refunds.
    assert joined[0] == joined[2] == 0 < joined[1]


@pytest.mark.parametrize(
    ("question", "is_named"),
    [
        ("How did cases grow in the United States?", True),
        ("Sales in New York, by month", True),
        ("Kunden aus Österreich", True),
        ("Which U.S. banks failed?", True),
        ("Which of us sold most turkey sandwiches?", False),
        ("Which New products came in 2024?", False),
    ],
)
def test_a_country_or_a_state_is_known_by_its_capital(question: str, is_named: bool) -> None:
    assert analyse(question).names_place is is_named


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How often did engines end a race?", 0.3),
        ("How often did engines end a 'Race'?", 1.0),
        ("Who was hurt in a practice?", 1.0),
    ],
)
def test_a_value_that_is_what_a_table_is_about_counts_little_unless_it_is_quoted(
    question: str, named: float
) -> None:
    tables = (table("races", "race_id", "year"), table("accidents", "accident_id", "session"))
    session = ColumnRef(tables[1].ref, "session")
    facts = Facts({session: ColumnFacts(values=("Race", "Practice"))})
    known = build_catalog_index(Catalog(tables, 2), facts)
    matches = match(
        analyse(question), known.lexicon, RetrievalSignals(values=RefScores.create({session: 1.0}))
    )
    place = known.lexicon.refs.index(session)
    assert matches.named[place] == pytest.approx(named)


def test_the_comment_of_a_table_counts_for_what_it_covers() -> None:
    terms = replace(
        table("onsite_kw", "phrase", "hits"),
        description="What visitors typed into the search box of the shop",
    )
    reviews = table("reviews", "nine_box", "employee_id")
    known = build_catalog_index(Catalog((reviews, terms), 2))
    question = "What do people type into the search box of the shop?"
    ranked = rank(question, known, read_weights())
    names = [item.ref.name for item in known.lexicon.tables]
    assert names[ranked.evidence.coverage.argmax()] == "onsite_kw"
    assert names[ranked.tables.argmax()] == "onsite_kw"
