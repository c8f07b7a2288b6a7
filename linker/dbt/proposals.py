"""
Proposes descriptions, tests and an exposure for a dbt project from profiles, as a unified diff for
`git apply`.

A wrong test costs more than a missing one: a property measured on a sample becomes a warning or is
not proposed, and values appear only where privacy allows.
"""

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import yaml
from msgspec import field

from linker.catalog.profile import ColumnProfile, JoinEdge, Statistics, TableProfile
from linker.dbt.manifest import EXPLORER
from linker.dbt.project import DbtProject, DbtTable
from linker.dbt.yaml_text import (
    BareScalar,
    Commented,
    UnsupportedYamlError,
    YamlText,
    child,
    holds_all,
    named,
    open_text,
    read_nodes,
    read_values,
)
from linker.errors import ConfigError
from linker.text.escaping import one_line
from linker.text.numbers import counted, percent
from linker.types import Record

# With fewer rows absence is no evidence; keys of small tables still count.
_MIN_ROWS = 20
# A rule without violations in so few rows may still fail in one of 16 (rule of three): a warning.
_FEW_ROWS = 50
_MAX_VALUES = 25
_LONGEST_VALUE = 30
_MIN_REPEATS = 5
_CATEGORIES = ("category", "code")
# Minimum confidence of inferred joins.
_SURE = 0.9

_COMMENT = "linker: the comment in the warehouse"
NAME = EXPLORER
_FILE = f"{NAME}.yml"
_DESCRIPTION = (
    "Profiles, keys, joins and changes of each table and column, and the columns that a question "
    "needs."
)
# dbt would render braces.
_PLAIN = re.compile(r"[^\s{}\"'\\]+")


class ProposedTest(Record, frozen=True):
    """A test with arguments, severity if not error, and evidence."""

    name: str
    evidence: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    severity: str = ""


class ProposedColumn(Record, frozen=True):
    """A column with tests and the warehouse's comment, if any."""

    name: str
    description: str
    tests: tuple[ProposedTest, ...]


class ProposedTable(Record, frozen=True):
    table: DbtTable
    description: str
    columns: tuple[ProposedColumn, ...]


def propose(
    profile: TableProfile, table: DbtTable, project: DbtProject, is_bare: Callable[[str], bool]
) -> ProposedTable:
    """
    Propose for one table; `is_bare` tells whether SQL accepts a name unquoted, other names get no
    test.
    """
    columns = []
    for column in profile.columns:
        if profile.table.column_by_path[column.path].depth or _is_template(column.path):
            continue
        words = column.l2.description if column.l2.description_origin == "warehouse" else None
        tests = tuple(
            test
            for test in _tests(profile, column, table, project, is_bare)
            if (test.name, column.path.lower()) not in table.tests
        )
        if tests or (words and not _is_template(words)):
            columns.append(
                ProposedColumn(column.path, "" if _is_template(words or "") else words or "", tests)
            )
    comment = profile.table.description or ""
    return ProposedTable(table, "" if _is_template(comment) else comment, tuple(columns))


def _tests(
    profile: TableProfile,
    column: ColumnProfile,
    table: DbtTable,
    project: DbtProject,
    is_bare: Callable[[str], bool],
) -> Iterator[ProposedTest]:
    statistics = column.l3
    if statistics is None or not _is_whole(profile, statistics) or not is_bare(column.path):
        return
    when, rows = f"linker, {statistics.scanned_at:%Y-%m-%d}", counted(statistics.row_count, "row")
    is_key = bool(column.l1.primary_key_origin) or column.l1.category == "identifier"
    # Declared keys always hold; observed ones are judged by the number of rows.
    is_seen_in_few = column.l1.primary_key_origin != "declared" and statistics.row_count < _FEW_ROWS
    severity = "warn" if is_seen_in_few else ""
    edge = sure_edge(profile, column, project, is_bare)
    # Foreign keys have the values of their key.
    values = [] if edge else _values(column, statistics, table)
    is_informative = column.l1.primary_key_origin or statistics.row_count >= _MIN_ROWS
    if is_key and is_informative and column.l1.is_unique and statistics.row_count > 1:
        yield ProposedTest("unique", f"{when}: no duplicate values in {rows}", severity=severity)
    if column.l2.null_ratio == 0 and is_informative and (is_key or edge or values):
        yield ProposedTest("not_null", f"{when}: {rows}, no nulls", severity=severity)
    if edge:
        key = project.tables[edge.to_schema.lower(), edge.to_table.lower()]
        looked_at = edge.sampled_values or 0
        is_proven = edge.origin == "declared" or looked_at >= (column.l2.distinct_count or 0)
        yield ProposedTest(
            "relationships",
            f"{when}: {one_line(edge.evidence)}",
            {"to": key.reference, "field": BareScalar(edge.to_columns[0])},
            severity=severity if is_proven else "warn",
        )
    if values:
        shares = ", ".join(
            f"{text} {percent(count / statistics.value_count)}" for text, count in values
        )
        is_number = column.l1.value_kind == "integer"
        yield ProposedTest(
            "accepted_values",
            f"{when}: {counted(len(values), 'value')} in {rows}: {one_line(shares)}",
            {"values": [int(text) if is_number else text for text, _ in values]}
            | ({"quote": False} if is_number else {}),
            severity="warn",
        )


def _is_whole(profile: TableProfile, statistics: Statistics) -> bool:
    """Whether all rows were read; of families and very large tables only a part is."""
    if profile.table.family or not statistics.row_count:
        return False
    return not statistics.is_sampled or 2 * statistics.row_count >= (
        profile.table.row_count_estimate or 0
    )


def sure_edge(
    profile: TableProfile,
    column: ColumnProfile,
    project: DbtProject,
    is_bare: Callable[[str], bool],
) -> JoinEdge | None:
    """
    The most certain join to a key of the project that contains all sampled values; never for free
    text.
    """
    return next(
        (
            edge
            for edge in profile.joins_of(column.path)
            if edge.from_columns == (column.path,)
            and edge.source == profile.table.ref != edge.key
            and edge.confidence >= _SURE
            and (
                edge.origin == "declared"
                or (edge.containment == 1 and column.l1.category != "text")
            )
            and (edge.to_schema.lower(), edge.to_table.lower()) in project.tables
            and is_bare(edge.to_columns[0])
        ),
        None,
    )


def _values(
    column: ColumnProfile, statistics: Statistics, table: DbtTable
) -> list[tuple[str, int]]:
    """All values of a small, visible category with counts; empty for other columns."""
    counts = [(value.value, value.count) for value in column.l2.representative_values or ()]
    is_shown = column.l2.privacy == "show" and not column.l2.personal_data
    is_counted = (
        column.l2.distinct_is_exact
        and not statistics.is_sampled
        and len(counts) == column.l2.distinct_count
    )
    is_small = (
        2 <= len(counts) <= _MAX_VALUES and len(counts) * _MIN_REPEATS <= statistics.value_count
    )
    is_category = column.l1.category in _CATEGORIES and column.l1.value_kind in ("text", "integer")
    is_kept_back = table.kept_back & {"*", column.path.lower()}
    if not (is_shown and is_counted and is_small and is_category) or is_kept_back:
        return []
    if any(len(text) > _LONGEST_VALUE or _is_template(text) for text, _ in counts):
        return []
    return counts if statistics.row_count >= _MIN_ROWS else []


def _is_template(text: str) -> bool:
    """Whether dbt would render a text as a template."""
    return any(mark in text for mark in ("{{", "{%", "{#"))


class SchemaPatch(Record, frozen=True):
    """The diff, its counts, what could not be added, and what another model covers."""

    text: str
    descriptions: int = 0
    tests: int = 0
    left_out: tuple[str, ...] = ()
    prepared: tuple[str, ...] = ()


class _Writer:
    """Adds proposals to the text of one file; counts them and collects failures by reason."""

    def __init__(self, text: YamlText, project: DbtProject) -> None:
        self.text, self._project = text, project
        self.descriptions = self.tests = 0
        self.left_out: dict[str, list[str]] = defaultdict(list)
        self._new_tables: dict[str, list[Mapping[str, object]]] = defaultdict(list)

    def add(self, proposed: ProposedTable) -> None:
        """Add what a table lacks; unknown models are appended."""
        name, entry = proposed.table.name, entry_of(self.text.root, proposed.table)
        if entry is None:
            with self._noting(name):
                self._add_table(proposed)
            return
        with self._noting(name):
            self._describe(entry, proposed.description)
        new = []
        for column in proposed.columns:
            column_entry = named(child(entry, "columns"), column.name)
            if column_entry is None:
                new.append(column)
                continue
            with self._noting(f"{name}.{column.name}"):
                self._describe(column_entry, column.description)
            with self._noting(f"{name}.{column.name}"):
                self._test(column_entry, column.tests)
        if new:
            with self._noting(*(f"{name}.{column.name}" for column in new)):
                self.text.extend(entry, "columns", [self._new(column) for column in new])
                self._count(new)

    @contextmanager
    def _noting(self, *names: str) -> Iterator[None]:
        """Collect failures and continue with the rest of the file."""
        try:
            yield
        except UnsupportedYamlError as error:
            noted = self.left_out[str(error)]
            noted += [name for name in names if name not in noted]

    def _add_table(self, proposed: ProposedTable) -> None:
        if proposed.table.source or not isinstance(self.text.root, yaml.MappingNode):
            raise UnsupportedYamlError("it is not described there")
        columns = (
            {"columns": [self._new(column) for column in proposed.columns]}
            if proposed.columns
            else {}
        )
        described = _description(proposed.description)
        if columns or described:
            entry = {"name": BareScalar(proposed.table.name)} | described | columns
            self._new_tables[proposed.table.section].append(entry)
            self.descriptions += bool(described)
            self._count(proposed.columns)

    def finish(self) -> str:
        """The text with new tables in one section each; existing text is preserved."""
        root = self.text.root
        if isinstance(root, yaml.MappingNode):
            for section, entries in self._new_tables.items():
                self.text.extend(root, section, entries)
        after = str(self.text)
        read_nodes(after)
        if not holds_all(read_values(after), self.text.values):
            raise UnsupportedYamlError("existing text would change")
        return after

    def _count(self, columns: Sequence[ProposedColumn]) -> None:
        self.descriptions += sum(bool(column.description) for column in columns)
        self.tests += sum(len(column.tests) for column in columns)

    def _describe(self, entry: yaml.MappingNode, description: str) -> None:
        existing = child(entry, "description")
        if description and (
            existing is None
            or (isinstance(existing, yaml.ScalarNode) and not existing.value.strip())
        ):
            self.text.set(
                entry, "description", _description(description)["description"], below="name"
            )
            self.descriptions += 1

    def _test(self, entry: yaml.MappingNode, tests: Sequence[ProposedTest]) -> None:
        key = next(
            (key for key in ("data_tests", "tests") if child(entry, key) is not None), "data_tests"
        )
        there = child(entry, key)
        existing = (
            {_test_name(item) for item in there.value}
            if isinstance(there, yaml.SequenceNode)
            else set()
        )
        new = [test for test in tests if test.name not in existing]
        if new:
            self.text.extend(entry, key, self._written(new))
            self.tests += len(new)

    def _new(self, column: ProposedColumn) -> Mapping[str, object]:
        tests = {"data_tests": self._written(column.tests)} if column.tests else {}
        return {"name": BareScalar(column.name)} | _description(column.description) | tests

    def _written(self, tests: Sequence[ProposedTest]) -> list[Commented]:
        return [Commented(self._test_entry(test), test.evidence) for test in tests]

    def _test_entry(self, test: ProposedTest) -> object:
        config = {"config": {"severity": BareScalar(test.severity)}} if test.severity else {}
        if not test.arguments and not config:
            return BareScalar(test.name)
        is_nested = bool(test.arguments) and self._project.nests_arguments
        arguments = {"arguments": test.arguments} if is_nested else test.arguments
        return {test.name: {**arguments, **config}}


def write_patch(proposals: Iterable[ProposedTable], project: DbtProject) -> SchemaPatch:
    """The patch of all files; files with unsupported YAML are left unchanged and named."""
    by_file: dict[str, list[ProposedTable]] = defaultdict(list)
    for proposed in proposals:
        by_file[proposed.table.file].append(proposed)
    diffs, descriptions, tests, left_out = list[str](), 0, 0, list[str]()
    for file, proposed_tables in sorted(by_file.items()):
        try:
            before = text_of(project.folder / file)
            writer = _Writer(open_text(before), project)
            for proposed in proposed_tables:
                writer.add(proposed)
            after = writer.finish()
        except UnsupportedYamlError as error:
            left_out.append(f"{file}: {error}")
            continue
        left_out += [
            f"{file}, {', '.join(names)}: {reason}" for reason, names in writer.left_out.items()
        ]
        if writer.tests or writer.descriptions:
            diffs.append(diff_of(file, before, after))
            descriptions, tests = descriptions + writer.descriptions, tests + writer.tests
    return SchemaPatch("".join(diffs), descriptions, tests, tuple(left_out))


def text_of(path: Path) -> str | None:
    """The file's text with its line endings; None if it does not exist."""
    try:
        return path.read_bytes().decode("utf-8") if path.exists() else None
    except (OSError, UnicodeDecodeError):
        raise UnsupportedYamlError("it cannot be read as text in UTF-8") from None


def _description(text: str) -> dict[str, Commented]:
    return {"description": Commented(one_line(text), _COMMENT)} if text else {}


def entry_of(root: yaml.Node | None, table: DbtTable) -> yaml.MappingNode | None:
    """The YAML entry of a table."""
    if root is None:
        return None
    section = child(root, table.section)
    if not table.source:
        return named(section, table.name)
    entries = section.value if isinstance(section, yaml.SequenceNode) else ()
    for entry in entries:
        if named(yaml.SequenceNode("", [entry]), table.source):
            table_entry = named(child(entry, "tables"), table.name)
            if table_entry:
                return table_entry
    return None


def _test_name(item: yaml.Node) -> str:
    """Name of a test in a property file."""
    if isinstance(item, yaml.MappingNode) and item.value:
        stated = child(item, "test_name")
        return str(stated.value if stated is not None else item.value[0][0].value)
    return str(item.value)


def diff_of(file: str, before: str | None, after: str) -> str:
    """Unified diff of a file; a new one has no text before."""
    names = (f"a/{file}" if before is not None else "/dev/null", f"b/{file}")
    text = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(_lines(before or ""), _lines(after), *names)
    )
    return "".join(text)


def _lines(text: str) -> list[str]:
    """Lines with line endings; only line feeds split."""
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def expose_explorer(address: str, tables: Sequence[DbtTable], project: DbtProject) -> SchemaPatch:
    """A patch that adds an exposure linking to the catalog UI, unless it exists."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or not _PLAIN.fullmatch(address):
        raise ConfigError("`explorer_url` is not a URL", hint="write it as https://host/path")
    if NAME in project.exposures or not tables:
        return SchemaPatch("")
    # Exposures are next to models.
    top = next(
        (PurePosixPath(table.file).parts[0] for table in tables if table.section != "seeds"),
        "models",
    )
    file = f"{top}/{_FILE}"
    exposure = {
        "name": BareScalar(NAME),
        "label": "Catalog UI of the warehouse",
        "type": BareScalar("application"),
        "url": address,
        "description": _DESCRIPTION,
        "owner": {"name": "dbt-linker"},
        "depends_on": sorted(table.reference for table in tables),
    }
    try:
        before = text_of(project.folder / file)
        return SchemaPatch(diff_of(file, before, _with_exposure(before, exposure)))
    except UnsupportedYamlError as error:
        return SchemaPatch("", left_out=(f"{file}: {error}",))


def _with_exposure(before: str | None, exposure: Mapping[str, object]) -> str:
    """The file's text with the exposure."""
    text = open_text(before)
    if not isinstance(text.root, yaml.MappingNode):
        raise UnsupportedYamlError("it has no keys")
    if not named(child(text.root, "exposures"), NAME):
        text.extend(text.root, "exposures", [exposure])
    return str(text)
