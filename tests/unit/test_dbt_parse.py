"""Parsing of the dbt project."""

from pathlib import Path
from typing import Any


def test_dbt_finds_nothing_to_warn_of(checkout: Path, tmp_path: Path) -> None:
    """Such as descriptions of missing macros or wrong arguments."""
    from dbt.cli.main import dbtRunner

    warnings: list[str] = []

    def note(event: Any) -> None:
        if event.info.level in ("warn", "error"):
            warnings.append(event.info.msg)

    where = (
        "--project-dir",
        str(checkout),
        "--profiles-dir",
        str(checkout / "profiles"),
        "--target",
        "duckdb",
    )
    paths = ("--target-path", str(tmp_path), "--log-path", str(tmp_path), "--no-partial-parse")
    done = dbtRunner(callbacks=[note]).invoke(
        ["--quiet", "--no-send-anonymous-usage-stats", "parse", *where, *paths]
    )
    assert (done.success, warnings) == (True, [])
