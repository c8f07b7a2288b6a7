"""The wheel holds each file that the code reads: setup.cfg names it beside the package it lies in."""

import configparser
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

# What lies in the folders of the wheel and is read by people, or is code itself.
NOT_DATA = (".py", ".md", ".png")


def packages(setup: configparser.ConfigParser) -> dict[str, str]:
    """The packages of the wheel by the folders that they are made of."""
    places = dict(
        line.split(" = ") for line in setup["options"]["package_dir"].strip().splitlines()
    )
    names = setup["options"]["packages"].split()
    return {places.get(name, name.replace(".", "/")): name for name in names}


def not_packaged(checkout: Path) -> Iterator[str]:
    """The files of the wheel's folders that no pattern of setup.cfg names."""
    setup = configparser.ConfigParser()
    setup.read(checkout / "setup.cfg", "utf-8")
    by_folder, patterns = packages(setup), setup["options.package_data"]
    command = ["git", "ls-files", "linker", "models", "macros", "profiles"]
    listed = subprocess.run(command, cwd=checkout, check=True, capture_output=True, text=True)
    for file in map(PurePosixPath, listed.stdout.splitlines()):
        folder = file.parent
        while folder.name and str(folder) not in by_folder:
            folder = folder.parent
        package = by_folder.get(str(folder), "")
        given = [pattern.strip() for pattern in patterns.get(package, "").split(",")]
        inside = str(file.relative_to(folder))
        if file.suffix not in NOT_DATA and not any(fnmatch(inside, each) for each in given):
            yield str(file)


def test_every_file_that_is_no_code_is_packaged(checkout: Path) -> None:
    assert list(not_packaged(checkout)) == []


def test_every_line_of_package_data_names_a_package(checkout: Path) -> None:
    setup = configparser.ConfigParser()
    setup.read(checkout / "setup.cfg", "utf-8")
    assert set(setup["options.package_data"]) <= set(packages(setup).values())
