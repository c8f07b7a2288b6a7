"""Deals tests out to processes: one runs all of a file, and all of e2e, whose demo is built once."""

from xdist.scheduler import LoadFileScheduling


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # it comes without types
    """By file, or by what several files share."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return "tests/e2e" if file.startswith("tests/e2e/") else file
