"""Deals tests out to processes: enters what was collected, leaves which tests one process runs, and in what order."""

import pytest
from xdist.scheduler import LoadFileScheduling

# What is built once for all tests of a folder; as they take longest, they come first.
_TOGETHER = ("tests/warehouse/", "tests/e2e/", "tests/demo/")


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # it comes without types
    """One process runs all tests of a file, or of a folder whose files share what is built for them."""

    def _split_scope(self, nodeid: str) -> str:
        folder = next((folder for folder in _TOGETHER if nodeid.startswith(folder)), None)
        return folder or nodeid.partition("::")[0]


def longest_first(items: list[pytest.Item]) -> None:
    """Put the tests of those folders before all others, in their order."""
    items.sort(key=lambda item: not item.nodeid.startswith(_TOGETHER))
