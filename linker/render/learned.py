"""Lines on what was learned from the queries of a source, for people."""

import json

from linker.learn.counting import Counted
from linker.learn.sources import Learned, LearnedBefore
from linker.text.commands import pasted
from linker.text.numbers import counted as named_count
from linker.text.safe import one_line, spelled

_JOINS_SHOWN = 10
_TERMS_SHOWN = 10


def learned_table(learned: Learned) -> str:
    """Counts of the statements of a source and of what they use, and the joins that are new."""
    counted = learned.counted
    lines = [
        f"{one_line(learned.source)}   {_read(counted)}{' · unchanged' if learned.is_unchanged else ''}"
    ]
    if counted.skipped:
        lines.append(f"  skipped     {_skipped(counted)}")
    if counted.used:
        used = ((counted.tables, "table"), (counted.columns, "column"), (counted.joins, "join"))
        lines.append(
            f"  they use    {' · '.join(named_count(count, noun) for count, noun in used)}"
        )
    if counted.new_joins:
        lines.append(f"  new joins   {len(counted.new_joins):,} not declared as a key")
        for (left, right), use in counted.new_joins[:_JOINS_SHOWN]:
            lines.append(f"    {spelled(f'{left} = {right}')}   {use}")
        if more := len(counted.new_joins) - _JOINS_SHOWN:
            lines += [f"    and {more:,} more; --format json lists them"] if more > 0 else []
    if counted.terms:
        lines.append("  terms       column aliases in queries; add correct ones to linker.yml:")
        lines.append("    glossary:")
        lines += [
            f"      {json.dumps(one_line(term), ensure_ascii=False)}: [{spelled(ref)}]"
            for (term, ref), _ in counted.terms[:_TERMS_SHOWN]
        ]
    return "\n".join(lines)


def kept_line(kept: LearnedBefore) -> str:
    """A source that was learned before."""
    if kept.prior_use is None:
        again = f"{pasted('linker learn')} {one_line(kept.source)}"
        return f"{one_line(kept.source)}   read by another version; run: {again}"
    known = kept.prior_use
    queries = f"{known.queries:,} distinct {'query' if known.queries == 1 else 'queries'}"
    facts = f"{queries} · {named_count(len(known.tables), 'table')} · {named_count(len(known.joins), 'join')}"
    return f"{one_line(kept.source)}   {facts} · read {kept.learned_at:%Y-%m-%d %H:%M} UTC"


def forgotten_line(source: str) -> str:
    """A source that is no longer known."""
    return f"{one_line(source)}   forgotten"


def _read(counted: Counted) -> str:
    different = f", {counted.queries:,} distinct" if counted.queries != counted.used else ""
    partly = f"; {counted.partly:,} only partly" if counted.partly else ""
    return f"{counted.read:,} statements read · {counted.used:,} used{different}{partly} · {counted.skipped:,} skipped"


def _skipped(counted: Counted) -> str:
    reasons = (
        (counted.broken, "cannot be parsed"),
        (counted.other_tables, "on tables outside the catalog"),
        (counted.no_table, "without tables"),
    )
    return " · ".join(f"{count:,} {why}" for count, why in reasons if count)
