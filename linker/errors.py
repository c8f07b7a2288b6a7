"""
What the user can mend.

    LinkerError
    ├── ConfigError      a setting, flag, profile or target
    ├── WarehouseError   the connection to the warehouse, or a statement that it refused
    │   └── GuardError   a statement that was refused before it reached the warehouse, with a stable code
    ├── ArtifactError    the relations that dbt leaves: missing, empty or of another version
    ├── NameLookupError  a name that leads to no table or column, or to several
    ├── StoreError       Postgres with pgvector
    ├── EmbedderError    the encoder or its weights
    └── ModelError       the language model

Anything else that is raised is a bug and keeps its traceback.
"""


class LinkerError(Exception):
    """Something the user can mend: what happened and where, and the one thing to do."""

    def __init__(self, what: str, *, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint


class ConfigError(LinkerError):
    """A setting, flag, profile or target is wrong."""


class WarehouseError(LinkerError):
    """The warehouse cannot be reached, or refused a statement."""


class GuardError(WarehouseError):
    """A statement was refused before it ran; the code says why in one word and does not change."""

    def __init__(self, what: str, *, hint: str, code: str) -> None:
        super().__init__(what, hint=hint)
        self.code = code


class ArtifactError(LinkerError):
    """The relations that dbt leaves are missing or not as expected."""


class NameLookupError(LinkerError):
    """A name leads to no table or column, or to several."""


class StoreError(LinkerError):
    """The Postgres that holds the index cannot be used."""


class EmbedderError(LinkerError):
    """The encoder cannot be loaded."""


class ModelError(LinkerError):
    """The language model cannot be reached, or did not answer as asked."""
