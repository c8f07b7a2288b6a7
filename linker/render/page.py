"""A page for people: rich lays it out in memory, so that it looks the same in a terminal, a pipe and a test."""

from io import StringIO

from rich.console import Console


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
