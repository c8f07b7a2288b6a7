"""How questions are read, part by part: what is asked, which words have no meaning, what is refused."""

from dataclasses import replace

import pytest

from linker.facts import ColumnFacts, Facts, KeyPair
from linker.linked import LinkedColumn, LinkedSchema, LinkedTable
from linker.mentions import Mentions, read_mentions
from linker.retrievers.hybrid import Retrieved
from linker.sql.simple.writer import Written, write
from linker.types import Catalog, Column, ColumnRef, Table, TableRef

CLUBS, PLAYERS, GAMES = (TableRef("sport", name) for name in ("clubs", "players", "games"))
TABLES = {
    CLUBS: (3, "club_id:BIGINT:identifier club_name:VARCHAR:text city:VARCHAR:category"),
    PLAYERS: (9, "player_id:BIGINT:identifier club_id:BIGINT:foreign_key name:VARCHAR:text age:BIGINT:measure"),
    GAMES: (50, "game_id:BIGINT:identifier player_id:BIGINT:foreign_key played_on:DATE:date score_cents:BIGINT:money"),
}
VALUES = {ColumnRef(CLUBS, "city"): ("Oslo", "Rome"), ColumnRef(CLUBS, "club_name"): ("Lions", "Bears", "Owls")}
JOINS = (
    KeyPair(PLAYERS, ("club_id",), CLUBS, ("club_id",), 0.97, 1.0, 3.0),
    KeyPair(GAMES, ("player_id",), PLAYERS, ("player_id",), 0.97, 1.0, 5.5),
)


def schema(question: str, joins: tuple[KeyPair, ...]) -> tuple[LinkedSchema, Facts]:
    linked, facts = list[LinkedTable](), dict[ColumnRef, ColumnFacts]()
    for ref, (rows, told) in TABLES.items():
        columns = []
        for place, (path, kind, category) in enumerate((one.split(":") for one in told.split()), start=1):
            columns.append(Column(path, path, 0, place, kind, is_nullable=True, description=None))
            values = VALUES.get(ColumnRef(ref, path), ())
            # Names are unique, so that a group by them is one by rows.
            distinct = rows if place == 1 or "name" in path else len(values) or None
            facts[ColumnRef(ref, path)] = ColumnFacts(
                category, distinct, is_primary_key=place == 1, is_foreign_key=category == "foreign_key", values=values
            )
        table = Table(ref, "table", None, rows, tuple(columns))
        linked.append(LinkedTable(table, tuple(LinkedColumn(one, 0.5, "") for one in columns)))
    return LinkedSchema(question, "t.dev", "evilink", tuple(linked)), Facts(facts, joins)


def written(question: str, dialect: str = "duckdb", joins: tuple[KeyPair, ...] = JOINS) -> Written:
    linked, facts = schema(question, joins)
    mentions: Mentions = read_mentions(question, Retrieved((), ()), Catalog((), 0))
    return write(mentions, linked, facts, dialect)


def sql(question: str) -> str:
    answer = written(question)
    assert (answer.why_not, answer.open_words, answer.doubts) == ("", (), ())
    return " ".join(answer.sql.split())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many players are there?", "SELECT COUNT(*) AS players_count FROM sport.players AS players"),
        ("List the name and age of all players.", "SELECT players.name, players.age FROM sport.players AS players"),
        (
            "What are the average and maximum age of players?",
            "SELECT AVG(players.age) AS avg_age, MAX(players.age) AS max_age FROM sport.players AS players",
        ),
        (
            "Show the names of players older than 30.",
            "SELECT players.name FROM sport.players AS players WHERE players.age > 30",
        ),
        (
            "What is the name of the youngest player?",
            "SELECT players.name FROM sport.players AS players ORDER BY players.age LIMIT 1",
        ),
        (
            "Which players have an age between 20 and 25?",
            "SELECT players.name FROM sport.players AS players WHERE players.age BETWEEN 20 AND 25",
        ),
        (
            "Show names of players whose age is not between 20 and 25.",
            "SELECT players.name FROM sport.players AS players WHERE NOT players.age BETWEEN 20 AND 25",
        ),
        (
            "Who are the eight oldest players?",
            "SELECT players.name FROM sport.players AS players ORDER BY players.age DESC LIMIT 8",
        ),
        (
            "Which clubs do not have exactly two players?",
            "SELECT clubs.club_name FROM sport.players AS players "
            "INNER JOIN sport.clubs AS clubs ON players.club_id = clubs.club_id "
            "GROUP BY clubs.club_name HAVING COUNT(*) <> 2",
        ),
        (
            "How many games have a score of more than 30.5?",
            "SELECT COUNT(*) AS games_count FROM sport.games AS games WHERE games.score_cents > 3050",
        ),
        (
            "List the score of games.",
            "SELECT games.score_cents / 100 AS score FROM sport.games AS games",
        ),
        (
            "Show names of players whose age is above the average.",
            "SELECT players.name FROM sport.players AS players "
            "WHERE players.age > ( SELECT AVG(players.age) FROM sport.players AS players )",
        ),
        (
            "Which clubs have no players?",
            "SELECT clubs.club_name FROM sport.clubs AS clubs "
            "WHERE NOT EXISTS( SELECT 1 FROM sport.players AS players WHERE players.club_id = clubs.club_id )",
        ),
    ],
)
def test_a_question_becomes_its_statement(question: str, expected: str) -> None:
    assert sql(question).replace(" ASC", "") == expected


def test_a_sum_of_cents_is_told_in_whole_units_over_a_period() -> None:
    told = sql("What is the total score of games in 2025?")
    assert "SUM(games.score_cents) / 100 AS sum_score" in told
    assert "games.played_on >= CAST('2025-01-01' AS DATE)" in told
    assert "games.played_on < CAST('2026-01-01' AS DATE)" in told


def test_what_merely_ends_like_the_end_of_a_period_is_no_part_of_it() -> None:
    for said, first in (("at the weekend of 2025", "2025-01-01"), ("at the end of 2025", "2025-12-31")):
        told = written(f"What is the total score of games {said}?").sql
        assert f"games.played_on >= CAST('{first}' AS DATE)" in told


@pytest.mark.parametrize("question", ["Which clubs have fewer than 2 players?", "Which club has the least players?"])
def test_what_has_no_rows_is_missed_only_where_there_may_be_such(question: str) -> None:
    # Nine players with 4.5 a club are of two clubs, and there are three.
    of_two = (replace(JOINS[0], fan_out=4.5), JOINS[1])
    assert "what has no row of sport.players is not shown" in written(question, joins=of_two).doubts
    assert written(question).doubts == ()


def test_what_is_absent_over_a_join_that_is_not_sure_is_doubted() -> None:
    unsure = (replace(JOINS[0], confidence=0.5), JOINS[1])
    assert (
        "that sport.players and sport.clubs join is not sure"
        in written("Which clubs have no players?", joins=unsure).doubts
    )


def test_what_is_listed_once_is_not_ordered_by_what_is_not_listed() -> None:
    assert (
        "ordered by something that is not listed"
        in written("List the distinct names of players ordered by age").why_not
    )


def test_rows_are_counted_by_their_key_where_a_join_repeats_them() -> None:
    # A club in Oslo has several players with several games each: each club counts once.
    told = sql("How many clubs in Oslo have players older than 30?")
    assert "COUNT(DISTINCT clubs.club_id)" in told


def test_what_is_averaged_counts_once_however_many_rows_meet_a_condition() -> None:
    # A player with several games in 2025 has one age.
    answer = written("What is the average age of players with games in 2025?")
    told = " ".join(answer.sql.split())
    assert told.startswith("SELECT AVG(players.age) AS avg_age FROM sport.players AS players WHERE EXISTS(")
    assert "games.player_id = players.player_id" in told
    assert "games.played_on >= CAST('2025-01-01' AS DATE)" in told
    assert answer.doubts == ("each row of sport.players counts once, however many of sport.games belong to it",)


def test_a_sum_over_repeated_rows_is_refused() -> None:
    # Shown by game, the age of a player with several games would be summed several times.
    answer = written("What is the total age of players for each score of games?")
    assert answer.sql == ""
    assert "would repeat rows of sport.players" in answer.why_not


@pytest.mark.parametrize(
    "question",
    [
        "What percentage of players is older than 30?",
        "Which players are both in Oslo and in Rome?",
        "How many players and how many clubs are there?",
        "Players that are not",
        "Which clubs have between one and two players?",
    ],
)
def test_what_no_rule_covers_is_not_written(question: str) -> None:
    assert written(question).sql == ""


def test_a_word_without_a_meaning_is_named() -> None:
    answer = written("How many retired players are there?")
    assert answer.open_words == ("retired",)
    assert not answer.is_certain


def test_a_joined_name_leads_to_the_right_table() -> None:
    told = sql("How many players are there for each club?")
    assert "clubs.club_name" in told
    assert "ON players.club_id = clubs.club_id" in told


@pytest.mark.parametrize(
    ("dialect", "month"),
    [
        ("duckdb", "DATE_TRUNC('MONTH', games.played_on)"),
        ("postgres", "DATE_TRUNC('MONTH', games.played_on)"),
        ("snowflake", "DATE_TRUNC('MONTH', games.played_on)"),
        ("bigquery", "DATE_TRUNC(games.played_on, MONTH)"),
    ],
)
def test_every_dialect_gets_its_own_words(dialect: str, month: str) -> None:
    answer = written("Number of games by month", dialect)
    assert " ".join(answer.sql.split()).startswith(f"SELECT {month} AS month, COUNT(*) AS games_count")
    assert answer.doubts == ()


def test_a_day_that_is_written_out_is_one_day() -> None:
    told = sql("How many games were there on 28 November 2025?")
    assert "CAST('2025-11-28' AS DATE)" in told
    assert "CAST('2025-11-29' AS DATE)" in told
