"""Questions are answered from the index; the warehouse may be unavailable or locked."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import psycopg
import pytest
from msgspec.structs import replace

from linker import pipeline
from linker.catalog.documents import write_documents
from linker.config.settings import Settings
from linker.embedders import Embedder, Vectors
from linker.environment import Environment
from linker.errors import WarehouseError
from linker.index import Store
from linker.linking.result import LinkedSchema
from linker.refresh.steps import compare_index, update_index

QUESTION = "Which customers ordered most?"
# What no cold question may import: drivers, dbt, templates, parsers, torch.
NOT_NEEDED = (
    "torch",
    "sentence_transformers",
    "transformers",
    "dbt",
    "duckdb",
    "snowflake",
    "google.auth",
    "sqlglot",
    "jinja2",
    "yaml",
    "pydantic_ai",
    "httpx",
    "numpy.ma",
    "onnxruntime",
    "tokenizers",
)


def index(settings: Settings) -> str:
    with Environment(settings) as environment:
        return str(update_index(environment))


def in_step(settings: Settings) -> bool:
    with Environment(settings) as environment:
        return compare_index(environment).in_step


def ask(settings: Settings) -> LinkedSchema:
    with Environment(settings) as environment:
        return pipeline.ask(QUESTION, environment)


def rows_of_orders(schema: LinkedSchema) -> int | None:
    [found] = [
        one.table.row_count_estimate
        for one in schema.tables
        if str(one.table.ref) == "sales.orders"
    ]
    return found


def grow_orders(warehouse_file: Path) -> None:
    """A profile run that finds more rows, and nothing else: no document changes."""
    with duckdb.connect(str(warehouse_file)) as connection:
        connection.execute(
            "update shop_linker.linker_tables set row_count_estimate = 3000000 "
            "where schema_name = 'sales' and table_name = 'orders'"
        )


def test_the_answer_is_the_one_that_the_warehouse_itself_would_give(
    settings: Settings, store_connection: psycopg.Connection
) -> None:
    index(settings)
    answer = ask(settings)
    assert answer.tables
    assert answer.warnings == ()
    forget_snapshots(store_connection, settings)
    assert ask(settings).tables == answer.tables


def test_a_question_is_answered_while_a_writer_shuts_everybody_out_of_the_warehouse(
    settings: Settings, writer: Callable[[], None]
) -> None:
    index(settings)
    before = ask(settings)
    writer()
    with Environment(settings) as environment:
        assert pipeline.ask(QUESTION, environment).tables == before.tables
        assert not environment.has_opened_warehouse
    with pytest.raises(WarehouseError):
        in_step(settings)


def test_an_index_of_before_snapshots_is_answered_with_the_warehouse_and_says_what_to_run(
    settings: Settings, store_connection: psycopg.Connection
) -> None:
    index(settings)
    forget_snapshots(store_connection, settings)
    [warning] = ask(settings).warnings
    assert "linker index" in warning
    assert not in_step(settings)
    assert index(settings).startswith("0 embedded")
    assert in_step(settings)
    assert ask(settings).warnings == ()


def test_what_changes_no_document_is_indexed_as_well(
    settings: Settings, warehouse_file: Path
) -> None:
    index(settings)
    grow_orders(warehouse_file)
    assert rows_of_orders(ask(settings)) == 2_000_000
    assert not in_step(settings)
    assert index(settings).startswith("0 embedded")
    assert rows_of_orders(ask(settings)) == 3_000_000
    assert in_step(settings)


def test_a_long_session_answers_from_what_another_process_indexed_since(
    settings: Settings, warehouse_file: Path
) -> None:
    index(settings)
    with Environment(settings) as session:
        assert rows_of_orders(pipeline.ask(QUESTION, session)) == 2_000_000
        grow_orders(warehouse_file)
        index(settings)
        assert rows_of_orders(pipeline.ask(QUESTION, session)) == 3_000_000


def test_while_other_documents_are_staged_the_answer_is_the_one_of_before(
    settings: Settings, embedded_store: Store
) -> None:
    index(settings)
    before = ask(settings)
    with Environment(settings) as environment:
        [document, *_] = write_documents(environment.warehouse.catalog, environment.warehouse.facts)
        changed = replace(document, content_hash="another")
        environment.store.stage(
            environment.collection, [changed], environment.embedder.embed([document.text])
        )
    answer = ask(settings)
    assert (answer.tables, answer.warnings) == (before.tables, ())
    assert in_step(settings)


def test_a_question_during_which_the_index_is_renewed_is_answered_anew(
    settings: Settings, warehouse_file: Path
) -> None:
    index(settings)
    with Environment(settings) as session:
        pipeline.ask(QUESTION, session)
        session.parts["embedder"] = _Renewing(session.embedder, lambda: index(settings))
        session.parts.pop("retriever")
        grow_orders(warehouse_file)
        answer = pipeline.ask(QUESTION + " Now.", session)
    assert answer.warnings == ()
    assert rows_of_orders(answer) == 3_000_000


class _Renewing:
    """An encoder during whose first work another run renews the index."""

    def __init__(self, encoder: Embedder, renew: Callable[[], object]) -> None:
        self.name, self.dimension = encoder.name, encoder.dimension
        self._encoder = encoder
        self._renew: Callable[[], object] | None = renew

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of the encoder."""
        renew, self._renew = self._renew, None
        if renew:
            renew()
        return self._encoder.embed(texts)


def test_a_cold_question_imports_no_driver_no_torch_and_no_template_engine(
    settings: Settings, tmp_path: Path
) -> None:
    index(settings)
    words = [
        "ask",
        "--profiles-dir",
        str(settings.profiles_dir),
        "--profile",
        str(settings.profile),
    ]
    words += [
        "--target",
        "dev",
        "--state-dir",
        str(settings.state_dir),
        "--strategy",
        "shortlist",
        QUESTION,
    ]
    code = (
        "import sys\nfrom linker.cli import main\n"
        f"main({words!r}, standalone_mode=False)\n"
        f"print([name for name in {NOT_NEEDED!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    *answer, imported = done.stdout.splitlines()
    assert any("sales.orders" in line for line in answer)
    assert imported == "[]"


def test_cards_status_runs_and_questions_never_import_dbt(
    settings: Settings, tmp_path: Path
) -> None:
    index(settings)
    where = [
        "--profiles-dir",
        str(settings.profiles_dir),
        "--profile",
        str(settings.profile),
        "--target",
        "dev",
    ]
    commands = [
        ["show", "orders"],
        ["status"],
        ["runs"],
        ["ask", "--strategy", "shortlist", QUESTION],
    ]
    words = [[*command, *where, "--state-dir", str(settings.state_dir)] for command in commands]
    code = (
        "import sys\nfrom linker.cli import main\n"
        f"for words in {words!r}: main(words, standalone_mode=False)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('dbt', 'dbt_common', 'dbt_adapters')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def forget_snapshots(connection: psycopg.Connection, settings: Settings) -> None:
    """Make the index one of a version that kept none."""
    done = connection.execute(
        "delete from linker.snapshots using linker.collections as c "
        "where c.collection_id = snapshots.collection_id and c.target = %s",
        (f"{settings.profile}.dev",),
    )
    assert done.rowcount == 1
