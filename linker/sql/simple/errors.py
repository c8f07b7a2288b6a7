"""Why no simple statement is written; it never leaves the writer."""


class CannotWriteError(Exception):
    """No simple statement answers this; the message says why."""
