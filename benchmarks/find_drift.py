"""
Precision and recall of `linker diff` on changed demos: `make test-drift`.

For each seed, `benchmarks.drift` changes a copy of the demo, `linker refresh` updates it, and the
diff is compared with the changes. Exits with 1 on a missed or false change.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.drift import Drift, drift_warehouse

Change = tuple[str, str, str | None]


@dataclass(frozen=True)
class Found:
    """One seed: changes made, changes reported, and the duration of the refresh."""

    seed: int
    changed: list[Drift]
    reported: set[Change]
    seconds: float

    @property
    def expected(self) -> set[Change]:
        """Changes to report; a new daily shard is none."""
        return {
            (change.kind, change.table, change.column)
            for change in self.changed
            if change.kind != "shard"
        }

    @property
    def missed(self) -> set[Change]:
        """Changes that were not reported."""
        return self.expected - self.reported

    @property
    def following(self) -> set[Change]:
        """Reports that follow from a change of the same column, or of the table's rows."""
        changed = {(table, column) for _, table, column in self.expected}
        return {
            change
            for change in self.reported - self.expected
            if (change[1], change[2]) in changed or ("rows", change[1], None) in self.expected
        }

    @property
    def false(self) -> set[Change]:
        """Reports without a related change."""
        return self.reported - self.expected - self.following


def main() -> None:
    """One line per seed, then all missed and false changes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="linker-drift-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        linker(folder / "base", "demo", "--scale", str(arguments.scale))
        found = [drifted(folder, seed) for seed in range(1, arguments.seeds + 1)]
    lines = [
        (
            "| seed | changed | found | missed | told besides, of what was changed | told without "
            "a cause | refresh |"
        )
    ]
    lines.append("|---|---|---|---|---|---|---|")
    for result in found:
        counts = (
            len(result.expected),
            len(result.expected & result.reported),
            len(result.missed),
            len(result.following),
            len(result.false),
        )
        lines.append(f"| {result.seed} | {' | '.join(map(str, counts))} | {result.seconds:.0f} s |")
    for result in found:
        lines += (f"seed {result.seed}: {name}: {change}" for name, change in wrong(result))
    sys.stdout.write("\n".join([*lines, ""]))
    if any(result.missed or result.false for result in found):
        raise SystemExit(1)


def drifted(folder: Path, seed: int) -> Found:
    """Change a copy of the demo, refresh it, and read the reported changes."""
    own = folder / str(seed)
    # With the owners of its files: the embedded Postgres is a user of its own where root runs this.
    subprocess.run(["cp", "-a", str(folder / "base"), str(own)], check=True)  # noqa: S603, S607
    changed = drift_warehouse(own / ".linker" / "demo" / "warehouse.duckdb", seed)
    started = time.perf_counter()
    linker(own, "refresh", "--target", "demo")
    seconds = time.perf_counter() - started
    reported = json.loads(linker(own, "diff", "--target", "demo", "--format", "json"))
    shutil.rmtree(own)
    return Found(seed, changed, set(reported_changes(reported)), seconds)


def reported_changes(record: dict[str, Any]) -> list[Change]:
    """Reported changes by kind, table and column."""
    reported: list[Change] = []
    for table in record["tables"]:
        name = f"{table['schema']}.{table['table']}"
        reported += [(table["change"], name, None)] if table["change"] != "changed" else []
        reported += [("rows", name, None)] if table["row_count_changed"] else []
        for column in table["columns"]:
            reported += (
                [(column["change"], name, column["column"])]
                if column["change"] != "changed"
                else []
            )
            reported += [(change["kind"], name, column["column"]) for change in column["changes"]]
    return reported


def wrong(found: Found) -> list[tuple[str, str]]:
    """Missed and false changes."""
    parts = (
        ("missed", found.missed),
        ("besides", found.following),
        ("without a cause", found.false),
    )
    lines = list[tuple[str, str]]()
    for name, changes in parts:
        for kind, table, column in sorted(changes, key=str):
            lines.append((name, f"{kind} of {'.'.join(filter(None, (table, column)))}"))
    return lines


def linker(folder: Path, *words: str) -> str:
    """Output of the command in a folder, without the user's settings."""
    folder.mkdir(exist_ok=True)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LINKER_", "DBT_"))
    }
    command = [str(Path(sys.executable).with_name("linker")), *words]
    done = subprocess.run(  # noqa: S603 - our own words
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"linker {' '.join(words)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
