"""Features of the ranking and the weights that ship: whatever is computed is weighed, or declared as unfitted."""

import pytest

from linker.ranking.column_features import column_features, twin_features
from linker.ranking.evidence import gather
from linker.ranking.known import know
from linker.ranking.matching import NO_SIGNALS, match
from linker.ranking.question import analyse
from linker.ranking.table_features import neighbour_features, table_features
from linker.ranking.weights import RANKING_STAGES, UNFITTED, read_weights
from linker.types import Catalog
from tests.tables import table

CATALOG = Catalog((table("orders", "order_id", "city"), table("customers", "customer_id", "city")), 2)


def computed_features() -> dict[str, set[str]]:
    """The names of the features of each stage, as a question of a small shop has them."""
    known = know(CATALOG)
    evidence = gather(known, match(analyse("orders by city"), known.lexicon, NO_SIGNALS))
    weights = read_weights()
    first = weights.tables.logits(table_features(evidence))
    tables = weights.neighbours.logits(neighbour_features(evidence, first))
    columns = column_features(evidence, tables)
    twins = twin_features(evidence, tables, weights.columns.logits(columns))
    return dict(
        zip(
            RANKING_STAGES,
            map(set, (table_features(evidence), neighbour_features(evidence, first), columns, twins)),
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
    weighed = {feature for stage in RANKING_STAGES for feature in getattr(read_weights(), stage).features}
    assert computed & UNFITTED == UNFITTED
    assert weighed & UNFITTED == set()
