"""
Layout of text pages with rich, rendered in memory so that terminal, pipe and test agree; and costs.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from io import StringIO
from typing import Literal

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from linker.budget import Cost
from linker.linking.result import StepCost
from linker.text.commands import completed
from linker.text.escaping import one_line
from linker.text.numbers import counted, size_text


def page(parts: Iterable[RenderableType], *, width: int, color: bool) -> str:
    """Parts below each other, in colour if wanted."""
    system: Literal["standard"] | None = "standard" if color else None
    console = Console(
        file=StringIO(), width=width, force_terminal=color, color_system=system, highlight=False
    )
    with console.capture() as printed:
        for part in parts:
            console.print(part)
    # Trailing spaces would be noise in diffs.
    return completed("\n".join(line.rstrip() for line in printed.get().splitlines()))


def grid_of(*columns: Column, expand: bool = False) -> Grid:
    return Grid.grid(*columns, padding=(0, 2, 0, 0), expand=expand)


_FIGURES = ("calls", "tokens", "cached", "probes", "bytes", "seconds")


def indented(part: RenderableType) -> Padding:
    """Indented by two characters."""
    return Padding(part, (0, 0, 0, 2))


def facts_grid(
    facts: Iterable[tuple[str, RenderableType]], *, label_width: int | None = None
) -> Grid:
    """One row per fact; a width for labels stretches the values."""
    if label_width is None:
        grid = grid_of(Column(style="dim", no_wrap=True), Column(overflow="fold"))
    else:
        grid = grid_of(Column(style="dim", width=label_width), Column(ratio=1), expand=True)
    for name, fact in facts:
        grid.add_row(name, fact)
    return grid


def figures_grid(
    heads: Sequence[str],
    rows: Iterable[Iterable[Text]],
    left: Collection[str],
    spare: Sequence[str],
    width: int,
    gap: int,
) -> Grid:
    """One-line rows below heads; if too wide, `spare` columns are dropped in order."""
    lines = [[Text(head, style="dim") for head in heads], *map(list, rows)]
    widths: dict[str, int] = {}
    for index, head in enumerate(heads):
        widths[head] = max(line[index].cell_len for line in lines) + gap
    for head in spare:
        if sum(widths.values()) > width + gap:
            del widths[head]
    columns = (Column(justify="left" if head in left else "right", no_wrap=True) for head in widths)
    grid = Grid.grid(*columns, padding=(0, gap, 0, 0))
    for line in lines:
        grid.add_row(*(cell for head, cell in zip(heads, line, strict=True) if head in widths))
    return grid


def spent(cost: Cost) -> str:
    """Cost in one line, without zero parts."""
    parts = [counted(cost.calls, "call")] if cost.calls else []
    if cost.tokens:
        cached = f" ({cost.cached_tokens:,} cached)" if cost.cached_tokens else ""
        parts.append(f"{counted(cost.tokens, 'token')}{cached}")
    parts += [counted(cost.probes, "probe")] if cost.probes else []
    parts += [f"{size_text(cost.bytes)} read"] if cost.bytes else []
    return ", ".join([*parts, f"{cost.seconds:.1f} s"])


def cost_by_step(steps: Iterable[StepCost]) -> Grid:
    """One row per step."""
    rows = ((Text(one_line(step.step)), *map(Text, _figures(step.cost))) for step in steps)
    return figures_grid(("", *_FIGURES), rows, ("",), (), 0, 2)


def _figures(cost: Cost) -> Iterator[str]:
    yield from (
        f"{figure:,}"
        for figure in (cost.calls, cost.tokens, cost.cached_tokens, cost.probes, cost.bytes)
    )
    yield f"{cost.seconds:.2f}"
