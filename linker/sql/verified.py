"""
Verified questions: a file of the user's project with questions and approved SQL.

docs/verified-questions.md describes the format; entries without SQL belong to other tools. Check
results are in the state folder. A model sees only what passed a check: the question, and the
statement without comments.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from linker.environment import Environment
from linker.errors import ConfigError
from linker.files import read_text, state_folder, write_atomically, yaml_entries
from linker.text.words import alnum_key, parts, readable, words_of_text
from linker.types import Record, as_dict

# Raise with every change of the stored format.
_FORMAT = 2
FOLDER = "verified"
_HINT = "write `- question: …` with `sql: …` below it; docs/verified-questions.md shows the file"
# Of 60 different demo questions 15 % have another within this similarity; at 0.5 half do, often
# sharing just a year.
NEAR_ENOUGH = 0.6
# Longer statements would displace other prompt content.
_LONGEST_STATEMENT = 1_500
_MAX_DIFFERENCES = 8

CheckOutcome = Literal["valid", "broken", "empty"]


class VerifiedQuestion(Record, frozen=True):
    """A question and its SQL, with its line in the file."""

    question: str
    sql: str
    line: int = 0

    @property
    def digest(self) -> str:
        """Digest of question and SQL, which invalidates old checks."""
        return hashlib.sha256(f"{self.question}\0{self.sql}".encode()).hexdigest()


class VerifiedCheck(Record, frozen=True):
    """
    Last check of a question: `broken` failed, `empty` returned nothing; with the reason.

    `sql` has no comments, and is empty if it failed or has a literal that may be a private value.
    `reads` are its tables.
    """

    question: str
    digest: str
    outcome: CheckOutcome
    reason: str
    sql: str
    reads: tuple[str, ...]
    checked_at: str


class NearQuestion(Record, frozen=True):
    """A similar verified question, with the words that differ."""

    question: str
    sql: str
    nearness: float
    only_asked: tuple[str, ...]
    only_verified: tuple[str, ...]

    @property
    def differences(self) -> str:
        """Words added and missing, as text; empty if none differ."""
        parts_of: list[str] = []
        for verb, words in (("adds", self.only_asked), ("lacks", self.only_verified)):
            quoted = [f"“{word}”" for word in words[:_MAX_DIFFERENCES]]
            parts_of += [f"{verb} {', '.join(quoted)}"] if quoted else []
        return "; ".join(parts_of)


class _Checks(Record, frozen=True):
    """The stored checks of a target."""

    checks: tuple[VerifiedCheck, ...]
    format: int = _FORMAT


def read_questions(path: Path) -> tuple[VerifiedQuestion, ...]:
    """Questions with SQL; empty without a file."""
    if not path.exists():
        return ()
    questions: dict[str, VerifiedQuestion] = {}
    for line, entry in yaml_entries(path, read_text(path, hint=_HINT), hint=_HINT):
        item = _question_of(entry, line, path)
        if item is None:
            continue
        key = alnum_key(item.question)
        if key in questions:
            raise ConfigError(
                f"{path}, line {line}: the question stands in line {questions[key].line} already",
                hint="remove one of them",
            )
        questions[key] = item
    return tuple(questions.values())


def add_question(path: Path, question: str, sql: str) -> None:
    """Append a question, preserving comments; creates the file."""
    import yaml

    if any(alnum_key(item.question) == alnum_key(question) for item in read_questions(path)):
        raise ConfigError(
            f"{path} has this question already", hint=f'linker verified remove "{question}"'
        )
    text = read_text(path, hint=_HINT) if path.exists() else ""
    entry = yaml.dump(
        [{"question": question, "sql": _Block(f"{sql.strip()}\n")}],
        Dumper=_block_dumper(),
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )
    _write(path, f"{text.rstrip()}\n{entry}" if text.strip() else entry)


def remove_question(path: Path, question: str) -> None:
    """Remove a question; other lines are unchanged."""
    questions = read_questions(path)
    wanted = next(
        (item for item in questions if alnum_key(item.question) == alnum_key(question)), None
    )
    if wanted is None:
        raise ConfigError(f"{path} has no such question", hint="linker verified list")
    text = read_text(path, hint=_HINT)
    starts = [line for line, _ in yaml_entries(path, text, hint=_HINT)]
    after = next((line for line in starts if line > wanted.line), None)
    lines = text.splitlines(keepends=True)
    rest = lines[: wanted.line - 1] + (lines[after - 1 :] if after else [])
    _write(path, "".join(rest))


def read_checks(environment: Environment) -> tuple[VerifiedCheck, ...]:
    """Results of the last check; empty if none, or of another version."""
    try:
        kept = msgspec.json.decode(_file_of(environment).read_bytes(), type=_Checks)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ()
    return kept.checks if kept.format == _FORMAT else ()


def keep_checks(environment: Environment, checks: Iterable[VerifiedCheck]) -> None:
    """Store checks, readable by the owner only."""
    state_folder(environment.settings.state_dir, FOLDER)
    content = json.dumps(as_dict(_Checks(tuple(checks))), ensure_ascii=False)
    write_atomically(_file_of(environment), content, is_private=True)


def forget_check(environment: Environment, question: str) -> None:
    """Delete the check of a removed question."""
    key = alnum_key(question)
    kept = read_checks(environment)
    rest = [check for check in kept if alnum_key(check.question) != key]
    if len(rest) < len(kept):
        keep_checks(environment, rest)


def near_questions(
    question: str, environment: Environment, most: int, longest: int = _LONGEST_STATEMENT
) -> tuple[NearQuestion, ...]:
    """The most similar verified questions that passed, nearest first."""
    held_out = alnum_key(environment.held_out)
    usable = list[VerifiedCheck]()
    for check in read_checks(environment):
        is_shown = check.outcome == "valid" and 0 < len(check.sql) <= longest
        if is_shown and alnum_key(check.question) != held_out:
            usable.append(check)
    if not usable:
        return ()
    nearness = environment.retriever.nearness(question, [check.question for check in usable])
    ranked = sorted(zip(nearness, usable, strict=True), key=lambda pair: -pair[0])
    return tuple(
        near_question(question, check, near) for near, check in ranked[:most] if near >= NEAR_ENOUGH
    )


def near_question(question: str, check: VerifiedCheck, nearness: float) -> NearQuestion:
    """Compare a verified question with another."""
    return NearQuestion(
        readable(check.question),
        check.sql,
        nearness,
        _only_in(question, check.question),
        _only_in(check.question, question),
    )


def _only_in(question: str, other: str) -> tuple[str, ...]:
    """Informative words of one question that the other lacks, as written."""
    other_words = set(words_of_text(other))
    return tuple(
        dict.fromkeys(word for word in parts(question) if set(words_of_text(word)) - other_words)
    )


class _Block(str):
    """A text written as a YAML block."""

    __slots__ = ()


def _block_dumper() -> Any:  # noqa: ANN401 - yaml is imported where it is needed
    import yaml

    class BlockDumper(yaml.SafeDumper):
        """Writes statements as blocks."""

    def represent(dumper: yaml.SafeDumper, text: _Block) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")

    BlockDumper.add_representer(_Block, represent)
    return BlockDumper


def _question_of(entry: dict[str, Any], line: int, path: Path) -> VerifiedQuestion | None:
    """The question of an entry; None without SQL, the first of several statements."""
    question, sql = entry.get("question"), entry.get("sql")
    if sql is None:
        return None
    first = sql[0] if isinstance(sql, list) and sql else sql
    for name, text in (("question", question), ("sql", first)):
        if not isinstance(text, str) or not text.strip():
            raise ConfigError(f"{path}, line {line}: `{name}` should be a string", hint=_HINT)
    return VerifiedQuestion(str(question).strip(), str(first).strip(), line)


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text)
    except OSError as error:
        raise ConfigError(
            f"cannot write {path}: {error.strerror}",
            hint="set `verified_questions` to another file",
        ) from None


def _file_of(environment: Environment) -> Path:
    digest = hashlib.sha256(environment.target_key.encode()).hexdigest()
    return environment.settings.state_dir / FOLDER / f"{digest[:16]}.json"
