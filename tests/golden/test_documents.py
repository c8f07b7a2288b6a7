"""The documents of a profiled shop, as a golden file."""

from collections.abc import Callable

from linker.catalog.column_metadata import read_facts
from linker.catalog.documents import write_documents
from linker.catalog.read_catalog import Artifacts
from linker.types import Catalog

Golden = Callable[[str, str], None]


def test_documents_are_as_the_golden_file_shows_them(
    artifacts: Artifacts, catalog: Catalog, golden: Golden
) -> None:
    documents = write_documents(catalog, read_facts(artifacts, catalog))
    shown = (
        f"{document.ref}\n  {document.text}\n  words: {document.words.name} {document.words.description} "
        f"{document.words.table} {document.words.values}\n  values: {document.values}"
        for document in documents
    )
    golden("render/documents.txt", "\n".join(shown))


def test_masked_and_hidden_values_are_in_no_document(
    artifacts: Artifacts, catalog: Catalog
) -> None:
    rows = artifacts.query(
        "select schema_name, table_name, column_path from {linker_profile_l2} where privacy <> 'show'"
    )
    kept = {
        str(document.ref): document
        for document in write_documents(catalog, read_facts(artifacts, catalog))
    }
    assert rows
    for schema, table, path in rows:
        document = kept[f"{schema}.{table}.{path}"]
        assert document.values == document.words.values == ()
        assert "values:" not in document.text
