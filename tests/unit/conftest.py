"""Shared fixtures: the family macros in a DuckDB per file."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from tests.families import Merging
from tests.rendering import Rendering


@pytest.fixture(scope="module")
def merging(rendering: Callable[[str], Rendering]) -> Iterator[Merging]:
    """All tests of a file merge in the same one."""
    with closing(Merging(rendering("duckdb"))) as opened:
        yield opened
