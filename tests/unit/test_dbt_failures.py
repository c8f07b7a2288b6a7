"""Hints for driver errors, and failures that no table caused."""

import pytest

from linker.dbt.runner import explained, is_of_the_whole_run

AWAY = "the warehouse cannot be reached, or no longer"
REFUSED = "the warehouse refused the credentials"
FULL = "the disk of the warehouse is full"


@pytest.mark.parametrize(
    ("reason", "what"),
    [
        (
            'connection to server at "db", port 5432 failed: Connection refused Is the server running?',
            AWAY,
        ),
        ('could not translate host name "db" to address: Name or service not known', AWAY),
        (
            "server closed the connection unexpectedly This probably means the server terminated abnormally",
            AWAY,
        ),
        (
            "terminating connection due to administrator command SSL connection has been closed unexpectedly",
            AWAY,
        ),
        (
            "250001 (08001): Failed to connect to DB: acme.snowflakecomputing.com:443. The read timed out",
            AWAY,
        ),
        (
            "HTTPSConnectionPool(host='bigquery.googleapis.com'): Max retries exceeded with url",
            AWAY,
        ),
        (
            'connection to server at "db" failed: FATAL:  password authentication failed for user "etl"',
            REFUSED,
        ),
        ("250001 (08001): Incorrect username or password was specified.", REFUSED),
        (
            "390114 (08001): Authentication token has expired.  The user must authenticate again.",
            REFUSED,
        ),
        (
            "('invalid_grant: Token has been expired or revoked.', {'error': 'invalid_grant'})",
            REFUSED,
        ),
        ("Reauthentication is needed. Please run `gcloud auth application-default login`", REFUSED),
        ('could not extend file "base/5/16399": No space left on device', FULL),
        ("IO Error: Could not write file: File too large", FULL),
        (
            "IO Error: Could not set lock on file: Conflicting lock is held in python (PID 1)",
            "another process has the",
        ),
        (
            "003001 (42501): SQL access control error: Insufficient privileges to operate on database 'SHOP'",
            "the role of the target cannot create the profile tables in database 'shop'",
        ),
        (
            "Access Denied: Project shop: User does not have bigquery.datasets.create permission in project shop.",
            "the user of the target lacks the right bigquery.datasets.create",
        ),
        (
            "Runtime Error Could not find adapter type redshift!",
            "dbt has no adapter for redshift here",
        ),
    ],
)
def test_what_drivers_say_is_told_in_the_users_words_with_theirs_behind(
    reason: str, what: str
) -> None:
    error = explained(reason, "dbt.log")
    assert error.what.startswith(what)
    assert error.what.endswith(reason)
    assert error.hint
    assert is_of_the_whole_run(reason)


@pytest.mark.parametrize(
    "reason",
    [
        "Conversion Error: Could not convert string ... to INT32",
        "permission denied for table salaries",
        "canceling statement due to statement timeout",
        'Binder Error: Referenced column "connection" not found in FROM clause!',
    ],
)
def test_what_one_table_may_be_the_cause_of_is_its_own(reason: str) -> None:
    assert not is_of_the_whole_run(reason)
    assert explained(reason, "dbt.log").what == f"dbt failed: {reason}"
    assert "dbt.log" in explained(reason, "dbt.log").hint
