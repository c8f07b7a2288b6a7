"""
How often databases refuse, or warn of, questions about other databases.

Every database gets its own questions, which it can answer, and those of others, which it cannot.
Databases of one vendor, or with tables in common, count as one. Questions come without evidence and
documents.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from random import Random

from msgspec.structs import replace

from linker.config.settings import Settings, load_settings
from linker.environment import Environment
from linker.evaluation import GoldenQuestion
from linker.evaluation.preparing import Prepared, prepare
from linker.evaluation.tune import related
from linker.ranking.answerability import check_answerable
from linker.ranking.ranker import rank, read_question
from linker.ranking.weights import read_weights
from linker.refresh.steps import update_index
from linker.text.words import alnum_key
from linker.types import Catalog

# All of these sell things, most of them online: a question to one could be asked of another.
SHOPS = ("demo", "jaffle", "ecommerce", "ga360", "northwind", "deliverycenter")
SUITES = ("spider2-lite", "bird", "beaver", "spider1", "demo")


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    A question, the database that it was asked of, and what that said; `source` is the database that
    it is about.
    """

    suite: str
    database: str
    source: str
    question: str
    refused: bool
    warned: bool

    @property
    def is_foreign(self) -> bool:
        """True of a question about another database."""
        return self.source != f"{self.suite}.{self.database}"


@dataclass(frozen=True)
class QuestionPool:
    """Suites with questions; `group_of` maps databases to groups of related ones."""

    suites: Mapping[str, Prepared]
    group_of: Mapping[str, int]
    seed: int = 0

    @classmethod
    def create(cls, suites: Mapping[str, Prepared], seed: int = 0) -> "QuestionPool":
        """The suites, and which of their databases are related."""
        catalogs: dict[str, Catalog] = {}
        for name, prepared in suites.items():
            for database in prepared.databases:
                catalogs[f"{name}.{database.name}"] = database.catalog
        group_of: dict[str, int] = {}
        for number, group in enumerate(related(catalogs)):
            for database_name in group:
                is_shop = any(shop in alnum_key(database_name) for shop in SHOPS)
                group_of[database_name] = -1 if is_shop else number
        return cls(suites, group_of, seed)

    def answerable(self, name: str) -> dict[str, list[GoldenQuestion]]:
        """By database of a suite the questions that it answers."""
        found: dict[str, list[GoldenQuestion]] = {}
        for question in self.suites[name].questions:
            if question.is_answerable:
                found.setdefault(question.database, []).append(question)
        return found

    def foreign(self, own: str, count: int) -> list[tuple[str, str]]:
        """
        So many questions of databases that are not related, each with its database; of every suite
        as many.
        """
        random = Random(f"{self.seed} {own}")  # noqa: S311 - the same each time
        pools: list[list[tuple[str, list[GoldenQuestion]]]] = []
        most = 0
        for name in self.suites:
            pool = []
            for database, questions in self.answerable(name).items():
                if self.group_of[f"{name}.{database}"] != self.group_of[own]:
                    pool.append((f"{name}.{database}", questions))
                    most += len(questions)
            pools.append(pool)
        found: dict[tuple[str, str], None] = {}
        while len(found) < min(count, most):
            # A database is as likely as any other of its suite, however many questions it has.
            for pool in filter(None, pools):
                database, questions = random.choice(pool)
                found[database, random.choice(questions).text] = None
        return list(found)[:count]


def chosen(
    pool: QuestionPool, name: str, own: int, foreign: int
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """
    By database of a suite the questions to ask of it, each with the database that it is about.
    """
    answerable = pool.answerable(name)
    questions = list(chain.from_iterable(answerable.values()))
    asked = {
        question.id
        for question in Random(f"{pool.seed} {name}").sample(questions, min(own, len(questions)))  # noqa: S311
    }
    for number, (database, found) in enumerate(sorted(answerable.items())):
        here = f"{name}.{database}"
        share = foreign * (number + 1) // len(answerable) - foreign * number // len(answerable)
        yield (
            database,
            [
                *((here, question.text) for question in found if question.id in asked),
                *pool.foreign(here, share),
            ],
        )


def ask(pool: QuestionPool, name: str, own: int, foreign: int) -> Iterator[Outcome]:
    """All that a suite is asked."""
    prepared, weights = pool.suites[name], read_weights()
    with Environment(prepared.settings) as parts:
        for database, questions in chosen(pool, name, own, foreign):
            if not questions:
                continue
            environment = prepared.environment(prepared.database_by_name[database], parts)
            update_index(environment)
            for source, text in questions:
                read = read_question(text, environment)
                unspoken = check_answerable(rank(text, read.index, weights, read.signals))
                is_warned = bool(unspoken.phrases)
                yield Outcome(name, database, source, text, unspoken.is_out_of_scope, is_warned)


def line(label: str, asked: Sequence[Outcome]) -> str:
    """A line of the table."""
    cells = [label]
    for are_strangers in (False, True):
        found = [answer for answer in asked if answer.is_foreign == are_strangers]
        cells.append(str(len(found)))
        counts = (sum(answer.refused for answer in found), sum(answer.warned for answer in found))
        cells += [f"{100 * count / len(found):.1f}" if found else "" for count in counts]
    return f"| {' | '.join(cells)} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--root", type=Path, required=True, help="folder with a folder for each suite"
    )
    parser.add_argument("--state-dir", type=Path, default=Path(".linker"))
    parser.add_argument(
        "--suites",
        nargs="+",
        default=SUITES,
        help="a suite, or golden@PROFILE for ROOT/real/PROFILE.yml",
    )
    parser.add_argument("--profiles-dir", type=Path, help="of the profiles of golden questions")
    parser.add_argument(
        "--own", type=int, default=150, help="answerable questions of each suite, at most"
    )
    parser.add_argument(
        "--foreign", type=int, default=150, help="questions about something else for each suite"
    )
    parser.add_argument("--seed", type=int, default=0, help="which questions are drawn")
    parser.add_argument("--out", type=Path, help="file for every question, a line each")
    given = parser.parse_args()
    settings = load_settings({"state_dir": given.state_dir})
    pool = QuestionPool.create(
        {name: _prepared(name, given, settings) for name in given.suites}, given.seed
    )
    heads = (
        "suite",
        "answerable",
        "refused, %",
        "or warned",
        "about something else",
        "refused, %",
        "or warned",
    )
    sys.stdout.write(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n")
    every: list[Outcome] = []
    for name in given.suites:
        asked = list(ask(pool, name, given.own, given.foreign))
        sys.stdout.write(line(name, asked))
        sys.stdout.flush()
        every += asked
    sys.stdout.write(line("all", every))
    if given.out:
        given.out.write_text("".join(f"{json.dumps(asdict(answer))}\n" for answer in every))


def _prepared(name: str, given: argparse.Namespace, settings: Settings) -> Prepared:
    suite, _, profile = name.partition("@")
    if not profile:
        return prepare(name, None if name == "demo" else given.root / name, settings)
    return prepare(
        suite,
        given.root / "real" / f"{profile}.yml",
        replace(
            settings, profile=profile, profiles_dir=given.profiles_dir or settings.profiles_dir
        ),
    )


if __name__ == "__main__":
    main()
