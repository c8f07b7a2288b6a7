"""
Geometry of the graph of joins: enter a table and its joins, leave places of boxes and lines.
Templates draw them.
"""

from collections.abc import Sequence

from linker.catalog.profile import JoinEdge
from linker.text.safe import shortened, spelled
from linker.types import Record, TableRef

# More than that is a ball of wool; the table below the picture has them all.
MOST_NEIGHBOURS = 24
_BOX = 34
_GAP = 14
_WIDTH = 230
_MARGIN = 150
_LONGEST_NAME = 28
_SURE = 0.9


class Box(Record, frozen=True):
    """A table, where its box lies, and how many joins lead there."""

    ref: TableRef
    label: str
    x: int
    y: int
    joins: int


class Line(Record, frozen=True):
    """A way from one box to another, and what it says where it is pointed at."""

    path: str
    text: str
    is_sure: bool


class JoinGraph(Record, frozen=True):
    """
    A table in the middle, those that point to it on the left, those that it points to on the right.
    """

    width: int
    height: int
    box_width: int
    box_height: int
    centre: Box
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    left_out: int


def join_graph(ref: TableRef, joins: Sequence[JoinEdge]) -> JoinGraph:
    """The neighbourhood of a table, the surest joins first."""
    pointing: dict[TableRef, list[JoinEdge]] = {}
    pointed: dict[TableRef, list[JoinEdge]] = {}
    for edge in joins:
        side, other = (pointed, edge.key) if edge.source == ref else (pointing, edge.source)
        if other != ref:
            side.setdefault(other, []).append(edge)
    half = MOST_NEIGHBOURS // 2
    most = (MOST_NEIGHBOURS - min(len(pointed), half), MOST_NEIGHBOURS - min(len(pointing), half))
    sides = (dict(list(pointing.items())[: most[0]]), dict(list(pointed.items())[: most[1]]))
    rows = max(1, *map(len, sides))
    height = rows * (_BOX + _GAP) - _GAP
    centre = Box(ref, _label(ref, ref), _WIDTH + _MARGIN, (height - _BOX) // 2, len(joins))
    boxes, lines = list[Box](), list[Line]()
    for number, side in enumerate(sides):
        top = (height - len(side) * (_BOX + _GAP) + _GAP) // 2
        for row, (other, edges) in enumerate(side.items()):
            box = Box(
                other,
                _label(other, ref),
                number * 2 * (_WIDTH + _MARGIN),
                top + row * (_BOX + _GAP),
                len(edges),
            )
            boxes.append(box)
            start, end = (centre, box) if number else (box, centre)
            text = "; ".join(f"{pairs_of(edge)}: {edge.evidence}" for edge in edges)
            lines.append(Line(_curve(start, end), text, edges[0].confidence >= _SURE))
    left_out = len(pointing) + len(pointed) - len(boxes)
    return JoinGraph(
        3 * _WIDTH + 2 * _MARGIN, height, _WIDTH, _BOX, centre, tuple(boxes), tuple(lines), left_out
    )


def pairs_of(edge: JoinEdge) -> str:
    """The columns of a join, pair by pair."""
    pairs = zip(edge.from_columns, edge.to_columns, strict=True)
    return " and ".join(f"{spelled(left)} = {spelled(right)}" for left, right in pairs)


def _label(ref: TableRef, beside: TableRef) -> str:
    return shortened(spelled(ref.name if ref.schema == beside.schema else ref), _LONGEST_NAME)


def _curve(start: Box, end: Box) -> str:
    left, right = start.x + _WIDTH, end.x
    middle, above, below = (left + right) // 2, start.y + _BOX // 2, end.y + _BOX // 2
    return f"M{left} {above}C{middle} {above} {middle} {below} {right} {below}"
