"""
The parts that every strategy works with: enter the settings, leave the parts, each opened when it
is first used.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from linker.budget import Limits
from linker.catalog.filed import ResultFiles
from linker.catalog.indexed import Index, StoredIndex
from linker.catalog.snapshot import ProfiledCatalog
from linker.config import Settings, changed_settings
from linker.config.target import Target, load_target, profile_of_project, target_key
from linker.embedders import Embedder, open_embedder
from linker.models import LanguageModel, open_model
from linker.retrieval.hybrid import HybridRetriever, RememberingEmbedder
from linker.retrieval.reranking import CrossEncoderReranker, Reranker
from linker.store import Collection, Snapshot, Store, has_store, open_store
from linker.types import TableRef

if TYPE_CHECKING:
    from linker.catalog.profile import TableProfile
    from linker.catalog.warehouse import ProfiledWarehouse
    from linker.dbt.invocation import DbtTarget
    from linker.dbt.selection import Selection

ResultT = TypeVar("ResultT")
Arguments = ParamSpec("Arguments")


class Environment(AbstractContextManager["Environment"]):
    """
    The parts of one target, shared by all steps; `close` lets go of them. Messages repeat its
    `flags`.
    """

    def __init__(
        self, settings: Settings, flags: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        self.settings, self.flags = settings, flags
        self._closing = ExitStack()
        self._warehouse: ProfiledWarehouse | None = None
        self._store: Store | None = None
        self._model: LanguageModel | None = None
        self._models_of_steps: dict[str, LanguageModel] = {}
        self._thinks_with_another = self._has_released = False

    @cached_property
    def target(self) -> Target:
        """The dbt connection."""
        return load_target(self.settings)

    @cached_property
    def target_key(self) -> str:
        """
        Key of this target's documents and answers among those of others; its connection is not read
        for it.
        """
        return target_key(self.settings)

    @property
    def dialect(self) -> str:
        """The SQL dialect of the warehouse, by its name in dbt; known before it is opened."""
        return self.target.kind

    @property
    def warehouse(self) -> "ProfiledWarehouse":
        """Artifacts that dbt left in the warehouse, and a read-only session in it."""
        if self._warehouse is None:
            self._warehouse = self._open_warehouse()
        return self._warehouse

    def _open_warehouse(self) -> "ProfiledWarehouse":
        from linker.catalog.warehouse import ProfiledWarehouse
        from linker.dbt.manifest import artifact_places, project_metadata

        return ProfiledWarehouse(
            lambda: self.target,
            self.settings,
            lambda: artifact_places(self.settings, self.target),
            lambda: project_metadata(self.settings, self.target),
        )

    @property
    def has_opened_warehouse(self) -> bool:
        """Tell if anything needed a session so far, though it may be closed again."""
        return self._has_released or (self._warehouse is not None and self._warehouse.is_open)

    @property
    def away(self) -> str:
        """Reason why the warehouse could not be asked; empty where it could, or was not needed."""
        return self._warehouse.away if self._warehouse else ""

    def profile_of(self, ref: TableRef) -> "TableProfile | None":
        """Profile of a table of the index; nothing where there is none."""
        table = self.indexed.catalog.table_by_ref.get(ref)
        return self.warehouse.profile_of(table) if table else None

    def release_warehouse(self) -> None:
        """Close the session, if one is open; it is opened again where it is needed."""
        if self._warehouse is not None:
            self._has_released = self.has_opened_warehouse
            self._warehouse.release()

    def forget_artifacts(self) -> None:
        """Read them anew after dbt ran."""
        self.release_warehouse()
        self._warehouse = None

    @cached_property
    def index(self) -> Index:
        """Index that linking sees of the warehouse, which is not opened for it."""
        settings, key = self.settings, self.target_key
        files = partial(ResultFiles, settings.state_dir, key)
        return StoredIndex(
            self._read_snapshot,
            lambda: self.warehouse.profiled,
            settings.warn_age,
            files,
            settings.exclude,
        )

    @property
    def indexed(self) -> ProfiledCatalog:
        """Catalogue and profiles that the index was made from."""
        return self.index.derived.profiled

    def derive(
        self,
        make: Callable[Concatenate[ProfiledCatalog, Arguments], ResultT],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> ResultT:
        """
        Apply a function to what the index was made from: worked out once for each state of the
        index.
        """
        return self.index.derived.of(make, *arguments, **named)

    def _read_snapshot(self, held: str) -> Snapshot | None:
        # Asked before the store is opened, which would make one only to find it empty.
        if self._store is None and not has_store(self.settings.store_url, self.settings.state_dir):
            return None
        return self.store.snapshot(self.collection, held=held)

    @property
    def store(self) -> Store:
        """The index and the history of runs."""
        if self._store is None:
            settings = self.settings
            self._store = open_store(
                settings.store_url, settings.state_dir, kept_runs=settings.kept_runs
            )
        return self._store

    @cached_property
    def embedder(self) -> Embedder:
        """The encoder of documents and questions."""
        settings = self.settings
        return open_embedder(
            settings.embedder, base_url=settings.embedder_base_url, state_dir=settings.state_dir
        )

    @property
    def collection(self) -> Collection:
        """The documents of this target under this encoder."""
        return Collection(target=self.target_key, model=self.embedder.name)

    @cached_property
    def retriever(self) -> HybridRetriever:
        """Retriever of columns and tables for a text: by meaning, words and values."""
        return HybridRetriever(
            RememberingEmbedder(self.embedder, self.store), self.store, self.collection
        )

    @cached_property
    def reranker(self) -> Reranker | None:
        """Reranker that reads the best columns together with the question, if one is configured."""
        return CrossEncoderReranker(self.settings.reranker) if self.settings.reranker else None

    @property
    def model(self) -> LanguageModel | None:
        """The language model, if one is configured."""
        settings = self.settings
        if self._model is None and settings.model:
            self._model = self._opened(
                settings.model, effort=settings.model_effort, temperature=settings.model_temperature
            )
        return self._model

    @property
    def models_of_steps(self) -> Mapping[str, LanguageModel]:
        """The language models of single steps, where they are not `model`."""
        if self._thinks_with_another:
            return {}
        for step, name in self.settings.model_by_step:
            if step not in self._models_of_steps:
                known = (model for model in self._models_of_steps.values() if model.name == name)
                self._models_of_steps[step] = next(known, None) or self._opened(name)
        return self._models_of_steps

    def _opened(
        self, name: str, *, effort: str | None = None, temperature: float | None = None
    ) -> LanguageModel:
        settings = self.settings
        # The server of `model`, where it speaks the same.
        is_alike = name.partition(":")[0] == (settings.model or "").partition(":")[0]
        base_url = settings.model_base_url if is_alike else None
        opened = open_model(
            name, base_url, settings.model_timeout, effort=effort, temperature=temperature
        )
        self._closing.callback(opened.close)
        return opened

    @contextmanager
    def thinking_with(self, model: LanguageModel) -> Iterator[None]:
        """Let the language model be another for a while."""
        before, self._model = self._model, model
        self._thinks_with_another = True
        try:
            yield
        finally:
            self._model, self._thinks_with_another = before, False

    @property
    def limits(self) -> Limits:
        """Limits on what one question may cost."""
        settings = self.settings
        return Limits(
            max_tokens=settings.max_tokens,
            max_calls=settings.max_calls,
            max_probes=settings.max_probes,
            timeout_seconds=settings.timeout,
        )

    @contextmanager
    def under(self, **changes: object) -> Iterator[None]:
        """Let some settings be others for a while."""
        before = self.settings
        self.settings = changed_settings(before, changes)
        try:
            yield
        finally:
            self.settings = before

    def dbt_target(
        self,
        selection: "Selection | None" = None,
        *,
        max_bytes: int | None = None,
        full_refresh: bool = False,
    ) -> "DbtTarget":
        """Connection that dbt is given, and the tables to look at."""
        from linker.catalog.privacy import patterns_of
        from linker.dbt.invocation import DbtTarget
        from linker.dbt.manifest import artifact_places, find_manifest
        from linker.dbt.package_vars import read_package_vars
        from linker.dbt.selection import EVERYTHING, selected_variables

        target, settings = self.target, self.settings
        manifest = find_manifest(settings, target)
        own_project = (
            Path() if profile_of_project(Path("dbt_project.yml")) == target.profile else None
        )
        variables = read_package_vars(own_project) if own_project else {}
        variables |= selected_variables(selection or EVERYTHING, manifest)
        # What is set in neither is left to the package.
        lists = {
            f"{word}_columns": [*patterns, *variables.get(f"{word}_columns", ())]
            for word, patterns in patterns_of(settings).items()
            if patterns
        }
        # What nobody named need not be there.
        compiled = manifest if manifest and (settings.manifest or manifest.path.exists()) else None
        variables |= lists | ({"project": compiled.graph_json()} if compiled else {})
        if max_bytes is not None:
            variables["max_bytes"] = max_bytes
        if settings.scan_seconds is not None:
            variables["scan_seconds"] = settings.scan_seconds
        models = compiled.models() if compiled else ()
        return DbtTarget(
            *(
                target.profiles_dir,
                target.profile,
                target.name,
                settings.state_dir,
                variables,
                full_refresh,
                models,
            ),
            places=artifact_places(settings, target),
            schema=settings.artifacts_schema,
            dbt=settings.dbt or "",
        )

    def close(self) -> None:
        """Let go of what was opened."""
        self._closing.close()
        self.forget_artifacts()
        self._model, self._models_of_steps = None, {}
        store, self._store = self._store, None
        if store is not None:
            store.close()

    def __exit__(self, *error: object) -> None:
        self.close()
