"""
Entries of every query log: texts of SQL, how often each ran and when last. The texts are only ever
in memory.
"""

from collections.abc import Callable
from datetime import date

from linker.types import Record

# Where to tell how many texts are read, of how many.
OnProgress = Callable[[int, int], None]
# The name of the source that is the warehouse's own history.
HISTORY = "history"


class Logged(Record, frozen=True):
    """
    A text of SQL, one statement or several, how often it ran, and the day of its last run where the
    log tells.
    """

    text: str
    runs: int = 1
    last: date | None = None
