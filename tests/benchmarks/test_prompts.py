"""The prompts of the baselines, as golden files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.baselines.writing import SaidSql, written
from linker.link.choosing import Choosing
from linker.link.judges.language import SaidColumns
from linker.link.question import LinkedQuestion
from linker.link.schema_view import schema_view
from tests.prompts import begun, prompts_of, question, told

Golden = Callable[[str, str], None]


@pytest.fixture
def asked() -> LinkedQuestion:
    """A question about orders."""
    return question()


def test_one_column(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    keeping = prompts_of("single_column", asked, tmp_path)
    [status] = [prompt for prompt in keeping.prompts if " status · " in prompt.content]
    golden("prompts/one_column.txt", told(status))


def test_the_fifth_look_of_several(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    golden("prompts/pick_columns_fifth.txt", prompts_of("mcs", asked, tmp_path).last_of(SaidColumns))


def test_sql_written_again(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    linking, keeping = begun(asked, tmp_path)
    written(Choosing(asked, linking), "queries", schema_view(asked, 10_000))
    assert len(keeping.prompts) == 2
    golden("prompts/write_sql_again.txt", keeping.last_of(SaidSql))
