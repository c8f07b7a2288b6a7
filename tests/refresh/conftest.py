"""One shop per test module, since dbt takes seconds to start."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.refresh.shop import Shop


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """An unprofiled shop, outside pytest's folder, which the server's user cannot read."""
    with TemporaryDirectory(prefix="linker-refresh-") as folder:
        yield Shop.open(Path(folder))
