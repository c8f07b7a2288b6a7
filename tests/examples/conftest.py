"""
The examples of examples/ that need no environment of their own, each held against the tool that
will read it.
"""

import sys

# cron and systemd are of Linux.
collect_ignore = [] if sys.platform == "linux" else ["test_cron.py", "test_systemd.py"]
