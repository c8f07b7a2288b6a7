"""
Completes a linked schema so that every remaining hypothesis can be answered: join keys on both
sides, a column in each table, and a column for each value in the question. Additions are marked.

A hypothesis is ruled out when one of its tables was discarded, or a column that only it needs. If
all would be ruled out, the least affected one continues. `wanted` lists the tables,
`collect_tables` looks them up, and `complete` works from these alone, so that traces can be
replayed without a warehouse.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from linker.catalog.column_metadata import KeyPair
from linker.linking.linking_state import Hypothesis, Item, ItemStatus, Refinement
from linker.linking.mschema import as_join, key_pair
from linker.linking.prompt_sections import ranked_columns
from linker.linking.result import (
    Alternative,
    Discarded,
    Evidence,
    Join,
    LinkedColumn,
    LinkedTable,
    Status,
)
from linker.linking.value_linking import Binding, LinkedQuestion
from linker.ranking.column_selection import connected
from linker.ranking.ranker import probability
from linker.types import ColumnRef, Record, Ref, Table, TableRef

_STATUS: Mapping[ItemStatus, Status] = {
    "required": "required",
    "kept": "kept",
    "undecided": "pending",
    "discarded": "kept",
}


class TableContext(Record, frozen=True):
    """
    A table of the answer: record, relevance, best column, identical tables, and column scores.
    """

    table: Table
    score: float
    best: tuple[ColumnRef, ...]
    siblings: tuple[TableRef, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()


class Survey(Record, frozen=True):
    """The part of the catalog that completion needs: tables, joins, and values by name."""

    tables: tuple[TableContext, ...]
    joins: tuple[KeyPair, ...] = ()
    bindings: tuple[Binding, ...] = ()


class CompletedSchema(Record, frozen=True):
    """What completion adds to the answer."""

    tables: tuple[LinkedTable, ...]
    joins: tuple[Join, ...]
    alternatives: tuple[Alternative, ...]
    discarded: tuple[Discarded, ...]


def ruled_out(state: Refinement) -> dict[int, str]:
    """Hypotheses with a discarded table or distinguishing column, with the reason."""
    shared = _needed_by_all(state.hypotheses)
    gone: dict[int, list[Item]] = {}
    for hypothesis in state.hypotheses:
        own = (ref for ref in hypothesis.columns if ref not in shared)
        needed: tuple[Ref, ...] = (*hypothesis.tables, *own)
        items = filter(None, map(state.find, needed))
        gone[hypothesis.number] = [item for item in items if item.status == "discarded"]
    if all(gone.values()) and gone:
        # Keep the only hypothesis, reduced; of several the least affected.
        gone[min(gone, key=lambda number: len(gone[number]))] = []
    return {
        number: f"without {lost[0].ref}: {lost[0].reason}" for number, lost in gone.items() if lost
    }


def _needed_by_all(hypotheses: Sequence[Hypothesis]) -> set[ColumnRef]:
    """Columns that all hypotheses share."""
    columns = [set(hypothesis.columns) for hypothesis in hypotheses]
    return set.intersection(*columns) if columns else set()


def wanted(state: Refinement) -> tuple[TableRef, ...]:
    """Tables of the answer, kept ones first, then those of open hypotheses."""
    kept = [item.ref.table for item in state.answer]
    return tuple(dict.fromkeys((*kept, *_hinted(state))))


def to_connect(state: Refinement) -> tuple[tuple[TableRef, ...], ...]:
    """
    Groups of tables that must join: one per open hypothesis. Items decided on belong to the first;
    other tables are for inspection, and no query joins two hypotheses.
    """
    groups = list[tuple[TableRef, ...]]()
    for hypothesis in _open(state):
        ends = (column.table for column in _ends(hypothesis))
        groups.append(tuple(dict.fromkeys((*hypothesis.tables, *ends))))
    hinted = set(chain.from_iterable(groups))
    firm = (item.ref.table for item in state.answer if item.status != "undecided")
    others = dict.fromkeys(ref for ref in firm if ref not in hinted)
    first, *further = groups or [()]
    return ((*first, *others), *further)


def _hinted(state: Refinement) -> list[TableRef]:
    """Tables of open hypotheses, then those of their joins."""
    tables: list[TableRef] = []
    joined: list[TableRef] = []
    for hypothesis in _open(state):
        tables += hypothesis.tables
        joined += [column.table for column in _ends(hypothesis)]
    return tables + joined


def collect_tables(
    question: LinkedQuestion,
    tables: Sequence[TableRef],
    to_join: Sequence[Sequence[TableRef]],
    joins: tuple[KeyPair, ...] = (),
) -> Survey:
    """Look up tables, and those that connect each group; `joins` overrides computed ones."""
    lexicon = question.ranked.index.lexicon
    indexes = {table.ref: number for number, table in enumerate(lexicon.tables)}
    edges = chain.from_iterable(connected(question.ranked, group) for group in to_join)
    connecting = (key_pair(question.facts, left, right) for left, right in edges)
    joins = tuple(dict.fromkeys((*joins, *connecting)))
    joined = {pair.left for pair in joins} | {pair.right for pair in joins}
    # Unranked tables join by measured joins only.
    far = {ref for ref in tables if ref not in indexes}
    measured = (pair for pair in question.facts.joins if far & {pair.left, pair.right})
    joins = tuple(
        dict.fromkeys(
            (*joins, *(pair for pair in measured if {pair.left, pair.right} <= {*tables}))
        )
    )
    all_tables = tuple(dict.fromkeys((*tables, *sorted(joined))))
    # A word that matches a value by chance needs no column.
    bindings = tuple(
        binding for binding in question.mentions.facts if binding.ref.table in all_tables
    )
    return Survey(
        tuple(_surveyed(question, ref, indexes.get(ref)) for ref in all_tables), joins, bindings
    )


def complete(state: Refinement, surveyed: Survey) -> CompletedSchema:
    """The completed answer."""
    out = ruled_out(state)
    chosen = {item.ref: item for item in state.answer}
    for ref, reason in _missing(state, surveyed):
        chosen.setdefault(ref, Item(ref, "kept", reason=reason))
    for entry in surveyed.tables:
        inside = any(isinstance(ref, ColumnRef) and ref.table == entry.table.ref for ref in chosen)
        for ref in entry.best[:1] if not inside else ():
            chosen[ref] = Item(ref, "kept", reason="most relevant column of its table")
    evidence = _keys_and_values(surveyed)
    chosen = {
        ref: replace(item, evidence=(*item.evidence, *evidence.get(ref, ())))
        for ref, item in chosen.items()
    }
    present = {ref.table for ref in chosen}
    values = {binding.ref: binding.reason for binding in reversed(surveyed.bindings)}
    tables = [
        _linked(entry, chosen, values) for entry in surveyed.tables if entry.table.ref in present
    ]
    scores = {entry.table.ref: entry.score for entry in surveyed.tables}
    tables.sort(key=lambda linked: (linked.status != "required", -scores[linked.table.ref]))
    return CompletedSchema(
        tables=tuple(tables),
        joins=tuple(as_join(pair) for pair in surveyed.joins),
        alternatives=tuple(
            Alternative(
                hypothesis.number,
                hypothesis.summary,
                tuple(map(str, hypothesis.diverges)),
                hypothesis.tables,
                out.get(hypothesis.number, ""),
                hypothesis.columns,
            )
            for hypothesis in state.hypotheses
        ),
        discarded=tuple(
            Discarded(item.ref, item.reason, item.credibility)
            for item in state.items
            if item.status == "discarded" and item.ref not in chosen
        ),
    )


def _open(state: Refinement) -> list[Hypothesis]:
    """Hypotheses that must stay answerable, reduced to their remaining items."""
    out = ruled_out(state)
    return [
        _narrowed(state, hypothesis)
        for hypothesis in state.hypotheses
        if hypothesis.number not in out
    ]


def _narrowed(state: Refinement, hypothesis: Hypothesis) -> Hypothesis:
    tables = tuple(ref for ref in hypothesis.tables if state.status_of(ref) != "discarded")
    joins = []
    for pair in hypothesis.joins:
        if all(state.status_of(ref.table) != "discarded" for ref in pair):
            joins.append(pair)
    # A hypothesis without any remaining table is replaced if other items were kept.
    is_replaced = (
        tables or not hypothesis.tables or any(item.status == "kept" for item in state.items)
    )
    return replace(hypothesis, tables=tables, joins=tuple(joins)) if is_replaced else hypothesis


def _ends(hypothesis: Hypothesis) -> list[ColumnRef]:
    return list(chain.from_iterable(hypothesis.joins))


def _missing(state: Refinement, surveyed: Survey) -> Iterator[tuple[ColumnRef | TableRef, str]]:
    """Missing tables and columns, with reasons."""
    for entry in surveyed.tables:
        yield entry.table.ref, "connects tables of the answer"
    for hypothesis in _open(state):
        yield from (
            (ref, f"join key of hypothesis {hypothesis.number}") for ref in _ends(hypothesis)
        )
    for pair in surveyed.joins:
        yield from (
            (ColumnRef(pair.left, path), f"join key to {pair.right}") for path in pair.left_columns
        )
        yield from (
            (ColumnRef(pair.right, path), f"join key to {pair.left}") for path in pair.right_columns
        )
    held = {
        binding.words
        for binding in surveyed.bindings
        if state.status_of(binding.ref) not in (None, "discarded")
    }
    for binding in surveyed.bindings:
        if binding.words not in held:
            held.add(binding.words)
            yield binding.ref, binding.reason


def _keys_and_values(surveyed: Survey) -> dict[ColumnRef | TableRef, list[Evidence]]:
    evidence_by_ref: dict[ColumnRef | TableRef, list[Evidence]] = {}
    for binding in surveyed.bindings:
        evidence_by_ref.setdefault(binding.ref, []).append(Evidence("value", binding.fact))
    for pair in surveyed.joins:
        for own, paths, other in (
            (pair.left, pair.left_columns, pair.right),
            (pair.right, pair.right_columns, pair.left),
        ):
            for path in paths:
                evidence_by_ref.setdefault(ColumnRef(own, path), []).append(
                    Evidence("key", f"join key to {other}")
                )
    return evidence_by_ref


def _linked(
    entry: TableContext,
    chosen: Mapping[ColumnRef | TableRef, Item],
    values: Mapping[ColumnRef, str],
) -> LinkedTable:
    ref, scores = entry.table.ref, dict(entry.scores)
    items = [(column, chosen.get(ColumnRef(ref, column.path))) for column in entry.table.columns]
    columns = tuple(
        LinkedColumn(
            column,
            scores.get(column.path, 0.0),
            _reason(item, values.get(ColumnRef(ref, column.path), "")),
            _STATUS[item.status],
            item.credibility,
            item.evidence,
        )
        for column, item in items
        if item
    )
    own = chosen.get(ref) or Item(ref, "kept")
    return LinkedTable(
        entry.table,
        tuple(sorted(columns, key=lambda column: (column.status != "required", -column.score))),
        stands_for=tuple(sibling for sibling in entry.siblings if sibling not in chosen),
        reason=_reason(own),
        status=_STATUS[own.status],
        credibility=own.credibility,
        evidence=own.evidence,
    )


def _reason(item: Item, value: str = "") -> str:
    """The reason of a decision, else a matched value, else other evidence."""
    if item.reason or value:
        return item.reason or value
    order = ("value", "key", "probe", "statistic", "vote", "profile")
    ordered = sorted(item.evidence, key=lambda evidence: order.index(evidence.kind))
    return ordered[0].text if ordered else "included with its table"


def _surveyed(question: LinkedQuestion, ref: TableRef, index: int | None) -> TableContext:
    table = question.catalog.table_by_ref[ref]
    best = ranked_columns(question, [ref])
    keys = [column for column in best if question.facts.get(column).is_primary_key]
    lexicon = question.ranked.index.lexicon
    scores: tuple[tuple[str, float], ...] = ()
    if index is not None:
        first, end = int(lexicon.starts[index]), int(lexicon.starts[index + 1])
        odds = probability(question.ranked.columns[first:end])
        scores = tuple(
            (lexicon.refs[first + offset].path, float(odds[offset]))
            for offset in range(end - first)
        )
    score = float(probability(question.ranked.tables[index])) if index is not None else 0.0
    return TableContext(
        table, score, tuple((*keys, *best)[:1]), question.read.siblings.get(ref, ()), scores
    )
