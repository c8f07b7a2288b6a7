"""
Agent evaluation on the demo that `make demo` builds, or on a project with golden questions.

    python -m benchmarks.agents distractors --into ~/distractors
    python -m benchmarks.agents ask --interface linker --model openai:any
        --base-url http://127.0.0.1:8766/v1 --out linker.jsonl
    python -m benchmarks.agents ask --interface sql …
    python -m benchmarks.agents ask --interface linker --warehouse ~/distractors …
    python -m benchmarks.agents judge linker.jsonl sql.jsonl distractors.jsonl
    python -m benchmarks.agents coverage

With `--golden FILE` before the task, on the project of the current folder.
"""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from pathlib import Path

from benchmarks.agents.conversation import AgentInterface, converse
from benchmarks.agents.distractors import build_distractors
from benchmarks.agents.interfaces import SqlInterface, mcp_interface
from benchmarks.agents.judging import Judge, keep_answer, read_answers, table
from benchmarks.agents.search_coverage import coverage_lines
from linker.demo.warehouse import build_warehouse
from linker.models import open_model

_COMMAND = str(Path(sys.executable).with_name("linker"))
_PATIENCE_SECONDS = 7_200.0
# The questions of the figures.
_FIRST = 20


def make_distractors(given: argparse.Namespace) -> None:
    """Build and index a state folder with many near-duplicates."""
    tables = build_distractors(given.state_dir, given.into, given.tables)
    sys.stderr.write(f"{tables:,} tables; writing the index\n")
    words = [_COMMAND, "index", "--target", "demo", "--state-dir", str(given.into.resolve())]
    subprocess.run(words, check=True)  # noqa: S603 - ours


@asynccontextmanager
async def opened(given: argparse.Namespace) -> AsyncIterator[AgentInterface]:
    if given.interface == "linker":
        demo = None if given.golden else given.warehouse or given.state_dir
        async with mcp_interface(_COMMAND, demo) as interface:
            yield interface
        return
    plain = given.state_dir / "demo" / "plain.duckdb"
    if not plain.exists():
        build_warehouse(plain)
    with closing(SqlInterface(plain)) as interface:
        yield interface


async def ask(given: argparse.Namespace) -> None:
    """Ask unanswered questions, several in parallel."""
    answered = {answer.question_id for answer in read_answers(given.out) if not answer.error}
    judge = Judge(given.state_dir, given.golden)
    questions = judge.questions[given.skip : given.skip + given.questions]
    indexes = asyncio.Semaphore(given.at_once)
    # Each conversation waits for its model in a thread, and the usual number of threads goes by the
    # processors.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(given.at_once + 1))
    with closing(open_model(given.model, given.base_url, _PATIENCE_SECONDS)) as model:
        async with opened(given) as interface, asyncio.TaskGroup() as conversations:

            async def one(question_id: str, text: str) -> None:
                async with indexes:
                    answer = await converse(question_id, text, interface, model)
                keep_answer(given.out, answer)
                sys.stderr.write(
                    f"{question_id}: {answer.error or f'{len(answer.columns)} columns'}\n"
                )

            for question in questions:
                if question.id not in answered:
                    conversations.create_task(one(question.id, question.text))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.agents", description=(__doc__ or "").split("\n", 2)[1]
    )
    parser.add_argument(
        "--state-dir", type=Path, default=Path(".linker"), help="where `make demo` built the demo"
    )
    parser.add_argument(
        "--golden",
        type=Path,
        help="golden questions of the project in the current folder, in place of the demo's",
    )
    tasks = parser.add_subparsers(dest="task", required=True)
    distractors = tasks.add_parser(
        "distractors", help="build a warehouse of near-duplicates around the demo, and index it"
    )
    distractors.add_argument("--into", type=Path, required=True, help="a new state folder")
    distractors.add_argument("--tables", type=int, default=10_000)
    asking = tasks.add_parser("ask", help="let a model answer questions")
    asking.add_argument("--interface", choices=("linker", "sql"), required=True)
    asking.add_argument(
        "--warehouse",
        type=Path,
        help="with the interface linker: a state folder made by `distractors`",
    )
    asking.add_argument("--model", required=True, help="provider:name")
    asking.add_argument("--base-url", help="who answers, such as http://host/v1")
    asking.add_argument("--questions", type=int, default=_FIRST)
    asking.add_argument(
        "--skip",
        type=int,
        default=0,
        help="leave out the first: to try things with other questions",
    )
    asking.add_argument("--at-once", type=int, default=10, help="conversations")
    asking.add_argument(
        "--out", type=Path, required=True, help="file of answers; what it holds is not asked again"
    )
    showing = tasks.add_parser(
        "coverage",
        help="count the columns that questions need and `search_schema` shows; asks no model",
    )
    showing.add_argument("--warehouse", type=Path, help="a state folder made by `distractors`")
    judging = tasks.add_parser("judge", help="print a line for each file of answers")
    judging.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    if given.task == "distractors":
        make_distractors(given)
    elif given.task == "ask":
        asyncio.run(ask(given))
    elif given.task == "coverage":
        lines = coverage_lines(given.state_dir, given.warehouse or given.state_dir, _FIRST)
        sys.stdout.write("\n".join((*lines, "")))
    else:
        sys.stdout.write("\n".join((*table(Judge(given.state_dir, given.golden), given.files), "")))


if __name__ == "__main__":
    main()
