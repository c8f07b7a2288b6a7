"""Connection resolution as in dbt."""

from pathlib import Path

import pytest

from linker.config.settings import load_settings
from linker.config.target import Target, load_target
from linker.errors import ConfigError

PROFILES = """
shop:
  target: dev
  outputs:
    dev:
      type: duckdb
      path: "{{ env_var('SHOP_PATH', 'shop.duckdb') }}"
      schema: analytics
      threads: "{{ env_var('SHOP_THREADS', '4') | as_number }}"
    prod:
      type: postgres
      host: "{{ env_var('SHOP_HOST') }}"
      password: hunter2
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dbt project folder that names the profile `shop`, with profiles.yml beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DBT_PROFILES_DIR", raising=False)
    (tmp_path / "profiles.yml").write_text(PROFILES, "utf-8")
    (tmp_path / "dbt_project.yml").write_text("name: shop\nprofile: shop\n", "utf-8")
    return tmp_path


def load(**flags: object) -> Target:
    return load_target(load_settings(flags, {}))


def test_the_project_in_this_folder_names_the_profile_and_the_profile_its_target(
    project: Path,
) -> None:
    target = load()
    assert (target.key, target.kind, target.schema) == ("shop.dev", "duckdb", "analytics")
    assert target.options["path"] == "shop.duckdb"
    assert target.options["threads"] == 4


def test_environment_variables_of_the_profile_are_rendered(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PATH", "/data/other.duckdb")
    monkeypatch.setenv("SHOP_HOST", "db.example")
    assert load().options["path"] == "/data/other.duckdb"
    assert load(target="prod").options["host"] == "db.example"


def test_a_missing_environment_variable_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_HOST", raising=False)
    with pytest.raises(ConfigError, match="SHOP_HOST"):
        load(target="prod")


def test_only_the_target_that_is_used_is_rendered(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_HOST", raising=False)
    assert load(target="dev").name == "dev"


def test_an_unknown_target_or_profile_lists_what_there_is(project: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(target="staging")
    assert "dev, prod" in caught.value.hint
    with pytest.raises(ConfigError) as caught:
        load(profile="wrong")
    assert "shop" in caught.value.hint


def test_a_profiles_folder_can_be_named(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "profiles.yml").write_text(PROFILES.replace("analytics", "marts"), "utf-8")
    assert load(profiles_dir=folder).schema == "marts"


def test_the_folder_of_dbt_comes_before_this_one(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "from_dbt"
    folder.mkdir()
    (folder / "profiles.yml").write_text(PROFILES.replace("analytics", "from_dbt"), "utf-8")
    monkeypatch.setenv("DBT_PROFILES_DIR", str(folder))
    assert load().schema == "from_dbt"


def test_in_an_empty_folder_the_shipped_demo_is_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("DBT_PROFILES_DIR", raising=False)
    target = load()
    assert target.key == "linker.demo"
    assert target.options["path"] == ".linker/demo/warehouse.duckdb"


def test_the_demo_can_be_asked_for_inside_a_project_of_ones_own(project: Path) -> None:
    assert (
        load(target="demo", state_dir=Path("/state")).options["path"]
        == "/state/demo/warehouse.duckdb"
    )


def test_a_project_whose_profile_is_nowhere_is_an_error_and_not_the_demo(project: Path) -> None:
    (project / "profiles.yml").unlink()
    with pytest.raises(ConfigError, match="`shop`"):
        load()


def test_a_password_is_never_shown_by_the_target(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_HOST", "db.example")
    assert "hunter2" not in repr(load(target="prod"))


def test_artifacts_lie_beside_the_schema_of_the_target_unless_told_otherwise(project: Path) -> None:
    settings = load_settings({}, {})
    assert load_target(settings).artifacts_schema(settings) == "analytics_linker"
    told = load_settings({"artifacts_schema": "profiles"}, {})
    assert load_target(told).artifacts_schema(told) == "profiles"


def test_profiles_of_other_projects_do_not_hide_the_shipped_one(project: Path) -> None:
    """dbt_project.yml names `linker`, which profiles.yml lacks."""
    (project / "dbt_project.yml").write_text("name: linker\nprofile: linker\n", "utf-8")
    assert load().key == "linker.demo"


@pytest.mark.parametrize(
    "profiles",
    [
        "shop: {target: dev, outputs: {dev: duckdb}}",
        "shop: {target: dev, outputs: [dev]}",
        "shop: {target: dev}",
    ],
)
def test_a_profile_of_another_shape_is_one_line(project: Path, profiles: str) -> None:
    (project / "profiles.yml").write_text(profiles, "utf-8")
    with pytest.raises(ConfigError, match="target `dev`"):
        load()


def test_a_value_that_cannot_be_rendered_names_the_file(project: Path) -> None:
    profiles = (
        "shop: {target: dev, outputs: {dev: {type: duckdb, threads: \"{{ 'four' | as_number }}\"}}}"
    )
    (project / "profiles.yml").write_text(profiles, "utf-8")
    with pytest.raises(ConfigError, match=r"cannot render .*profiles\.yml"):
        load()
