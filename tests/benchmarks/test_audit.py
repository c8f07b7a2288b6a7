"""The verdicts of `make audit`, on licences and reports as packages and pip-audit write them."""

from typing import Any

from benchmarks.audit import advisories_in, by_license, is_refused


def test_the_gpl_and_agpl_are_refused_unless_a_package_offers_another_licence() -> None:
    refused = (
        "GPL-3.0-or-later",
        "AGPL-3.0-only",
        "GNU General Public License v2 (GPLv2)",
        "GNU Affero General Public License v3 or later (AGPLv3+)",
        "GPL-2.0-only OR AGPL-3.0-only",
    )
    accepted = (
        "MIT",
        "LGPL-3.0-only",
        "GNU Library or Lesser General Public License (LGPL)",
        "GNU Lesser General Public License v3 (LGPLv3)",
        "MIT OR GPL-3.0-only",
        # text-unidecode, a package that dbt needs.
        "Artistic License; GNU General Public License (GPL)",
        "UNKNOWN",
    )
    assert [name for name in refused if not is_refused(name)] == []
    assert [name for name in accepted if is_refused(name)] == []


def test_packages_are_listed_by_licence() -> None:
    licenses = [("a 1", "MIT"), ("b 2", "ISC"), ("c 3", "MIT")]
    assert by_license(licenses) == [("ISC", ["b 2"]), ("MIT", ["a 1", "c 3"])]


def test_each_advisory_names_its_package_and_the_release_that_fixes_it() -> None:
    vulnerability = {"id": "PYSEC-2019-179", "fix_versions": ["1.0"], "aliases": []}
    without_fix = {"id": "GHSA-aaaa", "fix_versions": [], "aliases": []}
    report: list[dict[str, Any]] = [
        {"name": "flask", "version": "0.5", "vulns": [vulnerability, without_fix]},
        {"name": "click", "version": "8.1.8", "vulns": []},
        {"name": "agate", "skip_reason": "not found"},
    ]
    assert list(advisories_in(report)) == [
        ("flask 0.5", "PYSEC-2019-179, fixed in 1.0"),
        ("flask 0.5", "GHSA-aaaa, fixed in no release"),
    ]
