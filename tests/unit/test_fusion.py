"""Reciprocal rank fusion as documented."""

from hypothesis import given
from hypothesis import strategies as st

from linker.index import Ranking
from linker.retrieval.hybrid import fuse

rankings = st.dictionaries(
    st.sampled_from(["dense", "lexical", "value"]),
    st.lists(st.integers(0, 30), unique=True, max_size=20),
    min_size=1,
)
WEIGHTS = {"dense": 1.0, "lexical": 0.5, "value": 2.0}


def scored(found: dict[str, list[int]]) -> dict[str, Ranking]:
    result: dict[str, Ranking] = {}
    for name, items in found.items():
        result[name] = Ranking.create(items, [1 / (1 + place) for place in range(len(items))])
    return result


def test_two_rankings_are_fused_by_their_ranks() -> None:
    fused = fuse(
        {"dense": Ranking.create([7, 8], [0.9, 0.8]), "lexical": Ranking.create([8], [7.0])},
        WEIGHTS,
        limit=9,
    )
    assert [*fused] == [(8, (1 / 62 + 0.5 / 61) / (1.5 / 61)), (7, (1 / 61) / (1.5 / 61))]


@given(rankings)
def test_nothing_is_lost_and_nothing_comes_twice(found: dict[str, list[int]]) -> None:
    fused = fuse(scored(found), WEIGHTS, limit=1000)
    assert sorted(fused.items) == sorted({item for items in found.values() for item in items})


@given(rankings)
def test_scores_fall_from_at_most_one(found: dict[str, list[int]]) -> None:
    scores = fuse(scored(found), WEIGHTS, limit=1000).scores.tolist()
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 + 1e-9 for score in scores)


@given(rankings)
def test_what_is_first_everywhere_is_first(found: dict[str, list[int]]) -> None:
    with_best = {name: [99, *items] for name, items in found.items()}
    [(best, score)] = fuse(scored(with_best), WEIGHTS, limit=1)
    assert best == 99
    assert abs(score - 1) < 1e-9


@given(rankings, st.integers(0, 10))
def test_a_limit_keeps_the_beginning(found: dict[str, list[int]], limit: int) -> None:
    assert [*fuse(scored(found), WEIGHTS, limit=limit)] == [
        *fuse(scored(found), WEIGHTS, limit=1000)
    ][:limit]


@given(st.lists(st.integers(0, 2**40), unique=True, max_size=20))
def test_one_ranking_alone_keeps_its_order(items: list[int]) -> None:
    assert fuse(scored({"dense": items}), WEIGHTS, limit=100).items.tolist() == items
