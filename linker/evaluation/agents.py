"""
Evaluation of an agent of the user on golden questions, with and without linker.

The agent is a command: it takes a prompt and an MCP configuration, and prints SQL. Its statement is
judged by its result. A crash or a timeout of the agent costs its question alone.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import chain, product
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Literal

from msgspec.structs import replace

from linker.config.settings import Settings
from linker.environment import Environment
from linker.errors import ConfigError, LinkerError
from linker.evaluation import GoldenQuestion, Verdict
from linker.evaluation.preparing import Prepared
from linker.evaluation.running import text_of, verdict_on
from linker.types import OnProgress, Record

Arm = Literal["with linker", "without linker"]
ARMS: tuple[Arm, ...] = ("with linker", "without linker")
PLACEHOLDERS = ("{prompt}", "{prompt_file}", "{mcp_config}")
_LONGEST_OUTPUT = 4_000_000
_LONGEST_ERROR = 300
_BLOCK = re.compile(r"```(?:sql)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_STATEMENT = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_TOKENS = (
    ("input_tokens", "prompt_tokens"),
    ("output_tokens", "completion_tokens"),
    ("cache_creation_input_tokens",),
    ("cache_read_input_tokens",),
)
# Settings passed as flags; the server reads others from its environment.
_FLAGS = ("profiles_dir", "profile", "target", "state_dir", "artifacts_schema", "embedder", "model")
_PROMPT = """\
Answer this question about a data warehouse with one SQL statement in the dialect {dialect}:

{question}

The MCP server gives access to the warehouse. Select what the question asks for and nothing else.
End your answer with the statement in a ```sql block.
"""


class AgentOptions(Record, frozen=True):
    """
    The command and its limits; `baseline_config` is the MCP configuration of the baseline, by
    default a server with `run_query` only.
    """

    command: str
    time_limit: float = 300.0
    workers: int = 1
    baseline_config: Path | None = None
    out: Path | None = None
    config: str | None = None


class AgentAnswer(Record, frozen=True):
    """An answer of the agent; None means unknown."""

    question_id: str
    arm: Arm
    sql: str = ""
    verdict: Verdict | None = None
    seconds: float = 0.0
    calls: int | None = None
    characters: int | None = None
    tokens: int | None = None
    bytes_read: int | None = None
    error: str = ""


class AgentSummary(Record, frozen=True):
    """
    Figures of one arm: `right` of `questions` with executable gold; means ignore unknown values.
    """

    arm: Arm
    questions: int
    right: int
    failed: int
    accuracy: float | None
    seconds: float | None
    calls: float | None
    characters: float | None
    tokens: float | None
    bytes_read: float | None


def run_agent(
    prepared: Prepared,
    questions: Sequence[GoldenQuestion],
    options: AgentOptions,
    on_progress: OnProgress = lambda _done, _total: None,
) -> tuple[AgentAnswer, ...]:
    """Ask each question with and without linker, and score the agent's SQL."""
    words = _words_of(options.command)
    tasks = list(product(questions, ARMS))
    answers = list[AgentAnswer]()
    with Environment(prepared.settings) as environment, ThreadPoolExecutor(options.workers) as pool:
        dialect = environment.dialect
        # The agent's server opens the warehouse, too.
        environment.release_warehouse()

        def ask(task: tuple[GoldenQuestion, Arm]) -> AgentAnswer:
            return AgentRun(prepared.settings, options, words, dialect, *task).answer()

        for (question, _), answer in zip(tasks, pool.map(ask, tasks), strict=True):
            answers.append(_judged(answer, question, environment))
            on_progress(len(answers), len(tasks))
    return tuple(answers)


def summaries(answers: Sequence[AgentAnswer]) -> tuple[AgentSummary, ...]:
    """Figures of both arms."""
    return tuple(_summary(arm, answers) for arm in ARMS)


def _summary(arm: Arm, answers: Sequence[AgentAnswer]) -> AgentSummary:
    judged = [item for item in answers if item.arm == arm and item.verdict != "gold did not run"]
    right = sum(item.verdict == "right" for item in judged)
    means: dict[str, float | None] = {}
    for name in ("seconds", "calls", "characters", "tokens", "bytes_read"):
        values = [getattr(item, name) for item in judged if getattr(item, name) is not None]
        means[name] = round(fmean(values), 3) if values else None
    return AgentSummary(
        arm=arm,
        questions=len(judged),
        right=right,
        failed=sum(bool(item.error) for item in judged),
        accuracy=right / len(judged) if judged else None,
        **means,
    )


def _words_of(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"--command cannot be read: {error}", hint="close its quotes") from None
    if not words or not any("{mcp_config}" in word for word in words):
        raise ConfigError(
            "--command has no {mcp_config}",
            hint="such as: --command 'claude -p {prompt} --mcp-config {mcp_config}'",
        )
    return words


def _judged(answer: AgentAnswer, question: GoldenQuestion, environment: Environment) -> AgentAnswer:
    try:
        verdict, error = verdict_on(answer.sql, question, environment)
        return replace(answer, verdict=verdict, error=answer.error or error)
    except LinkerError as error:
        return replace(answer, verdict="failed", error=answer.error or error.what)
    finally:
        environment.release_warehouse()


class AgentRun(Record, frozen=True):
    """One question to the agent, in its own folder."""

    settings: Settings
    options: AgentOptions
    words: Sequence[str]
    dialect: str
    question: GoldenQuestion
    arm: Arm

    def answer(self) -> AgentAnswer:
        """The agent's SQL and its cost."""
        with ExitStack() as stack:
            folder = self._folder(stack)
            config = folder / "mcp.json"
            # Deleted, since a server's settings may hold secrets.
            stack.callback(config.unlink, missing_ok=True)
            began = perf_counter()
            error = self._run(folder, config)
            seconds = perf_counter() - began
            output = _read(folder / "stdout")
            text, tokens = read_reply(output)
            calls = list(_logged(folder / "calls.jsonl"))
            billed = [call["bytes_read"] for call in calls if call.get("bytes_read") is not None]
            is_logged = self.arm == "with linker" or not self.options.baseline_config
            return AgentAnswer(
                self.question.id,
                self.arm,
                sql="" if error else sql_in(text),
                seconds=round(seconds, 3),
                calls=len(calls) if is_logged else None,
                characters=sum(call["characters"] for call in calls) if is_logged else None,
                tokens=tokens,
                bytes_read=max(billed) if billed else None,
                error=error,
            )

    def _folder(self, stack: ExitStack) -> Path:
        if self.options.out is None:
            return Path(stack.enter_context(TemporaryDirectory(prefix="linker-agent-")))
        name = re.sub(r"\W+", "-", f"{self.question.id}-{self.arm}")
        folder = self.options.out.resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in ("stdout", "stderr", "calls.jsonl"):
            (folder / old).unlink(missing_ok=True)
        return folder

    def _run(self, folder: Path, config: Path) -> str:
        """Run the agent; returns why there is no answer, or empty."""
        text = text_of(self.question, with_evidence=True)
        prompt = _PROMPT.format(dialect=self.dialect, question=text)
        (folder / "prompt.txt").write_text(prompt, "utf-8")
        self._write_config(config, folder / "calls.jsonl")
        values = (prompt, str(folder / "prompt.txt"), str(config))
        command = [_filled(word, values) for word in self.words]
        is_named = any(name in word for word, name in product(self.words, PLACEHOLDERS[:2]))
        given = Path(os.devnull) if is_named else folder / "prompt.txt"
        with (
            given.open("rb") as stdin,
            (folder / "stdout").open("wb") as out,
            (folder / "stderr").open("wb") as err,
        ):
            try:
                process = subprocess.Popen(  # noqa: S603 - the user's own command
                    command, stdin=stdin, stdout=out, stderr=err, start_new_session=True
                )
            except OSError as error:
                return f"the agent cannot be started: {error.strerror}"
            try:
                code = process.wait(self.options.time_limit)
            except subprocess.TimeoutExpired:
                return f"the agent took longer than {self.options.time_limit:g} s"
            finally:
                # Kill servers that the agent started in the background; they end with stdin.
                _end(process)
        if code:
            last = _read(folder / "stderr").strip().rpartition("\n")[2]
            return f"the agent ended with code {code}: {last}"[:_LONGEST_ERROR]
        return ""

    def _write_config(self, config: Path, log: Path) -> None:
        if self.arm == "without linker" and self.options.baseline_config:
            content = self.options.baseline_config.read_text("utf-8")
        else:
            content = json.dumps(self._server(log), indent=1)
        config.touch(mode=0o600)
        config.write_text(content, "utf-8")

    def _server(self, log: Path) -> dict[str, Any]:
        """MCP configuration of `linker mcp`, or of its `run_query` only."""
        words = ["-c", "from linker.cli import main; main()", "mcp", "--log", str(log)]
        for name in _FLAGS:
            if (value := getattr(self.settings, name)) is not None:
                words += [f"--{name.replace('_', '-')}", str(value)]
        if self.options.config:
            words += ["--config", self.options.config]
        if self.arm == "without linker":
            words += ["--tool", "run_query"]
        else:
            words += ["--hold-out", self.question.text]
        own = {name: value for name, value in os.environ.items() if name.startswith("LINKER_")}
        server = {"command": sys.executable, "args": words, "cwd": str(Path.cwd()), "env": own}
        return {"mcpServers": {"warehouse": server}}


def _filled(word: str, values: Sequence[str]) -> str:
    """A word of the command with placeholders filled once; values are not expanded again."""
    by_name = dict(zip(PLACEHOLDERS, values, strict=True))
    pattern = "|".join(map(re.escape, PLACEHOLDERS))
    return re.sub(pattern, lambda found: by_name[found[0]], word)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the agent's process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_LONGEST_OUTPUT).decode("utf-8", "replace")


def _logged(path: Path) -> Iterator[dict[str, Any]]:
    """Logged tool calls; a torn line is skipped."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            continue


def read_reply(output: str) -> tuple[str, int | None]:
    """
    Text and tokens of a reply; of JSON (document or lines) all texts in order, and the last
    `usage`.
    """
    documents = list(_documents(output))
    if not documents:
        return output, None
    texts = chain.from_iterable(map(_texts, documents))
    tokens = list(chain.from_iterable(map(_usages, documents)))
    return "\n".join(texts), tokens[-1] if tokens else None


def _documents(output: str) -> Iterator[Any]:
    parsed = _loaded(output)
    if parsed is not None:
        yield parsed
        return
    for line in output.splitlines():
        if (document := _loaded(line)) is not None:
            yield document


def _loaded(text: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        document = json.loads(text)
    except ValueError:
        return None
    return document if isinstance(document, dict | list) else None


def _texts(document: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(document, str):
        yield document
    for item in _parts(document):
        yield from _texts(item)


def _usages(document: Any) -> Iterator[int]:  # noqa: ANN401 - any JSON
    usage = document.get("usage") if isinstance(document, dict) else None
    if isinstance(usage, Mapping):
        yield _count(usage)
    for item in _parts(document):
        yield from _usages(item)


def _parts(document: Any) -> Sequence[Any]:  # noqa: ANN401 - any JSON
    if isinstance(document, dict):
        return list(document.values())
    return document if isinstance(document, list) else ()


def _count(usage: Mapping[str, Any]) -> int:
    total = usage.get("total_tokens")
    if isinstance(total, int):
        return total
    count = 0
    for names in _TOKENS:
        counts = [usage[name] for name in names if isinstance(usage.get(name), int)]
        count += sum(counts[:1])
    return count


def sql_in(text: str) -> str:
    """The SQL of a reply: its last code block, or the whole text if that is a statement."""
    blocks = [block.strip() for block in _BLOCK.findall(text)]
    if blocks:
        return str(blocks[-1]).removesuffix(";")
    answer: str = text.strip()
    return answer.removesuffix(";") if _STATEMENT.match(answer) else ""
