"""The public API: open a target, index it, ask it."""

from types import TracebackType

from linker import pipeline
from linker.config import load_settings
from linker.environment import Environment
from linker.link.answer import LinkedSchema
from linker.runs import Run


class Linker:
    """Links questions to the tables and columns of one target."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    @classmethod
    def open(cls, **settings: object) -> "Linker":
        """Open with settings by name; those that are not given come from the environment and linker.yml."""
        return cls(Environment(load_settings(settings)))

    def index(self) -> int:
        """Bring the index in step with the artifacts; the number of documents that were embedded."""
        return pipeline.index(self.environment).run.work.embedded

    def refresh(self, *, full: bool = False, accept_empty: bool = False) -> Run:
        """Bring profiles and index in step with the warehouse; what the run did, and what it could not read."""
        dbt = self.environment.dbt_target(full_refresh=full)
        return pipeline.refresh(self.environment, dbt, accept_empty=accept_empty).run

    def ask(self, question: str) -> LinkedSchema:
        """The tables and columns that the question needs."""
        return pipeline.ask(question, self.environment)

    def close(self) -> None:
        """Let go of the warehouse and the store."""
        self.environment.close()

    def __enter__(self) -> "Linker":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
