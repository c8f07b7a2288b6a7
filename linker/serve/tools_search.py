"""
MCP tool `search_schema`: finds tables, columns and joins.

It adds columns that a query will need: a time where one is asked for, a mentioned measure, the
label behind a key, and the join path between two tables.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations

from msgspec.structs import replace

from linker import pipeline
from linker.catalog.column_metadata import Facts
from linker.catalog.description import ColumnDescription, column_name, listed
from linker.environment import Environment
from linker.linking.mschema import join_tables
from linker.linking.result import UNMATCHED_TERMS, Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.ranking.column_selection import labels_of
from linker.ranking.near_duplicates import originals
from linker.ranking.query_analysis import QuestionWords, analyse
from linker.ranking.table_tokens import is_of_loading
from linker.serve.code_labels import CodeLabels
from linker.serve.column_text import (
    FIGURES,
    UNINFORMATIVE,
    AnswerPart,
    ToolResponse,
    table_line,
    tells_time,
    with_heading,
)
from linker.serve.definitions import TableContents
from linker.serve.further_tables import FurtherTables, informative_words
from linker.serve.session import ask
from linker.serve.tool_errors import (
    answer_each,
    check_lengths,
    check_words,
)
from linker.serve.tools_joins import alternatives, join_line
from linker.serve.tools_list import successors, superseded_by
from linker.sql.verified import near_questions
from linker.strategies.shortlist import ShortlistStrategy
from linker.text.commands import for_others
from linker.text.time_expressions import periods_of
from linker.text.words import (
    readable,
    words_of_name,
    words_of_text,
)
from linker.types import ColumnRef, Record, Table, TableRef

_MAX_PASSED = 2
_NEARLY_ALL = 0.95

_COPIES_NAMED = 1


FURTHER_LINKED = "ask one question at a time, or raise `max_chars`"
# Tables that list other columns, columns per table, and further table names.
_WHOLE_TABLES = 3
_OTHERS_NAMED = 4
_MAX_NEEDED_NAMED = 5
_MIN_OTHERS_NAMED = 1
_KEYS_NAMED = 3
# The order of columns that are only named.
_LIKELY = 0
_KEY = 1
_FLAG = 2
_PLAIN = 3
_LAST = 4
# Relative score from which a table gets time, measure and join columns; others are only named.
_AS_LIKELY = 0.4
_UNLIKELY = 0.3
# Relevance from which a constant is shown.
_ASKED_FOR = 0.5
# Approved SQL is compact, unless long or numerous.
_MAX_VERIFIED = 2
_LONGEST_VERIFIED = 800
# Shorter lines cost less than a reference.
_WORTH_REFERRING = 20


class SupplementaryColumns:
    """Columns that a question needs beyond the relevant ones of a table."""

    def __init__(self, environment: Environment, question: QuestionWords) -> None:
        self._indexed, self._question = environment.indexed, question
        self._periods = tuple(periods_of(question.text))
        self._words = informative_words(self._question)

    def times(self, linked: LinkedTable, shown: Sequence[LinkedColumn]) -> list[LinkedColumn]:
        """
        The most relevant time column if none is shown, preferably with dates in the requested
        period.
        """
        if not self._periods and "time" not in self._question.asks:
            return []
        likely = {item.column.path for item in linked.columns}
        others = (item for item in linked.table.columns if item.path not in likely)
        every = (*linked.columns, *(LinkedColumn(item, 0.0, "") for item in others))
        times = [item for item in every if self._tells_time(linked, item)]
        if any(item in shown for item in times):
            return []
        dated = [period for period in self._periods if period.first or period.last]
        matching = []
        for item in times:
            days = self._known(linked, item).facts.days
            if days is None or not dated or any(period.meets(*days) for period in dated):
                matching.append(item)
        return (matching or times)[:1]

    def _tells_time(self, linked: LinkedTable, item: LinkedColumn) -> bool:
        return tells_time(self._known(linked, item)) and not is_of_loading(item.column)

    def figures(self, linked: LinkedTable, shown: Sequence[LinkedColumn]) -> list[LinkedColumn]:
        """The most relevant measure with a question word in name or comment, if none is shown."""
        spoken = list[LinkedColumn]()
        for item in linked.columns:
            if self._known(linked, item).facts.category in FIGURES:
                text = f"{item.column.path} {item.column.description or ''}"
                if item in shown:
                    return []
                if not self._words.isdisjoint(words_of_name(text)):
                    spoken.append(item)
        return spoken[:1]

    def _known(self, linked: LinkedTable, item: LinkedColumn) -> ColumnDescription:
        return self._indexed.describe(ColumnRef(linked.table.ref, item.column.path))


def path_between(
    environment: Environment, tables: Sequence[TableRef], over: Collection[TableRef]
) -> tuple[Join, ...]:
    """
    Joins that connect two tables through a few others; two foreign keys to one key do not count.
    """
    joined = join_tables(tables, environment)
    passed = {*joined.between}
    leads_on = passed <= {join.left for join in joined.joins} & {*over}
    return joined.joins if passed and leads_on and len(passed) <= _MAX_PASSED else ()


def labels_behind(
    environment: Environment,
    table: TableRef,
    columns: Sequence[LinkedColumn],
    shown: Mapping[TableRef, Sequence[LinkedColumn]],
) -> dict[str, str]:
    """
    By key the label column of the referenced table, with its number or code, if no label is shown.
    """
    catalog, facts, labels_of_key = (
        environment.indexed.catalog,
        environment.indexed.facts,
        dict[str, str](),
    )
    for column in columns:
        column_facts = facts.get(ColumnRef(table, column.column.path))
        things = [key.table for key in column_facts.points_to[:1]]
        things += [table] if column_facts.is_primary_key else []
        target = catalog.table_by_ref.get(things[0]) if things else None
        if target is None:
            continue
        labels = [target.columns[index].path for index in labels_of(target)]
        names = {item.column.path for item in shown.get(target.ref, ())}
        names |= {key.path for key in column_facts.points_to[:1]}
        if labels and names.isdisjoint(labels):
            labels_of_key[column.column.path] = ", ".join(map(column_name, labels)) + _number_of(
                target, facts
            )
    return labels_of_key


def _number_of(table: Table, facts: Facts) -> str:
    """The number or code by which people identify an entity, in brackets, unless it is the key."""
    for column in table.columns:
        column_facts = facts.get(ColumnRef(table.ref, column.path))
        is_own = (column_facts.distinct_count or 0) >= _NEARLY_ALL * (table.row_count_estimate or 1)
        is_key = column_facts.is_primary_key or column_facts.points_to
        if is_own and column_facts.category in ("identifier", "code") and not is_key:
            return f" ({column_name(column.path)})"
    return ""


def search_schema(environment: Environment, questions: Sequence[str], columns: int) -> ToolResponse:
    """For each question its relevant tables with relevant columns, `columns` in total."""
    check_lengths(questions)
    named = set[ColumnRef]()

    def tell(question: str) -> AnswerPart:
        check_words(question)
        schema = pipeline.link(question, environment, ShortlistStrategy())
        examples = verified_lines(environment, question)
        return AnswerPart((*examples, *_found(environment, schema, columns, named)))

    return answer_each(questions, tell, "ask one question at a time, or for fewer `columns`")


def link(environment: Environment, questions: Sequence[str]) -> ToolResponse:
    """For each question the linked schema of the configured strategy."""
    check_lengths(questions)

    def tell(question: str) -> AnswerPart:
        check_words(question)
        return AnswerPart(tuple(_linked(environment, ask(question, environment))))

    return answer_each(questions, tell, FURTHER_LINKED)


def verified_lines(environment: Environment, question: str) -> Iterator[str]:
    """Similar verified questions, the differences, and their SQL."""
    near = near_questions(question, environment, _MAX_VERIFIED, _LONGEST_VERIFIED)
    for item in near:
        differs = f"; yours {item.differences}" if item.differences else ""
        yield readable(f"verified: “{item.question}”{differs}")
        yield f"  {readable(item.sql)}"


def linked_lines(environment: Environment, question: str, count: int) -> list[str]:
    """The linked schema of one of `count` questions."""
    return with_heading(question, count, _linked(environment, ask(question, environment)))


def _found(
    environment: Environment, schema: LinkedSchema, most: int, named: set[ColumnRef]
) -> list[str]:
    """Lines of a question; columns already described are only named."""
    missing = schema.unanswerable.missing if schema.unanswerable else ""
    # Truncation is at the end, so warnings come first.
    lines = list(_doubts(schema, environment.flags))
    lines += [f"{readable(missing)}; what comes nearest:"] if missing else []
    original_of = environment.derive(originals)
    tables, copies = _folded(environment, schema.tables, original_of)
    shown = _likely(environment, tables, most)
    scores = {ref: columns[0].score for ref, columns in shown.items()}
    best = sorted(shown, key=lambda ref: -scores[ref])[:_WHOLE_TABLES]
    least = _UNLIKELY * max(scores.values(), default=0.0)
    details = dict[TableRef, list[LinkedColumn]]()
    for ref, columns in shown.items():
        details[ref] = [item for item in columns if item.score >= least]
    near = [ref for ref in best if scores[ref] >= _AS_LIKELY * scores[best[0]]]
    question = analyse(schema.question)
    besides = SupplementaryColumns(environment, question)
    past = environment.derive(successors)
    # Obsolete tables last, unless named in the question.
    tables = sorted(
        (table for table in tables if table.table.ref in shown),
        key=lambda table: table.table.ref in past and not _is_named(table.table, schema.question),
    )
    for table in tables:
        if table.table.ref in near:
            columns = details[table.table.ref]
            columns += besides.figures(table, columns)
            columns += besides.times(table, columns)
    teller = _TableTeller(environment, schema.question, details, named)
    for table in tables:
        ref = table.table.ref
        others = _others(environment, table, shown[ref], details[ref])
        lines += teller.lines(table, others, is_whole=ref in best)
        if copied := copies.get(ref):
            lines.append(f"  copies: {listed(map(str, copied), _COPIES_NAMED)}")
    joins = [join for join in schema.joins if _tells_more(environment, join, shown)]
    further = FurtherTables(environment, schema, question)
    for pair in combinations(near, 2):
        joins += path_between(environment, pair, [ref for ref in further.refs if ref not in shown])
    lines += [f"join {join_line(join)}" for join in dict.fromkeys(joins)]
    lines += alternatives(environment, near)
    joined = {join.left for join in joins} | {join.right for join in joins}
    lines += further.lines(shown.keys() | joined)
    return lines


def _is_named(table: Table, question: str) -> bool:
    """Whether a question contains a table's full name."""
    words = words_of_name(table.ref.name)
    return bool(words) and set(words) <= set(words_of_name(question))


def _likely(
    environment: Environment, tables: Sequence[LinkedTable], most: int
) -> dict[TableRef, list[LinkedColumn]]:
    """By table the top columns with more than one value, `most` in total."""
    informative = {table.table.ref: _telling(environment, table) for table in tables}
    ranked = chain.from_iterable(informative.values())
    scores = sorted((column.score for column in ranked), reverse=True)
    least = min(scores[:most], default=0.0)
    likely_columns = dict[TableRef, list[LinkedColumn]]()
    for ref, columns in informative.items():
        likely = [item for item in columns if item.score >= least]
        if likely:
            likely_columns[ref] = likely
    return likely_columns


def _doubts(schema: LinkedSchema, flags: Mapping[str, object]) -> Iterator[str]:
    """Warnings, without terms that shown values contain, and without families already described."""
    columns = chain.from_iterable(table.columns for table in schema.tables)
    held = set(words_of_text(" ".join(" ".join(column.examples) for column in columns)))
    coverages = {
        f"{linked.table.ref}: {linked.table.family.coverage}"
        for linked in schema.tables
        if linked.table.family
    }
    for warning in schema.warnings:
        unmatched = words_of_text(" ".join(re.findall("“(.*?)”", warning)))
        # Warnings about matched values add nothing.
        is_held = warning.startswith(UNMATCHED_TERMS) and held.issuperset(unmatched)
        if not is_held and warning not in coverages:
            yield readable(for_others(warning, flags))


def _telling(environment: Environment, linked: LinkedTable) -> list[LinkedColumn]:
    """Columns of a table with more than one value, and constants that the question asks for."""
    facts, table = environment.indexed.facts, linked.table.ref
    found = list[LinkedColumn]()
    for item in linked.columns:
        kind = facts.get(ColumnRef(table, item.column.path)).category
        is_asked_for = kind == "constant" and item.score >= _ASKED_FOR
        if kind not in UNINFORMATIVE or is_asked_for:
            found.append(item)
    return found


def _folded(
    environment: Environment,
    tables: Sequence[LinkedTable],
    original_of: Mapping[TableRef, TableRef],
) -> tuple[list[LinkedTable], dict[TableRef, list[TableRef]]]:
    """Tables with duplicates folded into their originals, and the duplicates."""
    columns, copies = dict[TableRef, dict[str, LinkedColumn]](), dict[TableRef, list[TableRef]]()
    linked_by_ref = {linked.table.ref: linked for linked in tables}
    for linked in tables:
        home = original_of.get(linked.table.ref, linked.table.ref)
        table = environment.indexed.catalog.table_by_ref[home]
        held = columns.setdefault(home, {})
        if home != linked.table.ref:
            copies.setdefault(home, []).append(linked.table.ref)
        for column in linked.columns:
            duplicate = held.get(column.column.path)
            own = table.column_by_path.get(column.column.path)
            if own and (duplicate is None or duplicate.score < column.score):
                held[own.path] = replace(column, column=own)
    folded = []
    for home, held in columns.items():
        table = environment.indexed.catalog.table_by_ref[home]
        best = sorted(held.values(), key=lambda column: -column.score)
        linked = linked_by_ref.get(home) or LinkedTable(table, ())
        folded.append(replace(linked, columns=tuple(best)))
    return folded, copies


def _tells_more(
    environment: Environment, join: Join, shown: Mapping[TableRef, Sequence[LinkedColumn]]
) -> bool:
    """Whether no arrow of a shown column already says this join."""
    if not {join.left, join.right} <= shown.keys():
        return False
    arrows = set[tuple[ColumnRef, ColumnRef]]()
    for table, columns in shown.items():
        for column in columns:
            ref = ColumnRef(table, column.column.path)
            arrows |= {(ref, key) for key in environment.indexed.facts.get(ref).points_to[:1]}
    left = [ColumnRef(join.left, path) for path in join.left_columns]
    right = [ColumnRef(join.right, path) for path in join.right_columns]
    pairs, turned = zip(left, right, strict=True), zip(right, left, strict=True)
    return not arrows.issuperset(pairs) and not arrows.issuperset(turned)


class _NamedColumns(Record, frozen=True):
    """Columns without details, by name, in the order of `_turn`; foreign keys are listed again."""

    names: tuple[str, ...]
    foreign_keys: tuple[str, ...] = ()
    needed: int = 0

    @property
    def first(self) -> str:
        """The first ones: those that may be needed, and a few others."""
        needed, others = self.names[: self.needed], self.names[self.needed :]
        shown = (*needed[:_MAX_NEEDED_NAMED], *others, *needed[_MAX_NEEDED_NAMED:])
        most = min(self.needed, _MAX_NEEDED_NAMED) + _MIN_OTHERS_NAMED
        return listed(shown, max(most, _OTHERS_NAMED))

    def without(self, others: Collection[str]) -> "_NamedColumns":
        """The same without columns that are named elsewhere."""
        names = [name for name in self.names if name not in others]
        needed = sum(name not in others for name in self.names[: self.needed])
        return replace(self, names=tuple(names), needed=needed)

    @property
    def keys(self) -> str:
        """The foreign keys alone, and the number of the others."""
        keys = self.foreign_keys[:_KEYS_NAMED]
        others = (name for name in self.names if name not in keys)
        return listed((*keys, *others), len(keys)).lstrip()


class _TableTeller:
    """Lines of the tables of a question, without repetitions."""

    def __init__(
        self,
        environment: Environment,
        question: str,
        details: Mapping[TableRef, Sequence[LinkedColumn]],
        named: set[ColumnRef],
    ) -> None:
        self._environment, self._question, self._details = environment, question, details
        self._named = named
        self._codes = CodeLabels(environment)
        self._contents = TableContents(environment, is_offline=True)
        self._table_by_line: dict[str, TableRef] = {}
        self._keys_shown = set[ColumnRef]()

    def lines(self, linked: LinkedTable, others: _NamedColumns, *, is_whole: bool) -> Iterator[str]:
        """A table with details of relevant columns, and names of others."""
        ref = linked.table.ref
        columns = self._details[ref]
        paths = {item.column.path for item in columns}
        before = [path for path in paths if ColumnRef(ref, path) in self._named]
        is_listed = any(item.table == ref for item in self._named)
        yield column_name(str(ref)) if is_listed else self._head(linked)
        labels = labels_behind(self._environment, ref, columns, self._details)
        others = others.without(self._own_labels(ref, labels))
        repeated = dict[TableRef, list[str]]()
        for item in columns:
            path = item.column.path
            if path in before:
                continue
            line = self._line(ref, item, labels.get(path, ""))
            first = self._table_by_line.setdefault(line, ref)
            if first != ref and len(line) > _WORTH_REFERRING:
                repeated.setdefault(first, []).append(path)
            else:
                yield line
        for first, as_there in repeated.items():
            yield f"  as in {column_name(str(first))}: {listed(as_there)}"
        self._named |= {ColumnRef(ref, path) for path in paths}
        if before:
            yield f"  as above: {listed(before)}"
        elif others.names and not is_listed:
            named = others.first if is_whole or not columns else others.keys
            yield f"  {named}" if named.startswith("and ") else f"  also {named}"

    def _own_labels(self, ref: TableRef, labels: Mapping[str, str]) -> frozenset[str]:
        """Columns of the same table that the line of its key names."""
        facts, named = self._environment.indexed.facts, list[str]()
        for path, label in labels.items():
            if facts.get(ColumnRef(ref, path)).is_primary_key:
                named += re.split(r"[\s,()]+", label)
        return frozenset(named)

    def _head(self, linked: LinkedTable) -> str:
        line = table_line(self._environment, linked.table, linked.stands_for)
        contents = self._contents.text(linked.table)
        return f"{line}{contents}{superseded_by(self._environment, linked.table)}"

    def _line(self, table: TableRef, item: LinkedColumn, label: str) -> str:
        ref = ColumnRef(table, item.column.path)
        described = self._environment.indexed.describe(ref)
        # Foreign keys share codes with their key.
        key = self._codes.key_of(ref)
        codes = "" if key in self._keys_shown else self._codes.pairs_of(ref, self._question)
        self._keys_shown |= {key} if codes else set()
        return f"  {described.short_line(item.examples, label, codes=codes)}"


def _others(
    environment: Environment,
    linked: LinkedTable,
    shown: Sequence[LinkedColumn],
    details: Sequence[LinkedColumn],
) -> _NamedColumns:
    ref = linked.table.ref
    top = [column.path for column in linked.table.columns if not column.depth]
    paths = dict.fromkeys((*(item.column.path for item in linked.columns), *top))
    detailed = {item.column.path for item in details}
    likely = {item.column.path for item in shown}
    turns, foreign_keys = dict[str, int](), list[str]()
    for path in paths:
        if path in detailed:
            continue
        described = environment.indexed.describe(ColumnRef(ref, path))
        mark = "(key)" if described.facts.is_primary_key else ""
        target = "" if described.names_its_key else described.leads_to
        name = " ".join(filter(None, (described.named, mark, target)))
        turns[name] = _LIKELY if path in likely else _turn(described)
        if described.leads_to:
            turns[name] = min(turns[name], _KEY if len(foreign_keys) < _KEYS_NAMED else _PLAIN)
            foreign_keys.append(name)
    names = sorted(turns, key=turns.__getitem__)
    needed = sum(turn <= _KEY for turn in turns.values())
    return _NamedColumns(tuple(names), tuple(foreign_keys), needed)


def _turn(described: ColumnDescription) -> int:
    """Keys, then flags (which invert a question), then by relevance; constant ones last."""
    facts = described.facts
    if facts.is_primary_key or described.leads_to:
        return _KEY
    is_of_row = described.name.startswith("_") or is_of_loading(described.column)
    if is_of_row or facts.category in UNINFORMATIVE:
        return _LAST
    return _FLAG if facts.category == "boolean" else _PLAIN


def _linked(environment: Environment, schema: LinkedSchema) -> list[str]:
    because = f" ({readable(schema.chosen_because)})" if schema.chosen_because else ""
    lines = [f"strategy {schema.strategy}{because}"]
    lines += verified_lines(environment, schema.question)
    if schema.unanswerable:
        missing = readable(schema.unanswerable.missing)
        lines.append(f"cannot be answered: {missing}; what comes nearest:")
    for table in schema.tables:
        lines.append(table_line(environment, table.table, table.stands_for))
        for linked in table.columns:
            described = environment.indexed.describe(ColumnRef(table.table.ref, linked.column.path))
            reason = f"; {readable(linked.reason)}" if linked.reason else ""
            sure = linked.status or f"{linked.score:.0%}"
            lines.append(f"  {described.short_line()}{reason} [{sure}]")
    lines += [f"join {join_line(join)}" for join in schema.joins]
    return [*lines, *map(readable, schema.warnings)]
