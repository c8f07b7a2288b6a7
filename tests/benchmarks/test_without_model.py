"""The strategies that `make eval` measures without a language model."""

from benchmarks.linking import WITHOUT_MODEL
from linker.strategies import open_strategy


def test_what_is_measured_without_a_model_exists_and_needs_none() -> None:
    assert not [
        name for name in WITHOUT_MODEL if getattr(open_strategy(name), "needs_model", False)
    ]
