"""`linker show`: cards, or one line of error."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linker.cli import main
from tests.messages import messages

Show = Callable[..., Result]


@pytest.fixture
def show(profiled_file: Path, tmp_path: Path) -> Show:
    """The command, with a separate profile."""
    output = {"type": "duckdb", "path": str(profiled_file), "schema": "shop"}
    profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profiles), "utf-8")

    def run(*arguments: str) -> Result:
        flags = [
            "--profiles-dir",
            str(tmp_path),
            "--profile",
            "shop",
            "--state-dir",
            str(tmp_path / "state"),
        ]
        return CliRunner().invoke(main, ["show", *flags, *arguments])

    return run


def test_a_table_has_one_line_a_column(show: Show) -> None:
    done = show("sales.orders")
    assert done.exit_code == 0
    assert messages(done.stderr) == []
    lines = done.stdout.splitlines()
    assert lines[0] == "sales.orders   2,000,000 rows"
    [status] = [line for line in lines if line.startswith("  status")]
    assert status.split()[:8] == [
        "status",
        "varchar",
        "category",
        "░░░░░",
        "0",
        "%",
        "4",
        "delivered,",
    ]
    columns = [
        "order_id",
        "customer_id",
        "status",
        "amount",
        "ordered_at",
        "note",
        "payload",
        "payload.channel",
    ]
    assert [line.split()[0] for line in lines[4:12]] == columns


def test_a_column_has_its_card(show: Show) -> None:
    done = show("sales.orders.amount")
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "sales.orders.amount   decimal(12,2) · money\n  Total with tax.   (dbt docs)\n"
    )
    assert "62,000 of 2,000,000 rows" in done.stdout
    assert "on a sample of 10,000" in done.stdout


def test_off_a_terminal_there_are_no_colours(show: Show) -> None:
    assert "\x1b" not in show("sales.orders").stdout
    assert "\x1b" not in show("sales.orders.note").stdout


def test_json_is_whole_and_says_null_where_nothing_was_measured(show: Show) -> None:
    document = json.loads(show("sales.orders.status", "--format", "json").stdout)
    assert (document["version"], document["schema"], document["name"]) == (2, "sales", "orders")
    assert document["not_scanned"] is None
    column = document["column"]
    assert column["l1"]["category"] == "category"
    assert column["l2"]["representative_values"][0] == {"value": "delivered", "count": 6200}
    assert column["l3"]["scanned_at"] == "2025-11-20T14:03:27+00:00"
    assert column["l3"]["quantiles"] is None
    table = json.loads(show("crm.orders", "--format", "json", "--explain").stdout)
    assert table["not_scanned"] == "not scanned: it failed twice since it last changed"
    assert [one["l3"] for one in table["columns"]] == [None]


def test_json_of_a_number_holds_its_histogram(show: Show) -> None:
    document = json.loads(show("sales.orders.amount", "--format", "json").stdout)
    bins = document["column"]["l3"]["histogram"]
    assert len(bins) == 20
    assert bins[0] == {"from": 0, "to": 4.9, "share": 0.05}


def test_json_of_a_family_says_which_members_were_read(show: Show) -> None:
    document = json.loads(show("sessions_20250101", "--format", "json").stdout)
    assert document["name"] == "sessions_*"
    assert document["family"]["member_count"] == 3
    assert document["family"]["members_read"] == ["sessions_20250103", "sessions_20250102"]


@pytest.mark.parametrize(
    ("name", "error", "hint"),
    [
        ("ordres", "no table is called `ordres`", "did you mean crm.Orders, sales.orders?"),
        ("ORDERS", "`ORDERS` may be one of 2", "choose: crm.Orders, sales.orders"),
        ("customers.emial", "crm.customers has no column `emial`", "did you mean email?"),
    ],
)
def test_a_name_that_leads_nowhere_ends_with_one_line_a_hint_and_exit_code_2(
    show: Show, name: str, error: str, hint: str
) -> None:
    done = show(name)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert messages(done.stderr) == [f"error: {error}", f"   →   {hint}"]


def test_what_is_typed_cannot_steer_the_terminal(show: Show) -> None:
    assert "\x1b" not in show("\x1b[2Jx").stderr
