"""Suites from entry points of other packages."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from linker.cli import main
from linker.errors import ConfigError
from linker.evaluation.suites import SUITES, open_suite, suite_reader


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one suite in the format of golden questions."""
    (tmp_path / "shop_suite.py").write_text(
        "from linker.evaluation.suites import SuiteReader\n"
        "shop = SuiteReader('A shop.', 'linker.evaluation.golden:read')\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def register(package: Path, entry: str) -> None:
    """The package names its suite."""
    folder = package / "some_package-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: some-package\nVersion: 1\n", "utf-8"
    )
    (folder / "entry_points.txt").write_text(f"[linker.suites]\n{entry}\n", "utf-8")


def test_a_suite_of_another_package_is_a_command_with_its_description(package: Path) -> None:
    register(package, "shop = shop_suite:shop")
    file = package / "shop.yml"
    file.write_text("- {id: q1, question: How many, gold_columns: t.id}\n", "utf-8")
    listed = CliRunner().invoke(main, ["eval", "--help"]).stdout
    [line] = [line for line in listed.splitlines() if line.split()[:1] == ["shop"]]
    assert line.endswith("A shop.")
    assert CliRunner().invoke(main, ["eval", "shop", "--help"]).exit_code == 0
    assert [question.id for question in open_suite("shop", file).questions] == ["q1"]


def test_what_ships_with_linker_cannot_be_replaced(package: Path) -> None:
    register(package, "demo = shop_suite:shop")
    assert suite_reader("demo") is SUITES["demo"]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("broken = nowhere_at_all:suite", "cannot be opened: No module named 'nowhere_at_all'"),
        ("broken = shop_suite:nothing", "has no attribute 'nothing'"),
        ("broken = shop_suite:SuiteReader", "is not a SuiteReader"),
    ],
)
def test_a_package_that_is_not_whole_is_named_and_the_others_stay_listed(
    package: Path, entry: str, problem: str
) -> None:
    register(package, entry)
    with pytest.raises(ConfigError, match=problem) as caught:
        suite_reader("broken")
    assert "some-package" in caught.value.what
    listed = CliRunner().invoke(main, ["eval", "--help"])
    assert listed.exit_code == 0
    assert "The demo warehouse and its questions." in listed.stdout
    assert "the suite `broken` of the package" in " ".join(listed.stdout.split())


def test_an_unknown_suite_names_those_that_there_are_and_how_the_public_ones_come() -> None:
    done = CliRunner().invoke(main, ["eval", "spider"])
    assert done.exit_code == 2
    assert "no suite is called `spider`" in done.stderr
    assert all(name in done.stderr for name in SUITES)
    assert "`pip install -e benchmarks` in a checkout" in done.stderr
