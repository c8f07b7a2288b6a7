"""Results as data frames of pandas or polars, of which neither is installed with linker."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from linker.errors import ConfigError
from linker.types import Record

if TYPE_CHECKING:
    import pandas
    import polars


class Frame(Record, frozen=True):
    """A table of plain values: names of columns, and rows."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, names: Iterable[str], records: Iterable[Mapping[str, Any]]) -> "Frame":
        """Some fields of records."""
        names = tuple(names)
        rows: list[tuple[Any, ...]] = []
        for record in records:
            rows.append(tuple(map(record.__getitem__, names)))
        return cls(names, tuple(rows))


def to_pandas(frame: Frame) -> "pandas.DataFrame":
    """The frame in pandas."""
    made: pandas.DataFrame = _library("pandas").DataFrame(frame.rows, columns=distinct(frame.names))
    return made


def to_polars(frame: Frame) -> "polars.DataFrame":
    """The frame in polars; the type of a column follows from all its values."""
    library = _library("polars")
    columns = []
    for place, name in enumerate(distinct(frame.names)):
        values = [row[place] for row in frame.rows]
        columns.append(library.Series(name, values, strict=False))
    made: polars.DataFrame = library.DataFrame(columns)
    return made


def distinct(names: Iterable[str]) -> list[str]:
    """The names in their order; one that comes again gets a number."""
    found = dict[str, None]()
    for name in names:
        number, free = 1, name
        while free in found:
            number += 1
            free = f"{name}_{number}"
        found[free] = None
    return [*found]


def _library(name: str) -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise ConfigError(f"{name} is not installed", hint=f"pip install {name}") from None
