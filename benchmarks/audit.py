"""
Licences of what is installed, and known advisories of the versions in requirements.txt: `make
audit`.

Exit code: 1 a licence of the GPL or AGPL alone, 2 known advisories, 3 no answer from the services
of advisories.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[1]
UVX = str(Path(sys.executable).with_name("uvx"))
# The services of pip-audit, in this order, with an address of each; mirrors of PyPI lack its JSON
# pages.
SERVICES = {"pypi": "https://pypi.org/pypi/NAME/VERSION/json", "osv": "https://api.osv.dev"}
REFUSED_LICENSE, ADVISORIES, NO_SERVICE = 1, 2, 3
# Not the LGPL, which allows to import a package.
_COPYLEFT = re.compile(r"(?<!L)GPL|GNU (Affero )?General Public License")
_MOST_NAMES = 10


def main() -> int:
    """Print the licences, then the problems found, and return the exit code."""
    licenses = read_licenses()
    for license_name, packages in by_license(licenses):
        click.echo(f"{license_name}: {', '.join(packages)}")
    refused = [package for package, license_name in licenses if is_refused(license_name)]
    for package in refused:
        click.echo(f"{package}: licensed under the GPL or AGPL alone", err=True)
    advisories, unknown = read_advisories()
    for package, advisory in advisories:
        click.echo(f"{package}: {advisory}", err=True)
    if unknown:
        click.echo(f"neither PyPI nor osv.dev answered for {shorten(unknown)}", err=True)
        click.echo(
            f"advisories unknown; run again where {' or '.join(SERVICES.values())} answers",
            err=True,
        )
    else:
        click.echo(f"known advisories in requirements.txt: {len(advisories)}", err=True)
    if refused:
        return REFUSED_LICENSE
    if advisories:
        return ADVISORIES
    return NO_SERVICE if unknown else 0


def read_licenses() -> list[tuple[str, str]]:
    """The name and version of each installed package, with its licence in one line."""
    listed = run_tool("pip-licenses", "--python", sys.executable, "--format", "json")
    if listed.returncode:
        sys.exit(f"pip-licenses: {listed.stderr.strip()}")
    found = []
    for package in json.loads(listed.stdout):
        # Some packages have the whole text in place of a name.
        lines = package["License"].splitlines() or ["UNKNOWN"]
        found.append((f"{package['Name']} {package['Version']}", lines[0]))
    return found


def by_license(licenses: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """The packages of each licence."""
    names: dict[str, list[str]] = {}
    for name, license_name in licenses:
        names.setdefault(license_name, []).append(name)
    return sorted(names.items())


def is_refused(license_name: str) -> bool:
    """Whether a package offers the GPL or AGPL and no other licence."""
    # Classifiers are separated by a semicolon.
    choices = re.split(r"; | OR ", license_name)
    return all(_COPYLEFT.search(choice) for choice in choices)


def read_advisories() -> tuple[list[tuple[str, str]], list[str]]:
    """
    The advisories of the first service that knows all packages, else of the last that answered.

    Beside them, the packages whose advisories are unknown.
    """
    advisories: list[tuple[str, str]] = []
    unknown = ["all packages"]
    for service in SERVICES:
        report = ask_service(service)
        if report is None:
            continue
        advisories = list(advisories_in(report))
        unknown = [package["name"] for package in report if "skip_reason" in package]
        if not unknown:
            break
    return advisories, unknown


def ask_service(service: str) -> list[dict[str, Any]] | None:
    """The report of pip-audit on each package; None if the service cannot be reached."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "report.json"
        audited = ["--requirement", str(ROOT / "requirements.txt"), "--require-hashes"]
        written = ["--format", "json", "--desc", "off", "--output", str(output)]
        run_tool(
            "pip-audit", "--disable-pip", "--vulnerability-service", service, *audited, *written
        )
        if not output.is_file():
            return None
        report: list[dict[str, Any]] = json.loads(output.read_text("utf-8"))["dependencies"]
        return report


def advisories_in(report: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Each advisory, with the package that it is about."""
    for package in report:
        for advisory in package.get("vulns", ()):
            fixed_in = ", ".join(advisory["fix_versions"]) or "no release"
            package_version = f"{package['name']} {package['version']}"
            yield package_version, f"{advisory['id']}, fixed in {fixed_in}"


def shorten(names: list[str]) -> str:
    """The first names, and the number of the others."""
    shown = ", ".join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} others" if more > 0 else shown


def run_tool(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a tool that uvx installs for this call."""
    variables = {**os.environ, "UV_SYSTEM_CERTS": "1"}
    command = [UVX, "--quiet", *words]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)  # noqa: S603 - words of this module


if __name__ == "__main__":
    sys.exit(main())
