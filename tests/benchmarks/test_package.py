"""The benchmarks as a package beside linker, which does not know it."""

import tomllib
from pathlib import Path

from linker.evaluation.suites import SUITES, registered_suites, suite_reader
from tests.test_shape import MODULES, help_and_imports, imports_of

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def test_nothing_of_linker_imports_the_benchmarks_or_names_a_module_of_theirs() -> None:
    for path in MODULES:
        assert not any(name.startswith("benchmarks") for name in imports_of(path)), path
        assert "benchmarks.suites" not in path.read_text("utf-8"), path


def test_its_packages_are_its_folders() -> None:
    listed = tomllib.loads((FOLDER / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"][
        "packages"
    ]
    folders = {path.parent for path in FOLDER.rglob("*") if path.suffix in (".py", ".j2")}
    assert set(listed) == {".".join(folder.relative_to(FOLDER.parent).parts) for folder in folders}


def test_public_suites_are_listed_beside_those_of_linker_and_nothing_heavy_is_imported() -> None:
    assert len(registered_suites()) == 9
    assert all(suite_reader(name).description for name in (*SUITES, *registered_suites()))
    assert help_and_imports("spider2-lite", "eval", "--help") == "True []"
