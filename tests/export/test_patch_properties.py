"""`linker export dbt` on generated property files: additions only."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.dbt.project import DbtProject, DbtTable
from linker.dbt.proposals import (
    ProposedColumn,
    ProposedTable,
    ProposedTest,
    SchemaPatch,
    write_patch,
)
from tests.export.property_files import COLUMNS, MODELS, VISITS, PropertyFile, property_files

FILE = "models/schema.yml"
ARGUMENTS: dict[str, dict[str, object]] = {
    "unique": {},
    "not_null": {},
    "relationships": {"to": "ref('stores')", "field": "id"},
    "accepted_values": {"values": ["a: b", "# c", "ü"], "quote": False},
}
proposed_tests = st.builds(
    lambda name, severity: ProposedTest(
        name, f"linker, 2026-01-01: of {name}", ARGUMENTS[name], severity
    ),
    st.sampled_from(sorted(ARGUMENTS)),
    st.sampled_from(["", "warn"]),
)
descriptions = st.sampled_from(["", "Größe, in cm", 'with "quotes": # and {more}'])
proposed_columns = st.builds(
    ProposedColumn,
    st.sampled_from(COLUMNS),
    descriptions,
    st.lists(proposed_tests, unique_by=lambda test: test.name, min_size=1).map(tuple),
)


def table_of(section: str, name: str) -> DbtTable:
    source = "raw" if section == "sources" else ""
    return DbtTable(section, name, source, FILE, tests=frozenset(), kept_back=frozenset())


tables = [table_of("models", name) for name in MODELS] + [table_of("sources", VISITS)]
proposed_tables = st.lists(
    st.builds(
        ProposedTable,
        st.sampled_from(tables),
        descriptions,
        st.lists(proposed_columns, unique_by=lambda column: column.name, min_size=1).map(tuple),
    ),
    unique_by=lambda proposed: proposed.table.name,
    min_size=1,
)


class StrictLoader(yaml.CSafeLoader):
    """Refuses duplicate keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"{keys} in line {node.start_mark.line + 1}"
        return super().construct_mapping(node, deep)


def unshared(tree: Any) -> Any:
    """A tree without shared values."""
    if isinstance(tree, dict):
        return {key: unshared(value) for key, value in tree.items()}
    return [unshared(value) for value in tree] if isinstance(tree, list) else tree


def load(text: str) -> dict[str, Any]:
    tree: dict[str, Any] = unshared(yaml.load(text, StrictLoader) or {})
    return tree


def find(entries: Any, name: str) -> dict[str, Any] | None:
    return next(
        (entry for entry in entries or () if str(entry["name"]).lower() == name.lower()), None
    )


def find_table(tree: dict[str, Any], table: DbtTable) -> dict[str, Any] | None:
    if not table.source:
        return find(tree.get("models"), table.name)
    source = find(tree.get("sources"), table.source)
    return find(source["tables"], table.name) if source else None


def find_column(tree: dict[str, Any], table: DbtTable, name: str) -> dict[str, Any] | None:
    entry = find_table(tree, table)
    return find(entry.get("columns"), name) if entry else None


def known_tests(column: dict[str, Any] | None) -> list[Any]:
    return (column or {}).get("data_tests") or (column or {}).get("tests") or []


def name_of(test: Any) -> str:
    return test if isinstance(test, str) else str(test.get("test_name") or next(iter(test)))


def written(test: ProposedTest) -> object:
    """A test as dbt reads it."""
    arguments = {"arguments": test.arguments} if test.arguments else {}
    config = {"config": {"severity": test.severity}} if test.severity else {}
    return {test.name: arguments | config} if arguments or config else test.name


class Expected:
    """A tree with what was proposed, but for what was left out, which has to be named."""

    def __init__(self, before: dict[str, Any], after: dict[str, Any], patch: SchemaPatch) -> None:
        self.tree, self.after, self.patch = unshared(before), after, patch
        self.descriptions = self.tests = 0
        self.left_out: set[str] = set()

    def add(self, proposed: ProposedTable) -> None:
        table = proposed.table
        entry = find_table(self.tree, table)
        if find_table(self.after, table) is None:
            self.left_out.add(table.name)
            return
        if entry is None:
            entry = {"name": table.name}
            self.tree["models"] = [*(self.tree.get("models") or []), entry]
        self._describe(entry, find_table(self.after, table), proposed.description, table.name)
        for column in proposed.columns:
            self._add_column(table, entry, column)

    def _add_column(self, table: DbtTable, entry: dict[str, Any], column: ProposedColumn) -> None:
        there = find_column(self.after, table, column.name)
        name = f"{table.name}.{column.name}"
        if there is None:
            self.left_out.add(name)
            return
        own = find(entry.get("columns"), column.name)
        if own is None:
            own = {"name": column.name}
            entry["columns"] = [*(entry.get("columns") or []), own]
        self._describe(own, there, column.description, name)
        known = {name_of(test) for test in known_tests(own)}
        there_names = {name_of(test) for test in known_tests(there)}
        for test in column.tests:
            if test.name not in there_names:
                self.left_out.add(name)
            elif test.name not in known:
                key = "tests" if "tests" in own else "data_tests"
                own[key] = [*(own.get(key) or []), written(test)]
                self.tests += 1

    def _describe(
        self, own: dict[str, Any], there: dict[str, Any] | None, description: str, name: str
    ) -> None:
        if not description or str(own.get("description") or "").strip():
            return
        if (there or {}).get("description") != description:
            self.left_out.add(name)
            return
        own["description"] = description
        self.descriptions += 1


def without_last_break(tree: Any) -> Any:
    """A tree whose texts have no final line break."""
    if isinstance(tree, dict):
        return {key: without_last_break(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [without_last_break(value) for value in tree]
    return tree.removesuffix("\n") if isinstance(tree, str) else tree


def comments(text: str) -> list[str]:
    return re.findall(r"#.?comment \d+: ü\tto-do", text)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> DbtProject:
    folder = tmp_path_factory.mktemp("project")
    (folder / "models").mkdir()
    return DbtProject(folder, {}, nests_arguments=True)


def patched(
    text: str, proposals: Sequence[ProposedTable], project: DbtProject
) -> tuple[SchemaPatch, str]:
    """The patch proposed for a file with that text, and the text after git applied it."""
    file = project.folder / FILE
    file.write_bytes(text.encode())
    patch = write_patch(proposals, project)
    if patch.text:
        apply = ["git", "apply", "--whitespace=nowarn", "-"]
        done = subprocess.run(
            apply, cwd=project.folder, input=patch.text.encode(), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
    return patch, file.read_bytes().decode()


def named_in(left_out: Sequence[str]) -> Iterator[str]:
    for item in left_out:
        names, _, _ = item.removeprefix(f"{FILE}, ").partition(": ")
        yield from names.split(", ")


@settings(max_examples=50)
@given(property_files(), proposed_tables)
def test_what_is_proposed_is_added_and_nothing_else(
    project: DbtProject, file: PropertyFile, proposals: list[ProposedTable]
) -> None:
    patch, text = patched(file.text, proposals, project)
    if file.is_read_in_part:
        assert text == file.text
        assert [item.partition(":")[0] for item in patch.left_out] == [FILE]
        return
    before, after = load(file.text), load(text)
    expected = Expected(before, after, patch)
    for proposed in proposals:
        expected.add(proposed)
    if not before and patch.text:
        expected.tree["version"] = 2
    assert without_last_break(after) == without_last_break(expected.tree)
    assert (patch.tests, patch.descriptions) == (expected.tests, expected.descriptions)
    # Values that could not be added are named: those used in several places, and a missing source.
    assert expected.left_out == set(named_in(patch.left_out))
    assert file.is_sharing or expected.left_out <= {VISITS}
    assert comments(text) == comments(file.text)
    assert text.count("# linker, 2026-01-01: of ") == patch.tests
    assert text.count("\n") == text.count("\r\n") or "\r" not in file.text
    again, same = patched(text, proposals, project)
    assert (again.text, same) == ("", text)
