"""Brings the index in step with the documents: only those that changed are embedded."""

from collections.abc import Callable, Mapping, Sequence, Set

from msgspec.structs import replace

from linker.embedders import Embedder
from linker.store import Collection, MadeFrom, Store
from linker.types import ColumnRef, Document, Record, Ref

BATCH_SIZE = 256
OnProgress = Callable[[int, int], None]


class IndexPlan(Record, frozen=True):
    """
    The differences between the documents and the index, and the new vectors that lie ready in the
    store.
    """

    documents: tuple[Document, ...]
    changed: tuple[Document, ...]
    gone: tuple[Ref, ...]
    staged: Set[Ref] = frozenset()
    has_snapshot: bool = True

    @property
    def unchanged_count(self) -> int:
        """The number of documents that the index holds as they are."""
        return len(self.documents) - len(self.changed)

    @property
    def to_embed(self) -> tuple[Document, ...]:
        """
        The documents that changed and were not embedded yet; an interrupted run may have done a
        part.
        """
        return tuple(document for document in self.changed if document.ref not in self.staged)

    @property
    def in_step(self) -> bool:
        """
        True where nothing differs, neither a document nor the snapshot from which questions are
        answered.
        """
        return self.has_snapshot and not self.changed and not self.gone

    def __str__(self) -> str:
        embedded = _counted([document.ref for document in self.to_embed])
        before = [document.ref for document in self.changed if document.ref in self.staged]
        since = f" ({_counted(before)} before, by a run that was interrupted)" if before else ""
        return f"{embedded} embedded{since}, {self.unchanged_count:,} unchanged, {_counted(self.gone)} removed"


def _counted(refs: Sequence[Ref]) -> str:
    """A count such as `3 columns and 1 table`; 0 where there are none."""
    columns = sum(isinstance(ref, ColumnRef) for ref in refs)
    counts = {"column": columns, "table": len(refs) - columns}
    return (
        " and ".join(
            f"{count:,} {kind}{'s' * (count != 1)}" for kind, count in counts.items() if count
        )
        or "0"
    )


def plan_index(documents: Sequence[Document], indexed: Mapping[Ref, str]) -> IndexPlan:
    """Compare the documents with what is indexed, by their digest."""
    wanted = {document.ref for document in documents}
    return IndexPlan(
        documents=tuple(documents),
        changed=tuple(
            document for document in documents if indexed.get(document.ref) != document.content_hash
        ),
        gone=tuple(sorted((ref for ref in indexed if ref not in wanted), key=str)),
    )


def read_plan(documents: Sequence[Document], store: Store, collection: Collection) -> IndexPlan:
    """Compare the documents with what the store holds, and with what lies ready there."""
    plan = plan_index(documents, store.content_hashes(collection))
    return replace(plan, staged=store.staged(collection, plan.changed)) if plan.changed else plan


def apply_plan(
    plan: IndexPlan,
    embedder: Embedder,
    store: Store,
    collection: Collection,
    on_progress: OnProgress,
    made_from: MadeFrom | None = None,
) -> None:
    """
    Embed what is missing, batch by batch, then make it the index at once. What was embedded stays,
    come what may.
    """
    if plan.in_step:
        return
    missing = plan.to_embed
    for start in range(0, len(missing), BATCH_SIZE):
        batch = missing[start : start + BATCH_SIZE]
        store.stage(collection, batch, embedder.embed([document.text for document in batch]))
        on_progress(start + len(batch), len(missing))
    store.switch(collection, plan.documents, made_from)
