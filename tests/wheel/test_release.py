"""Files of `make release`: the dbt package installed by `dbt deps`, and the bundle."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import duckdb
import pytest

from linker import __version__

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `dist` of a clean clone after a release whose wheel is tried elsewhere."""
    clone = tmp_path_factory.mktemp("release") / "dbt-linker"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    subprocess.run(["git", "tag", "--force", f"v{__version__}"], cwd=clone, check=True)
    done = subprocess.run(
        [clone / ".ci" / "release", "--quick"],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Nothing is uploaded." in done.stderr
    # What is left to do is said before the build and after it.
    assert done.stderr.count(f"the tag v{__version__} is there already") == 2
    return clone / "dist"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served on this machine."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_release_holds_four_files(released: Path) -> None:
    assert sorted(path.name for path in released.iterdir()) == [
        f"dbt-linker-{__version__}.mcpb",
        f"dbt_linker-{__version__}-py3-none-any.whl",
        f"dbt_linker-{__version__}.tar.gz",
        f"dbt_linker_package-{__version__}.tar.gz",
    ]
    archive = released / f"dbt_linker_package-{__version__}.tar.gz"
    assert archive.stat().st_size < 600_000


def test_the_bundle_has_what_a_client_needs_and_less_than_a_megabyte(released: Path) -> None:
    bundle = released / f"dbt-linker-{__version__}.mcpb"
    assert bundle.stat().st_size < 1_000_000
    with zipfile.ZipFile(bundle) as archive:
        names = set(archive.namelist())
        manifest = json.loads(archive.read("manifest.json"))
    assert names == {"manifest.json", "pyproject.toml", "server.py"}
    assert manifest["server"]["entry_point"] in names


def test_dbt_installs_the_package_from_its_archive_and_profiles_with_it(
    released: Path, tmp_path: Path
) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as warehouse:
        warehouse.execute("create table orders as select range as order_id from range(5)")
    output = {"type": "duckdb", "path": str(tmp_path / "shop.duckdb"), "schema": "main"}
    profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    project = {"name": "shop", "version": "1.0", "profile": "shop"}
    (tmp_path / "dbt_project.yml").write_text(json.dumps(project), "utf-8")
    with served(released) as address:
        package = {
            "tarball": f"{address}/dbt_linker_package-{__version__}.tar.gz",
            "name": "linker",
        }
        (tmp_path / "packages.yml").write_text(json.dumps({"packages": [package]}), "utf-8")
        for words in (("deps",), ("run", "--select", "package:linker")):
            command = [sys.executable, "-m", "dbt.cli.main", *words, "--profiles-dir", "."]
            done = subprocess.run(
                command, cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout
    with duckdb.connect(str(tmp_path / "shop.duckdb"), read_only=True) as warehouse:
        found = warehouse.execute("select table_name from main_linker.linker_tables").fetchall()
    assert found == [("orders",)]
