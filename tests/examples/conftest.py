"""Checks the examples that need no environment of their own with their own tools."""

import sys

# cron and systemd are of Linux.
collect_ignore = [] if sys.platform == "linux" else ["test_cron.py", "test_systemd.py"]
