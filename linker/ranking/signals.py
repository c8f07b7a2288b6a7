"""What the index tells ranking about one question: enters what was retrieved, leaves a number a column or table."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linker.retrieval.hybrid import Retrieved
from linker.types import ColumnRef, TableRef


@dataclass(frozen=True)
class Signals:
    """How near columns and tables lie in meaning, and how well the question names a value that a column holds."""

    near: Mapping[ColumnRef, float] = field(default_factory=dict)
    near_tables: Mapping[TableRef, float] = field(default_factory=dict)
    values: Mapping[ColumnRef, float] = field(default_factory=dict)


NO_SIGNALS = Signals()


def signals_of(retrieved: Retrieved) -> Signals:
    """The scores that each way to search gave, as they are: features compare them, ranks would lose the distance."""
    scores = {hit.ref: dict(hit.scores) for hit in retrieved.columns}
    tables = {hit.ref: dict(hit.scores) for hit in retrieved.tables}
    return Signals(
        near={ref: told["dense"] for ref, told in scores.items() if "dense" in told},
        near_tables={ref: told["dense"] for ref, told in tables.items() if "dense" in told},
        values={ref: told["value"] for ref, told in scores.items() if "value" in told},
    )
