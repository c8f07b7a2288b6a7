"""
Golden questions against the profiled target: the user's, in YAML or CSV, those of the demo, and
feedback on answers.

docs/evaluation.md describes the file formats. Feedback is kept in the data directory: that SQL was
right makes that statement gold; other feedback determines only some columns, and the answer's other
columns are excluded from training.
"""

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from msgspec.structs import replace
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from linker.config.settings import Settings
from linker.config.target import target_key
from linker.demo.questions import demo_questions
from linker.errors import ConfigError, NameLookupError
from linker.evaluation import GoldenQuestion, Suite
from linker.files import state_folder, write_atomically, yaml_entries
from linker.identifiers.resolver import find
from linker.linking.assemble_result import TraceRecord, replay
from linker.linking.result import LinkedColumn, LinkedSchema
from linker.sql import sql_of
from linker.types import Catalog, ColumnRef, Record

DATABASE = "warehouse"
_CSV = ".csv"
_YAML = (".yml", ".yaml")
_NO = ("false", "no", "0", "n")


def as_list(value: object) -> object:
    """Lets a string stand for a list of one."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(as_list)]
Filled = Annotated[str, Field(min_length=1)]


class SuiteLine(BaseModel):
    """A record of a suite's files; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", strict=False)


class QuestionLine(SuiteLine):
    """A question as a JSON line, or an entry of the user's file."""

    id: Filled
    database: Filled
    question: Filled
    # Verified question files call it `sql`.
    gold_sql: Texts = Field((), validation_alias=AliasChoices("gold_sql", "sql"))
    gold_columns: Texts = ()
    unsure_columns: Texts = ()
    evidence: str | None = None
    document: str | None = None
    difficulty: str | None = None
    answerable: bool = True


_Model = TypeVar("_Model", bound=BaseModel)


def validated(model: type[_Model], record: Mapping[str, Any], where: str) -> _Model:
    """Validate a record; the error is one line with its location."""
    try:
        return model.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        index = ".".join(str(part) for part in first["loc"])
        raise ConfigError(
            f"{where}: {index or 'the entry'}: {first['msg'].lower()}",
            hint="docs/evaluation.md shows every field",
        ) from None


def question_of(line: QuestionLine, folder: Path, where: str) -> GoldenQuestion:
    """The question, if it can be scored and its document exists."""
    if line.answerable and not (line.gold_sql or line.gold_columns):
        raise ConfigError(
            f"{where}: question {line.id} has neither gold_sql nor gold_columns",
            hint="give one of them, or `answerable: false`",
        )
    document = folder / line.document if line.document else None
    if document is not None and not document.is_file():
        raise ConfigError(
            f"{where}: question {line.id} names the document {line.document}, which does not exist",
            hint=f"put it into {folder}, or leave it out",
        )
    return GoldenQuestion(
        line.id,
        line.database,
        line.question,
        line.gold_sql,
        line.gold_columns,
        line.evidence,
        document,
        line.difficulty,
        line.answerable,
        line.unsure_columns,
    )


def read_text(path: Path) -> str:
    """File text; official files are not all UTF-8."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}", hint="give the folder of the suite with --root"
        ) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read(path: Path) -> Suite:
    questions: dict[str, GoldenQuestion] = {}
    for number, (line, entry) in enumerate(_entries(path), start=1):
        where = f"{path}, line {line}"
        record = {"id": str(number), "database": DATABASE, **entry}
        record["id"] = str(record["id"])
        question = question_of(validated(QuestionLine, record, where), path.parent, where)
        if question.id in questions:
            raise ConfigError(
                f"{where}: duplicate question id {question.id}",
                hint="give it another id",
            )
        questions[question.id] = question
    if not questions:
        raise ConfigError(
            f"{path} has no questions", hint="docs/evaluation.md shows how to write them"
        )
    return Suite("golden", (), tuple(questions.values()))


def read_verified(path: Path) -> Suite:
    return replace(read(path), name="verified")


def _entries(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Entries with the number of their first line."""
    if path.suffix.lower() == _CSV:
        return _csv_entries(path)
    if path.suffix.lower() in _YAML:
        return yaml_entries(path, read_text(path), hint="begin every entry with `- question: …`")
    raise ConfigError(f"{path} is neither YAML nor CSV", hint="name it .yml or .csv")


def _rows(reader: "csv.DictReader[str]", path: Path) -> Iterator[dict[str | Any, str | Any]]:
    try:
        yield from reader
    except csv.Error as error:
        raise ConfigError(
            f"{path} is not valid CSV: {error}", hint="docs/evaluation.md shows how to write them"
        ) from None


def _csv_entries(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(
        io.StringIO(read_text(path), newline=""), restkey="more cells than the header has columns"
    )
    before = reader.line_num
    for row in _rows(reader, path):
        line = max(before, 1) + 1
        before = reader.line_num
        # Empty cells are ignored.
        entry: dict[str, Any] = {str(name).strip(): cell for name, cell in row.items() if cell}
        for columns in ("gold_columns", "unsure_columns"):
            if columns in entry:
                names = map(str.strip, entry[columns].split(";"))
                entry[columns] = [*filter(None, names)]
        if "answerable" in entry:
            entry["answerable"] = entry["answerable"].strip().lower() not in _NO
        yield line, entry


DEMO_DATABASE = "demo"


def read_demo(_state_dir: Path) -> Suite:
    """The demo's questions; the kind of difficulty built in is their `difficulty`."""
    questions = tuple(
        GoldenQuestion(
            id=question.key,
            database=DEMO_DATABASE,
            text=question.question,
            gold_sql=question.gold_sql,
            difficulty=question.kind,
            is_answerable=question.kind != "unanswerable",
        )
        for question in demo_questions()
    )
    return Suite("demo", (), questions)


FOLDER = "feedback"
# Columns of a correct answer count as needed above this relevance.
_LIKELY_NEEDED = 0.5
_CONFIRMED = ("required", "kept")


class Feedback(Record, frozen=True):
    """Feedback on an answer: right, or the missing columns."""

    id: str
    question: str
    is_right: bool
    needed: tuple[str, ...]
    unsure: tuple[str, ...]
    sql: str = ""

    @property
    def entry(self) -> dict[str, Any]:
        """As an entry of a golden questions file."""
        record: dict[str, Any] = {"id": self.id, "question": self.question}
        if self.sql:
            record["gold_sql"] = self.sql
        else:
            record["gold_columns"] = list(self.needed)
        if self.unsure:
            record["unsure_columns"] = list(self.unsure)
        return record


def feedback_on(record: TraceRecord, missing: Sequence[str], catalog: Catalog) -> Feedback:
    """Feedback on a trace's answer; without missing columns the answer was right."""
    schema, answer = replay(record), sql_of(record)
    lacked = [_column(name, catalog) for name in missing]
    if answer and answer.is_answer and not lacked:
        return Feedback(record.id, schema.question, True, (), (), answer.sql)
    given = _columns(schema)
    present = [str(ref) for ref in lacked if ref in given]
    if present:
        raise ConfigError(
            f"the answer has {', '.join(present)}",
            hint="name columns that it lacks, or say --right",
        )
    used = set(answer.used) if answer else set[ColumnRef]()
    needed = [ref for ref, column in given.items() if ref in used or _is_confirmed(column)]
    if not needed and not lacked:
        needed = _likely(given)
    unsure = tuple(str(ref) for ref in given if ref not in needed)
    named = tuple(map(str, dict.fromkeys((*needed, *lacked))))
    return Feedback(record.id, schema.question, not lacked, named, unsure)


def keep_feedback(settings: Settings, feedback: Feedback) -> int:
    """
    Save feedback, replacing earlier feedback on the same answer; returns the number of entries.
    """
    path = feedback_file(settings)
    entries = yaml.safe_load(path.read_text("utf-8")) if path.exists() else []
    rest = [entry for entry in entries if entry["id"] != feedback.id]
    content = yaml.safe_dump([*rest, feedback.entry], sort_keys=False, allow_unicode=True)
    state_folder(settings.state_dir, FOLDER)
    # Contains the question.
    write_atomically(path, content, is_private=True)
    return len(rest) + 1


def feedback_file(settings: Settings) -> Path:
    digest = hashlib.sha256(target_key(settings).encode()).hexdigest()
    return settings.state_dir / FOLDER / f"{digest[:16]}.yml"


def read_feedback(path: Path) -> Suite:
    """The questions with feedback."""
    if not path.exists():
        raise ConfigError("no feedback yet", hint="linker feedback last --right")
    return replace(read(path), name="feedback")


def _column(name: str, catalog: Catalog) -> ColumnRef:
    ref = find(name, catalog)
    if not isinstance(ref, ColumnRef):
        raise NameLookupError(f"`{name}` is a table", hint="name a column, as schema.table.column")
    return ref


def _columns(schema: LinkedSchema) -> dict[ColumnRef, LinkedColumn]:
    columns = dict[ColumnRef, LinkedColumn]()
    for linked in schema.tables:
        for column in linked.columns:
            columns[ColumnRef(linked.table.ref, column.column.path)] = column
    return columns


def _is_confirmed(column: LinkedColumn) -> bool:
    """Whether a language model found the column necessary."""
    return column.status in _CONFIRMED


def _likely(given: dict[ColumnRef, LinkedColumn]) -> list[ColumnRef]:
    """Columns of an undecided list with a relevance above one half; at least one."""
    by_score = sorted(given, key=lambda ref: -given[ref].score)
    return [ref for ref in by_score if given[ref].score >= _LIKELY_NEEDED] or by_score[:1]
