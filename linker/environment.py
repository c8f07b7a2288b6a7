"""
The environment of strategies: index, retriever, ranker, models and warehouse, each opened on first
use.
"""

import copy
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from linker.budget import Limits
from linker.catalog.index_session import DiskCache, Index, StoredIndex
from linker.catalog.snapshot import ProfiledCatalog
from linker.catalog.warehouse import ProfiledWarehouse, patterns_of
from linker.config.settings import Settings, changed_settings
from linker.config.target import Target, load_target, profile_of_project, target_key
from linker.dbt.manifest import artifact_relations, find_manifest, graph_json, project_metadata
from linker.dbt.ossie_import import read_documents
from linker.dbt.project import read_package_vars
from linker.dbt.selection import EVERYTHING, selected_variables
from linker.embedders import Embedder, open_embedder
from linker.index import Collection, Snapshot, Store, has_store, open_store
from linker.models import LanguageModel, open_model
from linker.retrieval.hybrid import HybridRetriever, RememberingEmbedder
from linker.retrieval.reranking import CrossEncoderReranker, Reranker
from linker.types import TableRef

if TYPE_CHECKING:
    from linker.catalog.profile import TableProfile
    from linker.dbt.profiling import DbtTarget
    from linker.dbt.selection import Selection

PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT")
Arguments = ParamSpec("Arguments")

# Settings read for each question; the others are read when a part opens.
QUESTION_SETTINGS = frozenset(
    (
        "column_budget",
        "documents",
        "kept_traces",
        "max_calls",
        "max_probes",
        "max_tokens",
        "recall",
        "schema_tokens",
        "sql_candidates",
        "strategy",
        "timeout",
    )
)


class SharedPart(Generic[PartT]):
    """A property computed once for an environment and all its copies."""

    def __init__(self, make: Callable[[Any], PartT]) -> None:
        self._make, self._name = make, make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, environment: "Environment", owner: type["Environment"]) -> PartT:
        """The part, created on first use."""
        if self._name not in environment.parts:
            environment.parts[self._name] = self._make(environment)
        part: PartT = environment.parts[self._name]
        return part


class Environment(AbstractContextManager["Environment"]):
    """
    The parts of one target, shared by all steps. Messages repeat its `flags`.

    `with_settings` and `with_model` return a copy for one question that shares open parts.
    """

    def __init__(
        self, settings: Settings, flags: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        self._settings, self.flags = settings, flags
        # Open parts by property name.
        self.parts: dict[str, Any] = {}
        self._closing = ExitStack()
        self._given_model: LanguageModel | None = None
        # A question under evaluation, whose own verified statement would reveal the answer.
        self.held_out = ""

    @property
    def settings(self) -> Settings:
        return self._settings

    def with_settings(self, **changes: object) -> Self:
        """A copy with other settings of a question; opens nothing."""
        if others := changes.keys() - QUESTION_SETTINGS:
            raise ValueError(f"open parts read {', '.join(sorted(others))}")
        changed = copy.copy(self)
        changed._settings = changed_settings(self._settings, changes)
        return changed

    def with_model(self, model: LanguageModel) -> Self:
        """A copy with another language model for all steps."""
        changed = copy.copy(self)
        changed._given_model = model
        return changed

    def without_verified(self, question: str) -> Self:
        """A copy for evaluating a question, without its own verified statement."""
        changed = copy.copy(self)
        changed.held_out = question
        return changed

    @SharedPart
    def target(self) -> Target:
        return load_target(self.settings)

    @SharedPart
    def target_key(self) -> str:
        """Key of this target's documents and answers; the connection is not read."""
        return target_key(self.settings)

    @property
    def dialect(self) -> str:
        """SQL dialect by its dbt name; the warehouse stays closed."""
        return self.target.kind

    @SharedPart
    def warehouse(self) -> "ProfiledWarehouse":
        """Profile tables and a read-only session."""
        return ProfiledWarehouse(
            lambda: self.target,
            self.settings,
            lambda: artifact_relations(self.settings, self.target),
            lambda: project_metadata(self.settings, self.target),
        )

    @property
    def has_opened_warehouse(self) -> bool:
        """Whether a session was needed so far; it may be released by now."""
        warehouse = self.parts.get("warehouse")
        return warehouse is not None and warehouse.is_open

    @property
    def warehouse_error(self) -> str:
        """Why the warehouse is unavailable; empty if it works or was not needed."""
        return self.warehouse.warehouse_error if "warehouse" in self.parts else ""

    def profile_of(self, ref: TableRef) -> "TableProfile | None":
        """Profile of an indexed table; None if it has none."""
        table = self.indexed.catalog.table_by_ref.get(ref)
        return self.warehouse.profile_of(table) if table else None

    def release_warehouse(self) -> None:
        """Close the session until it is needed again, so that others can write."""
        if warehouse := self.parts.get("warehouse"):
            warehouse.release()

    def invalidate(self) -> None:
        """Discard cached profile tables after a dbt run."""
        if warehouse := self.parts.pop("warehouse", None):
            warehouse.close()

    @SharedPart
    def index(self) -> Index:
        """The index; it does not open the warehouse."""
        settings, key = self.settings, self.target_key
        files = partial(DiskCache, settings.state_dir, key)
        return StoredIndex(
            self._read_snapshot,
            lambda: self.warehouse.profiled,
            settings.warn_age,
            files,
            settings.exclude,
        )

    @property
    def indexed(self) -> ProfiledCatalog:
        """Catalog and metadata that the index was built from."""
        return self.index.derived.profiled

    def derive(
        self,
        make: Callable[Concatenate[ProfiledCatalog, Arguments], ResultT],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> ResultT:
        """A function of the indexed catalog, memoised per state of the index."""
        return self.index.derived.get(make, *arguments, **named)

    def _read_snapshot(self, held: str) -> Snapshot | None:
        # Checked first, since opening would create a store.
        is_open = "store" in self.parts
        if not is_open and not has_store(self.settings.store_url, self.settings.state_dir):
            return None
        return self.store.snapshot(self.collection, held=held)

    @SharedPart
    def store(self) -> Store:
        """Index and run history."""
        settings = self.settings
        return open_store(settings.store_url, settings.state_dir, kept_runs=settings.kept_runs)

    @SharedPart
    def embedder(self) -> Embedder:
        return open_embedder(self.settings.embedder, base_url=self.settings.embedder_base_url)

    @property
    def collection(self) -> Collection:
        """The documents of this target under this embedder."""
        return Collection(target=self.target_key, model=self.embedder.name)

    @SharedPart
    def retriever(self) -> HybridRetriever:
        """Hybrid search: embeddings, keywords, values."""
        return HybridRetriever(
            RememberingEmbedder(self.embedder, self.store), self.store, self.collection
        )

    @SharedPart
    def reranker(self) -> Reranker | None:
        """Rescores the top columns with a cross-encoder; None if not configured."""
        return CrossEncoderReranker(self.settings.reranker) if self.settings.reranker else None

    @property
    def model(self) -> LanguageModel | None:
        """None if not configured."""
        return self._given_model or self._configured_model

    @SharedPart
    def _configured_model(self) -> LanguageModel | None:
        settings = self.settings
        if not settings.model:
            return None
        return self._opened(
            settings.model, effort=settings.model_effort, temperature=settings.model_temperature
        )

    @property
    def models_of_steps(self) -> Mapping[str, LanguageModel]:
        """Models of single steps that differ from `model`."""
        return {} if self._given_model else self._configured_models_of_steps

    @SharedPart
    def _configured_models_of_steps(self) -> Mapping[str, LanguageModel]:
        by_step = dict(self.settings.model_by_step)
        opened = {name: self._opened(name) for name in dict.fromkeys(by_step.values())}
        return {step: opened[name] for step, name in by_step.items()}

    def _opened(
        self, name: str, *, effort: str | None = None, temperature: float | None = None
    ) -> LanguageModel:
        settings = self.settings
        # Whether the server of `model` speaks the same protocol.
        has_same_provider = name.partition(":")[0] == (settings.model or "").partition(":")[0]
        base_url = settings.model_base_url if has_same_provider else None
        opened = open_model(
            name, base_url, settings.model_timeout, effort=effort, temperature=temperature
        )
        self._closing.callback(opened.close)
        return opened

    @property
    def limits(self) -> Limits:
        settings = self.settings
        return Limits(
            max_tokens=settings.max_tokens,
            max_calls=settings.max_calls,
            max_probes=settings.max_probes,
            timeout_seconds=settings.timeout,
        )

    def dbt_target(
        self,
        selection: "Selection | None" = None,
        *,
        max_bytes: int | None = None,
        full_refresh: bool = False,
    ) -> "DbtTarget":
        """Connection and table selection for dbt."""
        from linker.dbt.profiling import DbtTarget

        target, settings = self.target, self.settings
        manifest = find_manifest(settings, target)
        own_project = (
            Path() if profile_of_project(Path("dbt_project.yml")) == target.profile else None
        )
        variables = read_package_vars(own_project) if own_project else {}
        variables |= selected_variables(selection or EVERYTHING, manifest)
        # Unset lists keep the package's defaults.
        lists = {
            f"{word}_columns": [*patterns, *variables.get(f"{word}_columns", ())]
            for word, patterns in patterns_of(settings).items()
            if patterns
        }
        # An unnamed manifest is optional.
        compiled = manifest if manifest and (settings.manifest or manifest.path.exists()) else None
        documents = read_documents(settings, target.key)
        graph = documents.add_to(compiled.graph() if compiled else {})
        variables |= lists | ({"project": graph_json(graph)} if any(graph.values()) else {})
        if max_bytes is not None:
            variables["max_bytes"] = max_bytes
        if settings.scan_seconds is not None:
            variables["scan_seconds"] = settings.scan_seconds
        models = compiled.models() if compiled else ()
        return DbtTarget(
            target.profiles_dir,
            target.profile,
            target.name,
            settings.state_dir,
            variables,
            full_refresh,
            models,
            artifact_relations=artifact_relations(settings, target),
            schema=settings.artifacts_schema,
            dbt=settings.dbt or "",
        )

    def close(self) -> None:
        """Close all open parts."""
        self._closing.close()
        self.invalidate()
        if "store" in self.parts:
            self.store.close()
        for opened in ("store", "_configured_model", "_configured_models_of_steps"):
            self.parts.pop(opened, None)

    def __exit__(self, *error: object) -> None:
        self.close()
