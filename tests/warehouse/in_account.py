"""
Runs the warehouse tests in a real Snowflake or BigQuery account, one session at a time.

Without the variables of an account it says in one line that nothing was run.
"""

import os
import subprocess
import sys

from tests.warehouse.servers.accounts import NEEDED

SESSIONS = ("tests/contract/test_warehouse.py", "tests/warehouse")


def main(kind: str) -> int:
    """The exit code of the sessions: 0 where all tests passed, or none was run."""
    missing = [name for name in NEEDED[kind] if not os.environ.get(name)]
    if missing:
        sys.stdout.write(
            f"no tests were run in an account of {kind}: not set: {', '.join(missing)}\n"
        )
        return 0
    codes = [
        subprocess.run(
            [sys.executable, "-m", "pytest", session, "-k", kind],
            env={**os.environ, "TESTED_ACCOUNT": kind},
            check=False,
        ).returncode
        for session in SESSIONS
    ]
    return max(codes)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
