"""
Deals tests out to processes: enters what was collected, leaves which tests one process runs, and in
what order.
"""

import pytest
from xdist.scheduler import LoadFileScheduling

# What is built once for all tests of a folder; the longest come first.
_TOGETHER = (
    "tests/profile/",
    "tests/warehouse/",
    "tests/e2e/",
    "tests/export/",
    "tests/golden/",
    "tests/demo/",
)


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # it comes without types
    """
    One process runs all tests of a file, or of a folder whose files share what is built for them.
    """

    def _split_scope(self, nodeid: str) -> str:
        folder = _folder(nodeid)
        return nodeid.partition("::")[0] if folder is None else _TOGETHER[folder]


def longest_first(items: list[pytest.Item]) -> None:
    """Put the tests of those folders before all others, folder by folder."""
    items.sort(
        key=lambda item: len(_TOGETHER) if (folder := _folder(item.nodeid)) is None else folder
    )


def _folder(nodeid: str) -> int | None:
    return next(
        (place for place, folder in enumerate(_TOGETHER) if nodeid.startswith(folder)), None
    )
