"""Linking by retrieval alone: the columns nearest to the question, gathered by table."""

from collections import defaultdict
from collections.abc import Sequence

from linker.environment import Environment
from linker.types import Catalog, Hit, LinkedColumn, LinkedSchema, LinkedTable, TableRef


class RetrievalStrategy:
    """Spends the column budget on the best hits, whatever their tables."""

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """The nearest columns, the table of the best one first."""
        catalog = environment.catalog
        hits = environment.retriever.retrieve(question, limit=environment.settings.column_budget)
        known = [hit for hit in hits if catalog.find(hit.ref)]
        return LinkedSchema(
            question=question,
            target=environment.target.key,
            strategy="retrieval",
            tables=gather_tables(known, catalog),
            warnings=_warnings(hits, known),
        )


def gather_tables(hits: Sequence[Hit], catalog: Catalog) -> tuple[LinkedTable, ...]:
    """The hits by table, in the order of each table's best hit; columns in the order of their score."""
    columns: dict[TableRef, list[LinkedColumn]] = defaultdict(list)
    for rank, hit in enumerate(hits, start=1):
        column = catalog.find(hit.ref)
        if column is not None:
            columns[hit.ref.table].append(LinkedColumn(column=column, score=hit.score, reason=_reason(rank, hit)))
    return tuple(LinkedTable(table=catalog.table_by_ref[ref], columns=tuple(found)) for ref, found in columns.items())


def _reason(rank: int, hit: Hit) -> str:
    return f"rank {rank}: " + ", ".join(f"{retriever} {score:.2f}" for retriever, score in hit.scores)


def _warnings(hits: Sequence[Hit], known: Sequence[Hit]) -> tuple[str, ...]:
    lost = len(hits) - len(known)
    if not lost:
        return ()
    return (f"{lost} indexed columns are no longer in the warehouse and were left out; run: linker index",)
