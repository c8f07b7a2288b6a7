"""`linker init` on DuckDB and Postgres: file, checks, errors."""

import json
import os
import pty
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml

from tests.refresh.shop import Shop, command
from tests.refresh.test_drop_protection import PostgresShop, postgres_shop

CHECKED = ["warehouse", "store", "embedder", "model"]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the user of the store's server may enter."""
    with TemporaryDirectory(prefix="linker-init-") as name:
        yield Path(name)


def init(shop: Shop, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """`linker init` of a user who has a profiles.yml and no setting."""
    return subprocess.run(
        command("init", *words),
        env={**without_settings(shop), **variables},
        cwd=shop.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def without_settings(shop: Shop) -> dict[str, str]:
    """The variables of a user, who has set nothing of linker."""
    return {name: value for name, value in shop.variables.items() if not name.startswith("LINKER_")}


def add_profile(shop: Shop, name: str) -> None:
    file = shop.folder / "profiles.yml"
    profiles = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**profiles, name: profiles["shop"]}), "utf-8")


@pytest.fixture(scope="module")
def started() -> Iterator[tuple[Shop, "subprocess.CompletedProcess[str]"]]:
    """A shop of one profile, after its first `linker init`."""
    with TemporaryDirectory(prefix="linker-init-") as name:
        shop = Shop.open(Path(name))
        yield shop, init(shop, "--artifacts-schema", "known", "--format", "json")


def linker(shop: Shop, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*words),
        env=without_settings(shop),
        cwd=shop.folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_only_profile_is_taken_and_the_first_refresh_is_told_and_works(
    started: tuple[Shop, "subprocess.CompletedProcess[str]"],
) -> None:
    shop, done = started
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [check["part"] for check in told["checks"]] == CHECKED
    assert sorted(f"{table['schema']}.{table['table']}" for table in told["tables"]) == [
        "sales.customers",
        "sales.orders",
        "sales.visits_*",
        "stock.counts",
        "stock.items",
    ]
    written = yaml.safe_load((shop.folder / "linker.yml").read_text("utf-8"))
    assert written == {"profile": "shop", "artifacts_schema": "known"}
    schemas = "select schema_name from information_schema.schemata where schema_name = 'known'"
    assert shop.rows(schemas) == []
    run = linker(shop, "refresh")
    assert run.returncode == 0, run.stderr
    assert shop.rows("select count(*) from known.linker_tables where table_name = 'orders'") == [
        (1,)
    ]


def test_every_line_that_is_commented_is_a_setting(
    started: tuple[Shop, "subprocess.CompletedProcess[str]"], folder: Path
) -> None:
    written = (started[0].folder / "linker.yml").read_text("utf-8")
    lines = [line.removeprefix("# ") for line in written.splitlines()]
    settings = [line for line in lines if re.match(r"[a-z_]+: ", line)]
    assert len(settings) == 12
    shop = Shop(folder)
    (folder / "linker.yml").write_text("\n".join(settings), "utf-8")
    # Every name and value is valid; the folder of profiles.yml is not there.
    assert "dbt/profiles.yml" in linker(shop, "status").stderr


def test_a_file_that_is_there_is_left_alone(folder: Path) -> None:
    shop = Shop.open(folder)
    (folder / "linker.yml").write_text("profile: mine\n", "utf-8")
    done = init(shop)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "error: linker.yml is there already",
        "   →   linker init --yes replaces it",
    ]
    assert (folder / "linker.yml").read_text("utf-8") == "profile: mine\n"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((), "profiles.yml has 2 profiles: shop, other"),
        (("--profile", "nobody"), "profile `nobody` is not in profiles.yml"),
        (("--profile", "shop", "--target", "prod"), "target `prod` is not in profile `shop`"),
        (("--profile", "shop", "--profiles-dir", "away"), "away/profiles.yml"),
        (("--profile", "shop", "--config", "away/linker.yml"), "cannot write away/linker.yml"),
    ],
    ids=["several profiles", "no such profile", "no such target", "no profiles.yml", "no folder"],
)
def test_bad_input_is_one_line_and_leaves_no_file(
    folder: Path, words: tuple[str, ...], what: str
) -> None:
    shop = Shop.open(folder)
    add_profile(shop, "other")
    done = init(shop, *words)
    assert (done.returncode, done.stdout) == (2, "")
    [said, _hint] = done.stderr.splitlines()
    assert said.startswith("error: ")
    assert what in said
    assert not (folder / "linker.yml").exists()


def test_in_a_terminal_it_asks_which_profile_and_whether_to_replace(folder: Path) -> None:
    shop = Shop.open(folder)
    add_profile(shop, "other")
    (folder / "linker.yml").write_text("profile: mine\n", "utf-8")
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command("init"),
        env=without_settings(shop),
        cwd=folder,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(theirs)
        os.write(ours, b"other\ny\n")
        said, asked = process.communicate()
    os.close(ours)
    assert process.returncode == 0, asked
    assert "profile (shop, other)" in asked
    assert "replace linker.yml?" in asked
    assert "a refresh would read 5 tables" in said
    assert yaml.safe_load((folder / "linker.yml").read_text("utf-8")) == {"profile": "other"}


def test_a_warehouse_that_is_away_is_told_and_the_file_stays(folder: Path) -> None:
    shop = Shop.open(folder)
    shop.path.unlink()
    done = init(shop)
    assert done.returncode == 1, done.stderr
    assert "✗ warehouse" in done.stdout
    assert (folder / "linker.yml").exists()
    assert not shop.path.exists()


@pytest.fixture(scope="module")
def in_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresShop]:
    """An unprofiled shop in Postgres."""
    with postgres_shop(tmp_path_factory) as shop:
        yield shop


def test_on_postgres_it_reads_as_the_role_and_says_which_right_is_missing(
    in_postgres: PostgresShop,
) -> None:
    done = init(in_postgres)
    assert done.returncode == 0, done.stderr
    assert "✓ warehouse" in done.stdout
    assert "  sales: 2 tables" in done.stdout
    assert "  stock: 2 tables" in done.stdout
    assert re.fullmatch("next: (.*/)?linker refresh", done.stderr.splitlines()[-1])

    in_postgres.execute("revoke create on database warehouse from etl")
    refused = init(in_postgres, "--yes")
    assert refused.returncode == 2, refused.stdout
    assert "it lacks" in refused.stderr
    assert "grant create on database" in refused.stderr
