"""The suggested installation command of an extra."""

import json
from pathlib import Path

import pytest

from linker.config.installed import install_command
from linker.dbt.runner import explained


def installed(folder: Path, origin: dict[str, object] | None) -> list[str]:
    """
    A search path with linker as pip leaves it: a record of the package, and where it came from.
    """
    record = folder / "site-packages" / "dbt_linker-0.1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: dbt-linker\nVersion: 0.1.0\n", "utf-8"
    )
    if origin:
        (record / "direct_url.json").write_text(json.dumps(origin), "utf-8")
    return [str(record.parent)]


@pytest.mark.parametrize(
    "origin",
    [
        None,
        {
            "archive_info": {"hashes": {"sha256": "0"}},
            "url": "file:///tmp/dbt_linker-0.1.0-py3-none-any.whl",
        },
        {"vcs_info": {"vcs": "git", "commit_id": "0"}, "url": "https://example.com/dbt-linker.git"},
    ],
    ids=["index", "file of a wheel", "git"],
)
def test_from_a_wheel_an_extra_is_installed_by_the_name_of_the_package(
    tmp_path: Path, origin: dict[str, object] | None
) -> None:
    assert (
        install_command("postgres", installed(tmp_path, origin))
        == "pip install 'dbt-linker[postgres]'"
    )


def test_from_a_checkout_an_extra_is_installed_by_the_folder_of_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "my checkout"
    checkout.mkdir()
    search_path = installed(tmp_path, {"dir_info": {}, "url": checkout.as_uri()})
    assert install_command("postgres", search_path) == f"pip install '{checkout}[postgres]'"
    monkeypatch.chdir(checkout)
    assert install_command("postgres", search_path) == "pip install '.[postgres]'"


def test_a_checkout_that_is_used_in_place_stays_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_path = installed(tmp_path, {"dir_info": {"editable": True}, "url": tmp_path.as_uri()})
    monkeypatch.chdir(tmp_path)
    assert install_command("postgres", search_path) == "pip install --editable '.[postgres]'"


def test_the_record_of_a_build_in_the_checkout_hides_nothing(tmp_path: Path) -> None:
    built = tmp_path / "dbt_linker.egg-info"
    built.mkdir()
    (built / "PKG-INFO").write_text(
        "Metadata-Version: 2.1\nName: dbt-linker\nVersion: 0.1.0\n", "utf-8"
    )
    search_path = [str(tmp_path), *installed(tmp_path, {"dir_info": {}, "url": tmp_path.as_uri()})]
    assert install_command("snowflake", search_path) == f"pip install '{tmp_path}[snowflake]'"


@pytest.mark.parametrize("adapter", ["postgres", "snowflake", "bigquery", "spark", "databricks"])
def test_an_adapter_with_an_extra_is_installed_by_it(
    adapter: str, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkout)
    error = explained(f"Could not find adapter type {adapter}!", "dbt.log")
    assert error.hint == f"pip install --editable '.[{adapter}]'"


def test_any_other_adapter_is_installed_by_the_name_of_its_package() -> None:
    assert (
        explained("Could not find adapter type redshift!", "dbt.log").hint
        == "pip install dbt-redshift"
    )
