"""Answers about a family of which only some shards were read."""

from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.catalog.index_session import FixedIndex, Index
from linker.catalog.snapshot import ProfiledCatalog
from linker.linking.conversation import Measured
from linker.linking.linking import LinkSession, read_linked_question
from linker.pipeline import link
from linker.strategies.shortlist import ShortlistStrategy
from linker.types import Catalog, Column, ColumnRef, Columns, Family, Table, TableRef
from tests.linking.rules import careful
from tests.linking.shop import ShopEnvironment, WordRetriever

MEMBERS = tuple(f"campaigns_{year}" for year in range(2020, 2025))
READ = ("campaigns_2024", "campaigns_2022", "campaigns_2020")
YEARS = Family("year", "2020", "2024", MEMBERS, "campaigns_2024", "partitions", READ)
COLUMNS = tuple(
    Column(name, name, 0, place, "VARCHAR", True, None)
    for place, name in enumerate(("campaign_id", "campaign_name", "channel", "revenue"), start=1)
)
TABLE = TableRef("marketing", "campaigns_*")
CATALOG = Catalog((Table(TABLE, "table", None, None, Columns(COLUMNS), YEARS),), 5)
NAME = ColumnRef(TABLE, "campaign_name")
NAMES = ("Spring Sale", "Autumn Glow")
FACTS = Facts(
    {
        NAME: ColumnFacts(
            "category", 2, values=NAMES, seen_in=(("Autumn Glow", ("campaigns_2020",)),)
        )
    }
)


class Marketing(ShopEnvironment):
    """A family of which three of five members were read."""

    @cached_property
    def index(self) -> Index:
        return FixedIndex(ProfiledCatalog(CATALOG, FACTS))

    @cached_property
    def retriever(self) -> Any:
        return WordRetriever(self.indexed.catalog, {NAME: NAMES})


def warnings(folder: Path, question: str) -> tuple[str, ...]:
    with Marketing(folder, careful) as environment:
        return link(question, environment, ShortlistStrategy()).warnings


def test_where_nothing_speaks_of_a_name_it_is_said_that_some_members_were_not_read(
    tmp_path: Path,
) -> None:
    found = warnings(tmp_path, "Revenue of campaigns about blockbusters and zeppelins by channel")
    assert found == (
        "unmatched terms: “blockbusters”, “zeppelins”",
        "marketing.campaigns_*: 3 of 5 read",
    )
    assert warnings(tmp_path, "What is the revenue of campaigns by channel?") == ()


def test_of_a_question_that_lies_far_from_all_it_is_said_that_it_may_be_about_something_else(
    tmp_path: Path,
) -> None:
    [doubt, *_] = warnings(tmp_path, "Which campaigns did the general of the zeppelins win?")
    assert doubt == ("unmatched terms: “general”, “zeppelins”; the question may be out of scope")


def test_that_no_place_is_near_is_no_warning_where_no_word_is_missed(tmp_path: Path) -> None:
    assert warnings(tmp_path, "Which campaigns ran longest and were handled worst?") == ()


def test_of_a_question_in_another_language_only_that_is_said(tmp_path: Path) -> None:
    found, *_ = warnings(tmp_path, "Welche Werbung lief in den Niederlanden?")
    assert found == (
        "the question is not in English; without a language model, English questions work best"
    )


def reason(folder: Path, question: str) -> str:
    with Marketing(folder, careful) as environment:
        [table] = link(question, environment, ShortlistStrategy()).tables
        [name] = [linked for linked in table.columns if linked.column.path == NAME.path]
        return name.reason


def test_a_value_that_some_members_alone_have_says_which(tmp_path: Path) -> None:
    found = reason(tmp_path, "What is the revenue of Autumn Glow?")
    assert found.startswith("value match: 'Autumn Glow' in campaign_name (in campaigns_2020)")
    assert "(in " not in reason(tmp_path, "What is the revenue of Spring Sale?")


def test_rows_that_a_model_is_shown_say_of_which_members_they_are(tmp_path: Path) -> None:
    profile: Any = SimpleNamespace(statistics=SimpleNamespace(row_count=9), columns=())
    text = "What is the revenue of Autumn Glow?"
    with Marketing(tmp_path, careful) as environment:
        question = read_linked_question(
            text, LinkSession("evilink", text, environment), rereads=False
        )
        assert question
        assert Measured(question, lambda _: profile).table(TABLE) == "9 rows (3 of 5 read)"
