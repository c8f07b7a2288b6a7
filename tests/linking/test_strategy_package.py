"""A strategy from an installed third-party package."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from linker.errors import ConfigError
from linker.linking.assemble_result import replay
from linker.strategies import STRATEGIES, open_strategy, strategy_names
from tests.linking.scripted_linkers import linked, names, record

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "strategy_package"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example package, built from a copy to keep the checkout clean."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    for file in ("pyproject.toml", "README.md", "whole_tables/__init__.py"):
        (source / file).parent.mkdir(parents=True, exist_ok=True)
        (source / file).write_bytes((EXAMPLE / file).read_bytes())
    words = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    target = folder / "target"
    subprocess.run(
        [sys.executable, *words, "--target", str(target), str(source)],
        check=True,
        capture_output=True,
    )
    return target


@pytest.fixture
def beside_linker(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is on Python's import path."""
    monkeypatch.syspath_prepend(str(installed))
    assert "linker-whole-tables" in {one.name for one in metadata.distributions()}


@pytest.mark.usefixtures("beside_linker")
def test_a_strategy_of_an_installed_package_is_taken_by_its_name(shop: Path) -> None:
    schema = linked(shop, "whole_tables", None, column_budget=6)
    assert schema.strategy == "whole_tables"
    # The orders have six columns, and they come whole.
    assert {one for one in names(schema) if one.startswith("sales.orders.")} == {
        f"sales.orders.{path}"
        for path in ("order_id", "customer_id", "status", "amount", "ordered_on", "etl_batch")
    }
    assert replay(record(shop, schema)) == schema


@pytest.mark.usefixtures("beside_linker")
def test_it_is_listed_with_the_others() -> None:
    assert set(strategy_names()) >= {*STRATEGIES, "whole_tables"}
    with pytest.raises(ConfigError) as caught:
        open_strategy("nothing")
    assert "whole_tables" in caught.value.hint


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("evilink = broken:Nothing", None),
        ("broken = nowhere_at_all:Strategy", "No module named 'nowhere_at_all'"),
        ("broken = pathlib:Nothing", "has no attribute 'Nothing'"),
        ("broken = datetime:date", "missing required argument|function missing|required argument"),
        ("broken = threading:Lock", "is not a `linker.strategies.Strategy`"),
    ],
)
def test_a_package_that_is_not_whole_is_named_with_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, said: str | None
) -> None:
    folder = tmp_path / "some_package-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: some-package\nVersion: 1\n", "utf-8"
    )
    (folder / "entry_points.txt").write_text(f"[linker.strategies]\n{entry}\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    if said is None:
        # What ships with linker cannot be replaced.
        assert type(open_strategy("evilink")).__module__ == "linker.strategies.evilink"
        return
    with pytest.raises(ConfigError, match=said) as caught:
        open_strategy("broken")
    assert "some-package" in caught.value.what
