"""A page for people, laid out in memory by rich: the same in a terminal, a pipe and a test; and costs on it."""

from collections.abc import Iterable, Iterator
from io import StringIO

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from linker.budget import Cost
from linker.link.answer import StepCost
from linker.text.numbers import counted
from linker.text.safe import one_line, size_text


class Page:
    """Collects what is printed on it; colours only where they are asked for."""

    def __init__(self, *, width: int, color: bool) -> None:
        self._text = StringIO()
        self.console = Console(
            file=self._text,
            width=width,
            force_terminal=color,
            color_system="standard" if color else None,
            highlight=False,
        )

    def __str__(self) -> str:
        # Trailing blanks would make a diff of two pages noisy.
        return "\n".join(line.rstrip() for line in self._text.getvalue().splitlines())


_FIGURES = ("calls", "tokens", "cached", "probes", "bytes", "seconds")


def spent(cost: Cost) -> str:
    """What something did cost; what it did not need is left out."""
    parts = [counted(cost.calls, "call")] if cost.calls else []
    if cost.tokens:
        cached = f" ({cost.cached_tokens:,} cached)" if cost.cached_tokens else ""
        parts.append(f"{counted(cost.tokens, 'token')}{cached}")
    parts += [counted(cost.probes, "probe")] if cost.probes else []
    parts += [f"{size_text(cost.bytes)} read"] if cost.bytes else []
    return ", ".join([*parts, f"{cost.seconds:.1f} s"])


def cost_by_step(steps: Iterable[StepCost]) -> Grid:
    """A row for each step."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for number in range(len(_FIGURES) + 1):
        grid.add_column(justify="right" if number else "left")
    grid.add_row("", *(Text(name, style="dim") for name in _FIGURES))
    for step in steps:
        grid.add_row(Text(one_line(step.step)), *_figures(step.cost))
    return grid


def _figures(cost: Cost) -> Iterator[str]:
    yield from (f"{one:,}" for one in (cost.calls, cost.tokens, cost.cached_tokens, cost.probes, cost.bytes))
    yield f"{cost.seconds:.2f}"
