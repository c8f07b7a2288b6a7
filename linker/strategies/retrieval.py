"""Linking by retrieval alone: first the tables whose columns answer best together, then the best columns of those."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from linker.environment import Environment
from linker.types import Catalog, ColumnRef, Hit, LinkedColumn, LinkedSchema, LinkedTable, TableRef

# Tables are told apart by more columns than an answer may have.
_POOL = 200
# A table is as good as its three best columns: one lucky column makes no table.
_TELLING_COLUMNS = 3
_COLUMNS_PER_TABLE = 3


class RetrievalStrategy:
    """Spends the column budget on the columns of the best tables."""

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """The best tables, each with at least its best column."""
        catalog, budget = environment.catalog, environment.settings.column_budget
        hits = environment.retriever.retrieve(question, limit=max(_POOL, 2 * budget))
        known = [hit for hit in hits if catalog.find(hit.ref)]
        tables = choose_tables(known, catalog, budget)
        kept = tuple(ColumnRef(linked.table.ref, one.column.path) for linked in tables for one in linked.columns)
        return LinkedSchema(
            question=question,
            target=environment.target_key,
            strategy="retrieval",
            tables=tables,
            warnings=_warnings(hits, known),
            seen=(("retrieval", tuple(hit.ref for hit in known)), ("budget", kept)),
        )


def choose_tables(hits: Sequence[Hit], catalog: Catalog, budget: int) -> tuple[LinkedTable, ...]:
    """Within the budget, the tables by their telling columns, and of those the columns by their score."""
    by_table: dict[TableRef, list[Hit]] = defaultdict(list)
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.ref)):
        by_table[hit.ref.table].append(hit)
    ranked = sorted(by_table, key=lambda ref: (-_table_score(by_table[ref]), ref))
    chosen = ranked[: max(1, budget // _COLUMNS_PER_TABLE)]
    kept = _spend({ref: by_table[ref] for ref in chosen}, budget)
    return tuple(_linked_table(ref, kept[ref], catalog, rank) for rank, ref in enumerate(chosen, start=1))


def _table_score(hits: Sequence[Hit]) -> float:
    """The mean of the best columns; a table that has fewer in the pool than it takes is marked down for that."""
    return sum(hit.score for hit in hits[:_TELLING_COLUMNS]) / _TELLING_COLUMNS


def _spend(by_table: Mapping[TableRef, Sequence[Hit]], budget: int) -> dict[TableRef, list[Hit]]:
    """The best column of every table, then the best of all that are left."""
    kept = {ref: [hits[0]] for ref, hits in by_table.items()}
    rest = sorted((hit for hits in by_table.values() for hit in hits[1:]), key=lambda hit: (-hit.score, hit.ref))
    for hit in rest[: max(0, budget - len(kept))]:
        kept[hit.ref.table].append(hit)
    return kept


def _linked_table(ref: TableRef, hits: Sequence[Hit], catalog: Catalog, rank: int) -> LinkedTable:
    table = catalog.table_by_ref[ref]
    columns = (
        LinkedColumn(column=table.column_by_path[hit.ref.path], score=hit.score, reason=_reason(rank, hit))
        for hit in hits
    )
    return LinkedTable(table=table, columns=tuple(columns))


def _reason(rank: int, hit: Hit) -> str:
    return f"table {rank}, " + ", ".join(f"{retriever} {score:.2f}" for retriever, score in hit.scores)


def _warnings(hits: Sequence[Hit], known: Sequence[Hit]) -> tuple[str, ...]:
    lost = len(hits) - len(known)
    if not lost:
        return ()
    return (f"{lost} indexed columns are no longer in the warehouse and were left out; run: linker index",)
