"""Distributes tests over processes, and orders the tests of each."""

import pytest
from xdist.scheduler import LoadFileScheduling

# Fixtures built once per folder of tests; the longest come first.
_TOGETHER = (
    "tests/profile/",
    "tests/warehouse/",
    "tests/e2e/",
    "tests/export/",
    "tests/golden/",
    "tests/demo/",
)
# Of whose files each begins with runs of its own: what takes a minute is not left to the end.
_EARLY = ("tests/refresh/", "tests/contract/", "tests/guard/")
# Left to `make test-integration`: folders and files that run dbt or a command of the product for
# nearly each test, need a database server or a browser, or run whole corpora in two databases.
_INTEGRATION = (
    "tests/benchmarks/",
    "tests/contract/",
    "tests/e2e/",
    "tests/export/",
    "tests/profile/",
    "tests/refresh/",
    "tests/warehouse/",
    "tests/demo/test_warehouse.py",
    "tests/guard/test_keyword_functions.py",
    "tests/guard/test_same_rows.py",
    "tests/guard/test_two_worlds.py",
    "tests/unit/test_bad_inputs.py",
    "tests/unit/test_privacy.py",
    "tests/unit/test_profiling.py",
    "tests/unit/test_schema_copies.py",
)
# Of those, the way from an empty folder to an answer, and golden files.
_NO_INTEGRATION = (
    "tests/benchmarks/test_figures.py",
    "tests/benchmarks/test_prompts.py",
    "tests/e2e/test_demo.py",
)


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # it comes without types
    """
    One process runs all tests of a file, or of a folder whose files share what is built for them.
    """

    def _split_scope(self, nodeid: str) -> str:
        together = next((folder for folder in _TOGETHER if nodeid.startswith(folder)), "")
        return together or nodeid.partition("::")[0]


def is_integration(nodeid: str) -> bool:
    """Tell if a test is left to `make test-integration`."""
    return nodeid.startswith(_INTEGRATION) and not nodeid.startswith(_NO_INTEGRATION)


def longest_first(items: list[pytest.Item]) -> None:
    """Put the tests of those folders before all others, folder by folder."""
    folders = (*_TOGETHER, *_EARLY)
    items.sort(key=lambda item: _place(item.nodeid, folders))


def _place(nodeid: str, folders: tuple[str, ...]) -> int:
    """The place of its folder among these, after the last one where it is in none."""
    found = (place for place, folder in enumerate(folders) if nodeid.startswith(folder))
    return next(found, len(folders))
