"""Brings the index in step with the catalog: only documents that changed are embedded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from linker.embedders import Embedder
from linker.store import Collection, MadeFrom, Store
from linker.types import ColumnRef, Document, Ref

BATCH_SIZE = 256
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What differs between the documents and the index."""

    changed: tuple[Document, ...]
    unchanged_count: int
    gone: tuple[Ref, ...]
    has_snapshot: bool = True

    @property
    def in_step(self) -> bool:
        """Whether nothing differs, neither a document nor the snapshot from which questions are answered."""
        return self.has_snapshot and not self.changed and not self.gone

    def __str__(self) -> str:
        embedded = _counted([document.ref for document in self.changed])
        return f"{embedded} embedded, {self.unchanged_count:,} unchanged, {_counted(self.gone)} removed"


def _counted(refs: Sequence[Ref]) -> str:
    """Such as `3 columns and 1 table`; 0 where there are none."""
    columns = sum(isinstance(ref, ColumnRef) for ref in refs)
    counts = {"column": columns, "table": len(refs) - columns}
    return " and ".join(f"{count:,} {kind}{'s' * (count != 1)}" for kind, count in counts.items() if count) or "0"


def plan_index(documents: Sequence[Document], indexed: Mapping[Ref, str]) -> IndexPlan:
    """Compare the documents with what is indexed, by their digest."""
    changed = tuple(document for document in documents if indexed.get(document.ref) != document.content_hash)
    wanted = {document.ref for document in documents}
    return IndexPlan(
        changed=changed,
        unchanged_count=len(documents) - len(changed),
        gone=tuple(sorted((ref for ref in indexed if ref not in wanted), key=str)),
    )


def apply_plan(
    plan: IndexPlan,
    embedder: Embedder,
    store: Store,
    collection: Collection,
    on_progress: OnProgress,
    made_from: MadeFrom | None = None,
) -> None:
    """Embed what changed, batch by batch, and forget what is gone. What was written stays, whatever comes later."""
    if plan.changed:
        store.prepare(collection, incoming=len(plan.changed))
    for start in range(0, len(plan.changed), BATCH_SIZE):
        batch = plan.changed[start : start + BATCH_SIZE]
        store.write(collection, batch, embedder.embed([document.text for document in batch]))
        on_progress(start + len(batch), len(plan.changed))
    if plan.gone:
        store.delete(collection, plan.gone)
    # Even where nothing changed: a run that was killed may have left this undone.
    store.settle(collection, made_from)
