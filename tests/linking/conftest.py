"""The shop of the linking tests."""

from pathlib import Path

import pytest

from tests.linking.shop import build


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the shop's warehouse."""
    folder = tmp_path_factory.mktemp("shop")
    build(folder)
    return folder
