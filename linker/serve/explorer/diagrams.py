"""
Layout of join diagrams: boxes with join columns, referencing tables on the left, edges between.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from linker.catalog.column_metadata import SURE_ENOUGH, KeyPair
from linker.linking.result import Join
from linker.text.escaping import escape_invisible, shortened
from linker.types import Record, TableRef

# Larger diagrams are illegible.
MAX_TABLES = 30
_MAX_LINES = 40
_MAX_ROWS = 6
_MAX_IN_COLUMN = 9
_WIDTH = 220
_HEAD = 26
_ROW = 19
_ACROSS = 84
_DOWN = 18
_LONGEST_NAME = 27
_SURE = 0.9
_PASSES = 4

Edge = Join | KeyPair


class DiagramTable(Record, frozen=True):
    """A table with the position and columns of its box."""

    ref: TableRef
    label: str
    rows: tuple[str, ...]
    x: int
    y: int

    @property
    def height(self) -> int:
        """Height of the box."""
        return _HEAD + _ROW * len(self.rows)

    def middle_of(self, row: str) -> int:
        """Vertical position of a column's edge."""
        if row not in self.rows:
            return self.y + _HEAD // 2
        return self.y + _HEAD + _ROW * self.rows.index(row) + _ROW // 2


class DiagramJoin(Record, frozen=True):
    """An edge between boxes, with label and cardinality at both ends."""

    path: str
    text: str
    is_sure: bool
    ends: tuple[tuple[int, int, str], ...]


class Diagram(Record, frozen=True):
    """A join diagram; `left_out` counts omitted tables."""

    width: int
    height: int
    boxes: tuple[DiagramTable, ...]
    lines: tuple[DiagramJoin, ...]
    left_out: int
    box_width: int = _WIDTH
    head: int = _HEAD
    row: int = _ROW


def diagram(tables: Iterable[TableRef], edges: Iterable[Edge]) -> Diagram:
    """Joined tables, the most joined first if they are too many."""
    wanted = set(tables)
    joins = _surest(edge for edge in edges if {edge.left, edge.right} <= wanted)
    degrees: Counter[TableRef] = Counter()
    for edge in joins:
        degrees.update((edge.left, edge.right))
    drawn = [ref for ref, _ in sorted(degrees.items(), key=lambda item: (-item[1], item[0]))]
    kept = set(drawn[:MAX_TABLES])
    lines = [edge for edge in joins if edge.left in kept and edge.right in kept]
    rows = _rows(kept, lines)
    boxes = _placed(_in_order(_levels(kept, lines), lines), rows)
    width = max((box.x + _WIDTH for box in boxes.values()), default=0)
    height = max((box.y + box.height for box in boxes.values()), default=0)
    return Diagram(
        width,
        height,
        tuple(boxes.values()),
        tuple(_line(edge, boxes) for edge in lines),
        len(drawn) - len(kept),
    )


def _surest(edges: Iterable[Edge]) -> list[Edge]:
    """
    The most confident join of each table pair, without self-joins; of very many only almost certain
    ones.
    """
    best: dict[frozenset[TableRef], Edge] = {}
    for edge in edges:
        pair = frozenset((edge.left, edge.right))
        before = best.get(pair)
        is_better = before is None or _confidence(edge) > _confidence(before)
        if edge.left != edge.right and is_better and _confidence(edge) >= SURE_ENOUGH:
            best[pair] = edge
    sure = [edge for edge in best.values() if _confidence(edge) >= _SURE]
    return sure if len(best) > _MAX_LINES else list(best.values())


def _confidence(edge: Edge) -> float:
    return edge.confidence if isinstance(edge, KeyPair) else 1.0


def _rows(tables: Iterable[TableRef], edges: Iterable[Edge]) -> dict[TableRef, tuple[str, ...]]:
    """Join columns of each table, the most used first."""
    used: dict[TableRef, Counter[str]] = {ref: Counter() for ref in tables}
    for edge in edges:
        used[edge.left].update(edge.left_columns)
        used[edge.right].update(edge.right_columns)
    rows = {}
    for ref, counts in used.items():
        names = [name for name, _ in counts.most_common(_MAX_ROWS)]
        rows[ref] = tuple(names)
    return rows


def _levels(tables: Iterable[TableRef], edges: Sequence[Edge]) -> dict[TableRef, int]:
    """
    Column of each table from the left: just before the tables it references, except in cycles.
    """
    pointed: dict[TableRef, list[TableRef]] = {ref: [] for ref in tables}
    for edge in edges:
        pointed[edge.left].append(edge.right)
    steps: dict[TableRef, int] = {}

    def count(ref: TableRef, seen: frozenset[TableRef]) -> int:
        """Steps to the rightmost referenced table."""
        if ref not in steps:
            behind = [item for item in sorted(pointed[ref]) if item not in seen]
            steps[ref] = max((count(item, seen | {ref}) + 1 for item in behind), default=0)
        return steps[ref]

    for ref in sorted(pointed, key=lambda ref: (len(pointed[ref]), ref)):
        count(ref, frozenset({ref}))
    most = max(steps.values(), default=0)
    return {ref: most - number for ref, number in steps.items()}


def _in_order(levels: Mapping[TableRef, int], edges: Sequence[Edge]) -> list[list[TableRef]]:
    """Tables of each level, near those that they join."""
    columns: list[list[TableRef]] = [[] for _ in range(max(levels.values(), default=-1) + 1)]
    for ref in sorted(levels):
        columns[levels[ref]].append(ref)
    near: dict[TableRef, list[TableRef]] = {ref: [] for ref in levels}
    for edge in edges:
        near[edge.left].append(edge.right)
        near[edge.right].append(edge.left)
    for _ in range(_PASSES):
        heights = _heights(columns)
        for column in columns:
            column.sort(key=lambda ref: _mean([heights[item] for item in near[ref]]))
    return _split(columns)


def _heights(columns: Sequence[Sequence[TableRef]]) -> dict[TableRef, float]:
    """Relative height of each table in its level, from 0 to 1."""
    heights = {}
    for column in columns:
        for index, ref in enumerate(column):
            heights[ref] = (index + 0.5) / len(column)
    return heights


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.5


def _split(columns: Iterable[list[TableRef]]) -> list[list[TableRef]]:
    """Levels, with tall ones split into several."""
    split = []
    for column in columns:
        parts = -(-len(column) // _MAX_IN_COLUMN)
        for part in range(parts):
            split.append(column[part::parts])
    return split


def _placed(
    columns: Sequence[Sequence[TableRef]], rows: Mapping[TableRef, tuple[str, ...]]
) -> dict[TableRef, DiagramTable]:
    heights = []
    for column in columns:
        heights.append(sum(_HEAD + _ROW * len(rows[ref]) + _DOWN for ref in column) - _DOWN)
    schemas = {ref.schema for ref in rows}
    boxes: dict[TableRef, DiagramTable] = {}
    for number, column in enumerate(columns):
        y = (max(heights) - heights[number]) // 2
        for ref in column:
            name = escape_invisible(ref.name if len(schemas) == 1 else ref)
            label = shortened(name, _LONGEST_NAME)
            boxes[ref] = DiagramTable(ref, label, rows[ref], number * (_WIDTH + _ACROSS), y)
            y += boxes[ref].height + _DOWN
    return boxes


def _line(edge: Edge, boxes: Mapping[TableRef, DiagramTable]) -> DiagramJoin:
    left, right = boxes[edge.left], boxes[edge.right]
    start = (left.x + _WIDTH, left.middle_of(edge.left_columns[0]))
    end = (right.x, right.middle_of(edge.right_columns[0]))
    sides = (1, -1)
    if right.x == left.x:
        end, sides = (right.x + _WIDTH, end[1]), (1, 1)
    elif right.x < left.x:
        start, end, sides = (left.x, start[1]), (right.x + _WIDTH, end[1]), (-1, 1)
    bend = max(40, abs(end[0] - start[0]) // 2)
    bends = (start[0] + sides[0] * bend, end[0] + sides[1] * bend)
    path = f"M{start[0]} {start[1]}C{bends[0]} {start[1]} {bends[1]} {end[1]} {end[0]} {end[1]}"
    many = (edge.cardinality or "").partition(":")
    ends = []
    for (x, y), side, text in zip((start, end), sides, (many[0], many[2]), strict=True):
        if text:
            ends.append((x + 8 * side, y - 4, text))
    pairs = zip(edge.left_columns, edge.right_columns, strict=True)
    text = " and ".join(f"{edge.left}.{own} = {edge.right}.{other}" for own, other in pairs)
    return DiagramJoin(path, escape_invisible(text), _confidence(edge) >= _SURE, tuple(ends))
