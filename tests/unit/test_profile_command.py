"""`linker profile`: one-line errors."""

import json
from pathlib import Path

from click.testing import CliRunner

from linker.cli import main


def test_a_full_plan_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    """The warehouse does not exist and is not opened."""
    output = {"type": "duckdb", "path": str(tmp_path / "missing" / "warehouse.duckdb")}
    (tmp_path / "profiles.yml").write_text(
        json.dumps({"shop": {"target": "dev", "outputs": {"dev": output}}}), "utf-8"
    )
    flags = [
        "--profiles-dir",
        str(tmp_path),
        "--profile",
        "shop",
        "--state-dir",
        str(tmp_path / "state"),
    ]
    done = CliRunner().invoke(main, ["profile", *flags, "--plan", "--full"])
    assert done.exit_code == 2
    assert done.stdout == ""
    [said] = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert said == "Error: --plan and --full exclude each other: with --full every table is scanned"
    assert not (tmp_path / "state").exists()
