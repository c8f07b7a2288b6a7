"""Python API: parameters, errors, data frames."""

import inspect
import pickle
import sys
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import fields

from linker import Linker
from linker.config.settings import Settings
from linker.errors import ConfigError, LinkerError
from linker.output.notebook_results import Frame, distinct, to_pandas, to_polars
from linker.text.commands import for_python

METHODS = [
    getattr(Linker, name)
    for name in vars(Linker)
    if not name.startswith("_") and callable(getattr(Linker, name))
]


def test_every_setting_is_an_argument_of_open_with_a_type() -> None:
    parameters = inspect.signature(Linker.open).parameters
    assert {*parameters} == {"config", *(setting.name for setting in fields(Settings))}
    assert all(item.kind is item.KEYWORD_ONLY for item in parameters.values())
    assert all(item.default is None for item in parameters.values())


def test_the_type_of_an_argument_is_what_its_setting_holds() -> None:
    given, held = get_type_hints(Linker.open), get_type_hints(Settings)
    for setting in fields(Settings):
        kinds = {*get_args(given[setting.name])}
        kind_held = held[setting.name]
        of_record = set() if get_origin(kind_held) is tuple else {*get_args(kind_held), kind_held}
        for kind in (str, int, float, bool, Path, timedelta):
            assert kind not in of_record or kind in kinds, setting.name


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_every_method_has_real_parameters_types_and_words(method: object) -> None:
    assert callable(method)
    signature = inspect.signature(method)
    hints = get_type_hints(method)
    for name, parameter in signature.parameters.items():
        assert parameter.kind is not parameter.VAR_KEYWORD
        assert name == "self" or name in hints
    assert "return" in hints
    assert len(inspect.getdoc(method) or "") > 20


def test_the_settings_of_a_question_are_those_of_open() -> None:
    settings = inspect.signature(Linker.open).parameters
    asked = inspect.signature(Linker.ask).parameters
    assert [name for name in asked if name not in settings] == ["self", "question"]
    assert all(asked[name].annotation == settings[name].annotation for name in [*asked][2:])
    written = inspect.signature(Linker.sql).parameters
    assert [name for name in written if name != "dry_run"] == [*asked]


def test_a_misspelt_setting_is_refused() -> None:
    with pytest.raises(TypeError, match="modle"):
        Linker.open(modle="x")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("linker index", "`linker.index()`"),
        (
            "linker refresh --full --allow-empty-schemas",
            "`linker.refresh(full=True, allow_empty_schemas=True)`",
        ),
        ("run: linker refresh --target NAME", "run: `Linker.open(target=NAME).refresh()`"),
        ("name two runs: linker diff RUN1 RUN2", "name two runs: `linker.diff(RUN1, RUN2)`"),
        ("no `linker refresh` has run here", "no `linker.refresh()` has run here"),
        ("raise it with --max-tokens", "raise it with `max_tokens`"),
        ("set `--model PROVIDER:NAME`", 'set `model="PROVIDER:NAME"`'),
        ("--config and LINKER_CONFIG name it", "`config` and LINKER_CONFIG name it"),
        ("unmatched terms: “linker runs --model”", "unmatched terms: “linker runs --model”"),
        ("pip install --force-reinstall x", "pip install --force-reinstall x"),
        ("`linker profile --plan` lists them", "`linker profile --plan` lists them"),
    ],
)
def test_a_message_speaks_of_methods_and_settings(message: str, told: str) -> None:
    assert for_python(message) == told


def test_a_traceback_shows_the_hint_once_also_when_it_was_changed_or_sent() -> None:
    error: LinkerError = ConfigError("no such target", hint="name one")
    assert str(error) == "no such target"
    error.hint = "name another"
    for item in (error, pickle.loads(pickle.dumps(error))):
        text = "".join(traceback.format_exception(item))
        assert text.endswith("ConfigError: no such target\n→ name another\n")


def test_columns_of_one_name_are_told_apart() -> None:
    assert distinct(["a", "b", "a", "a_2", "a"]) == ["a", "b", "a_2", "a_2_2", "a_3"]


def test_frames_keep_names_without_rows_and_values_of_several_kinds() -> None:
    frame = Frame(("n", "n", "mixed"), ((None, 1, "a"), (2.5, 2, None)))
    assert [*to_pandas(frame).columns] == ["n", "n_2", "mixed"]
    assert to_polars(frame).rows() == [(None, 1, "a"), (2.5, 2, None)]
    empty = Frame(("a", "b"), ())
    assert [*to_pandas(empty).columns] == to_polars(empty).columns == ["a", "b"]


@pytest.mark.parametrize("make", [to_pandas, to_polars])
def test_a_library_that_is_not_installed_is_named(
    make: Callable[[Frame], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = make.__name__.removeprefix("to_")
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=f"{name} is not installed") as raised:
        make(Frame((), ()))
    assert raised.value.hint == f"pip install {name}"
