"""Real account tests are skipped with a message without their variables."""

import subprocess
import sys

import pytest

SNOWFLAKE = {"SNOWFLAKE_ACCOUNT": "mine", "SNOWFLAKE_USER": "me"}


@pytest.mark.parametrize(
    ("kind", "variables", "missing"),
    [
        ("snowflake", {}, "SNOWFLAKE_ACCOUNT, SNOWFLAKE_USER, SNOWFLAKE_WAREHOUSE"),
        ("snowflake", SNOWFLAKE, "SNOWFLAKE_WAREHOUSE"),
        ("bigquery", {"GOOGLE_CLOUD_PROJECT": ""}, "GOOGLE_CLOUD_PROJECT"),
    ],
)
def test_without_an_account_one_line_says_that_nothing_was_run(
    kind: str, variables: dict[str, str], missing: str
) -> None:
    command = [sys.executable, "-m", "tests.warehouse.in_account", kind]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (
        f"no tests were run in an account of {kind}: not set: {missing}\n",
        "",
    )
