"""Options and fixtures that all tests share."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="Write the golden files anew instead of comparing.")


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside() -> None:
    """The tests mean the same on every machine: settings of the person who runs them are left out."""
    for name in list(os.environ):
        if name.startswith(("LINKER_", "DBT_")):
            del os.environ[name]


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of the checkout."""
    return ROOT
