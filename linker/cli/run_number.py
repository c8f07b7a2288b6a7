"""How a run is named on the command line: by its number, or as `last`."""

import click


class RunNumber(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases alone
    """Leaves the number, or None for the newest run."""

    name = "run"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """Read it."""
        text = str(value)
        if text == "last":
            return None
        if not text.isdecimal() or not int(text):
            self.fail(f"`{text}` is no run: give its number, or `last`", param, ctx)
        return int(text)
