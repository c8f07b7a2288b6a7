"""Golden questions of the user and of the demo."""

from pathlib import Path

import pytest

from linker.errors import ConfigError
from linker.evaluation import GoldenQuestion
from linker.evaluation.suites import open_suite

GOLDEN = """# Ours.
- question: How many orders were late?
  gold_sql: select count(*) from shop.orders
- id: coupons
  question: Which coupons were used?
  gold_columns: [shop.orders.coupon, shop.orders.used_at]
  difficulty: hard
- question: How tall are they?
  answerable: false
"""


def test_golden_questions_are_read_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "golden.yml"
    path.write_text(GOLDEN, "utf-8")
    suite = open_suite("golden", path)
    assert suite.questions == (
        GoldenQuestion(
            "1", "warehouse", "How many orders were late?", ("select count(*) from shop.orders",)
        ),
        GoldenQuestion(
            "coupons",
            "warehouse",
            "Which coupons were used?",
            (),
            ("shop.orders.coupon", "shop.orders.used_at"),
            difficulty="hard",
        ),
        GoldenQuestion("3", "warehouse", "How tall are they?", is_answerable=False),
    )


def test_golden_questions_are_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text(
        "question,gold_sql,gold_columns,answerable\n"
        '"How many,\nand when?",select 1,,\nWhich?,,a.b; a.c,yes\nHow tall?,,,no\n',
        "utf-8",
    )
    asked = open_suite("golden", path).questions
    assert [(one.text, one.gold_sql, one.gold_columns, one.is_answerable) for one in asked] == [
        ("How many,\nand when?", ("select 1",), (), True),
        ("Which?", (), ("a.b", "a.c"), True),
        ("How tall?", (), (), False),
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "g.yml",
            GOLDEN + "- question: More?\n",
            r"g\.yml, line 10: question 4 has neither gold_sql nor gold_columns",
        ),
        ("g.yml", GOLDEN + "- questoin: More?\n", r"g\.yml, line 10: question: field required"),
        ("g.yml", GOLDEN + "- text\n", r"g\.yml, line 10: not an entry with fields"),
        ("g.yml", "- question: [\n", r"g\.yml, line 2: not valid YAML"),
        ("g.yml", "question: one\n", r"g\.yml is not a list of questions"),
        ("g.yml", "[]", r"g\.yml has no questions"),
        ("g.csv", "question,gold_sql\na,select 1\n", None),
        ("g.csv", "question,gold_sql\na,select 1\nb\n", r"g\.csv, line 3: question 2 has neither"),
        (
            "g.csv",
            "question,gold_sql\na,select 1,more\n",
            r"g\.csv, line 2: more cells than the header has columns",
        ),
        ("g.txt", "", r"g\.txt is neither YAML nor CSV"),
    ],
)
def test_a_wrong_golden_question_is_named_with_its_line(
    tmp_path: Path, name: str, text: str, message: str | None
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    if message is None:
        assert open_suite("golden", tmp_path / name).questions
        return
    with pytest.raises(ConfigError, match=message):
        open_suite("golden", tmp_path / name)


def test_a_golden_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*golden\.yml: No such file"):
        open_suite("golden", tmp_path / "golden.yml")


def test_the_demo_brings_all_its_questions(tmp_path: Path) -> None:
    suite = open_suite("demo", tmp_path)
    assert all(bool(one.gold_sql) == one.is_answerable for one in suite.questions)
    assert {one.difficulty for one in suite.questions} == {
        "plain",
        "value",
        "bridge",
        "two_answers",
        "unanswerable",
    }
