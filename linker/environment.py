"""What every strategy works with: enter the settings, leave the parts, each opened when it is first used."""

from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from functools import cached_property
from time import time
from types import TracebackType
from typing import TYPE_CHECKING

from linker.artifacts import Artifacts
from linker.budget import Limits
from linker.catalog import read_catalog
from linker.config import Settings
from linker.document import write_documents
from linker.embedders import Embedder, open_embedder
from linker.errors import WarehouseError
from linker.facts import Facts, read_facts, read_privacy
from linker.manifest import selected_variables
from linker.models import LanguageModel, open_model
from linker.profile import TableProfile, read_profile
from linker.retrievers.hybrid import HybridRetriever
from linker.retrievers.remembering import RememberingEmbedder
from linker.retrievers.reranking import CrossEncoderReranker, Reranker
from linker.selection import EVERYTHING, Selection
from linker.snapshot import Profiled, unpack, with_prior_use
from linker.store import Collection, Snapshot, Store, has_store, open_store
from linker.targets import Target, load_target, target_key
from linker.text.durations import age_text
from linker.types import Catalog, ColumnRef, TableRef
from linker.warehouses import Warehouse, open_warehouse

if TYPE_CHECKING:
    from linker.guard import Guard
    from linker.guard import Limits as ProbeLimits
    from linker.profiling import DbtTarget

# A probe settles a question; it does not fetch data.
PROBE_ROWS, PROBE_SECONDS = 5, 30


class Environment:
    """The parts of one run, shared by all its steps; `close` lets go of them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._closing = ExitStack()
        self._indexed: Profiled | None = None
        self._snapshot: Snapshot | None = None
        self._has_let_go = False
        self.away = ""

    @cached_property
    def target(self) -> Target:
        """The dbt connection."""
        return load_target(self.settings)

    @property
    def target_key(self) -> str:
        """What tells this target's documents and answers from those of others."""
        return self.target.key if "target" in self.__dict__ else target_key(self.settings)

    @property
    def dialect(self) -> str:
        """The SQL dialect of the warehouse, by its name in dbt; known before it is opened."""
        return self.target.kind

    @cached_property
    def warehouse(self) -> Warehouse:
        """A read-only session in the warehouse."""
        return open_warehouse(self.target)

    @property
    def has_opened_warehouse(self) -> bool:
        """Whether anything needed it so far, though it may be closed again."""
        return self._has_let_go or "warehouse" in self.__dict__

    @cached_property
    def artifacts(self) -> Artifacts:
        """What dbt left in the warehouse."""
        return Artifacts(self.warehouse, self.target.artifacts_schema(self.settings))

    @cached_property
    def catalog(self) -> Catalog:
        """What dbt found in the warehouse."""
        return read_catalog(self.artifacts)

    @property
    def indexed(self) -> Profiled:
        """
        What the index was made from: all that linking sees of the warehouse, which is not opened for it.

        An index of before snapshots has none; then it is what the artifacts tell now, and `doubts` say so.
        """
        if self._indexed is None:
            self._snapshot = self.store.snapshot(self.collection) if self._has_store else None
            content = self._snapshot.content if self._snapshot else None
            read = unpack(content) if content else None
            if read is None:
                self._snapshot, read = None, Profiled(self.catalog, self.facts)
            elif self._snapshot and self._snapshot.learned:
                read = with_prior_use(read, self._snapshot.learned)
            self._indexed = read
        return self._indexed

    @property
    def _has_store(self) -> bool:
        """Asked before the store is opened, which would make one only to find it empty."""
        return "store" in self.__dict__ or has_store(self.settings.store_url, self.settings.state_dir)

    def catch_up(self) -> None:
        """Forget what the index was made from where that is no longer so: a long session sees what others index."""
        if self._indexed:
            held = self._snapshot.digest if self._snapshot else ""
            now = self.store.snapshot(self.collection, held=held)
            known = self._snapshot.learned_digest if self._snapshot else ""
            if now and (now.digest, now.learned_digest) != (held, known):
                self._indexed = None

    def doubts(self) -> tuple[str, ...]:
        """Why an answer may mix two states of the warehouse; after answering, in plain words."""
        if self._indexed is None:
            return ()
        if self._snapshot is None:
            return ("the index does not tell what it was made from, the warehouse was read; run: linker index",)
        now = self.store.snapshot(self.collection, held=self._snapshot.digest)
        if now and now.digest == self._snapshot.digest:
            return self._old(now.refreshed_at)
        return ("the index was renewed while this was answered, old and new may be mixed; ask again",)

    def _old(self, refreshed_at: float | None) -> tuple[str, ...]:
        """That the answer comes from what was found long ago, where that is so; unknown where no run was recorded."""
        limit = self.settings.warn_age
        age = timedelta(seconds=time() - refreshed_at) if refreshed_at else timedelta()
        if not limit or age <= limit:
            return ()
        return (f"this answer comes from what was found {age_text(age)} ago; run: linker refresh",)

    @cached_property
    def store(self) -> Store:
        """The index."""
        settings = self.settings
        return open_store(settings.store_url, settings.state_dir, kept_runs=settings.kept_runs)

    @cached_property
    def embedder(self) -> Embedder:
        """The encoder of documents and questions."""
        settings = self.settings
        return open_embedder(settings.embedder, base_url=settings.embedder_base_url, state_dir=settings.state_dir)

    @property
    def collection(self) -> Collection:
        """The documents of this target under this encoder."""
        return Collection(target=self.target_key, model=self.embedder.name)

    @cached_property
    def facts(self) -> Facts:
        """What the profiles tell of the columns, and how tables join."""
        return read_facts(self.artifacts, self.catalog)

    @cached_property
    def retriever(self) -> HybridRetriever:
        """How columns and tables are found for a text: by meaning, words and values."""
        return HybridRetriever(RememberingEmbedder(self.embedder, self.store), self.store, self.collection)

    @cached_property
    def reranker(self) -> Reranker | None:
        """What reads the best columns together with the question, if one is configured."""
        return CrossEncoderReranker(self.settings.reranker) if self.settings.reranker else None

    @cached_property
    def texts(self) -> Mapping[ColumnRef, str]:
        """The documents of the columns, as the encoder reads them."""
        documents = write_documents(self.indexed.catalog, self.indexed.facts)
        return {document.ref: document.text for document in documents if isinstance(document.ref, ColumnRef)}

    @cached_property
    def model(self) -> LanguageModel | None:
        """The language model, if one is configured."""
        if not self.settings.model:
            return None
        opened = open_model(self.settings.model, self.settings.model_base_url)
        self._closing.callback(opened.close)
        return opened

    @property
    def limits(self) -> Limits:
        """What one question may cost."""
        settings = self.settings
        return Limits(
            max_tokens=settings.max_tokens,
            max_calls=settings.max_calls,
            max_probes=settings.max_probes,
            timeout_seconds=settings.timeout,
        )

    @property
    def is_profiled(self) -> bool:
        """Whether there are profiles to look at, and rows to probe; `away` says why not, if the warehouse is."""
        try:
            return all(self.artifacts.holds(f"linker_profile_l{level}") for level in (1, 2, 3))
        except WarehouseError as error:
            self.away = error.what
            return False

    @cached_property
    def guard(self) -> "Guard":
        """What stands before every probe."""
        from linker.guard import Limits as ProbeLimits

        return self.guard_within(ProbeLimits(rows=PROBE_ROWS, seconds=PROBE_SECONDS))

    def guard_within(self, limits: "ProbeLimits") -> "Guard":
        """A guard with limits; a column that nobody has profiled shows only that it holds something."""
        from linker.guard import Guard, known_tables

        options = self.target.options
        database = str(options.get("database") or options.get("project") or options.get("dbname") or "")
        privacy = read_privacy(self.artifacts, self.catalog)
        known = known_tables(
            self.catalog, self.warehouse.dialect, privacy, database=database, schema=self.target.schema
        )
        return Guard(known, limits)

    def dbt_target(
        self, selection: Selection = EVERYTHING, *, max_bytes: int | None = None, full_refresh: bool = False
    ) -> "DbtTarget":
        """What dbt is told of the target, and of what to look at in it."""
        from linker.profiling import DbtTarget

        target = self.target
        variables = selected_variables(selection, self.settings, target)
        if max_bytes is not None:
            variables["max_bytes"] = max_bytes
        return DbtTarget(
            target.profiles_dir, target.profile, target.name, self.settings.state_dir, variables, full_refresh
        )

    def profile_of(self, table: TableRef) -> TableProfile | None:
        """What the profiles say of a table, read once; nothing where there are none."""
        if table not in self._profiles:
            known = self.indexed.catalog.table_by_ref.get(table) if self.is_profiled else None
            self._profiles[table] = read_profile(self.artifacts, known) if known else None
        return self._profiles[table]

    @cached_property
    def _profiles(self) -> dict[TableRef, TableProfile | None]:
        return {}

    def let_go_of_warehouse(self) -> None:
        """Close it, if it is open and this one's own; it is opened again where it is needed."""
        opened = self.__dict__.pop("warehouse", None)
        if opened:
            self._has_let_go = True
            for part in ("artifacts", "guard", "is_profiled"):
                self.__dict__.pop(part, None)
            opened.close()

    def forget_artifacts(self) -> None:
        """After dbt ran: what was read of them is no longer so."""
        self.let_go_of_warehouse()
        for part in ("catalog", "facts", "texts", "_profiles"):
            self.__dict__.pop(part, None)

    def close(self) -> None:
        """Let go of what was opened."""
        self._closing.close()
        self.__dict__.pop("model", None)
        for part in ("warehouse", "store"):
            if part in self.__dict__:
                self.__dict__.pop(part).close()

    def __enter__(self) -> "Environment":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
