"""WordPiece tokens equal those of another tokenizer with the same vocabulary."""

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing

from linker.demo.questions import demo_questions
from linker.embedders.offline import WordPieces
from tests.embedded_texts import TEXTS

VOCABULARY = resources.files("linker.embedders").joinpath("vocab.txt").read_text("utf-8").split()
# Of later versions of Unicode the two know different characters.
OLD_LETTERS = st.characters(max_codepoint=0x33FF, categories=["L", "Mc", "N", "P", "S", "Z"])
ANY_OLD = st.one_of(
    OLD_LETTERS.filter(lambda letter: letter.isalpha() or letter.isspace()),
    st.characters(max_codepoint=0x024F),
    st.sampled_from("漢字税込, 한국어 日本語 🛒\u200b\ufeff\ufffd\x00\x85\u2028\u3000"),
)
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
    "[MASK]",
    "[CLS]",
    "x" * 100,
    "x" * 101,
)


def reference(most: int) -> Tokenizer:
    """The tokenizer of another library, in which no word of a text is a token of its own meaning."""
    numbers = {piece: number for number, piece in enumerate(VOCABULARY)}
    made = Tokenizer(WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    made.post_processor = BertProcessing(("[SEP]", numbers["[SEP]"]), ("[CLS]", numbers["[CLS]"]))
    made.enable_truncation(most)
    return made


OURS = WordPieces(VOCABULARY, 256)
THEIRS = reference(256)


@pytest.mark.parametrize("text", [*TEXTS, *(question.question for question in demo_questions())])
def test_tokens_of_a_text_of_any_script_are_those_of_another_library(text: str) -> None:
    assert OURS.tokens(text) == THEIRS.encode(text).ids


@given(
    text=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
    | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
)
def test_tokens_of_any_plain_text_are_those_of_another_library(text: str) -> None:
    assert OURS.tokens(text) == THEIRS.encode(text).ids


@given(text=st.text(ANY_OLD, max_size=40))
def test_tokens_of_any_letters_are_those_of_another_library(text: str) -> None:
    assert OURS.tokens(text) == THEIRS.encode(text).ids


@pytest.mark.parametrize("most", [3, 7, 12])
def test_a_text_of_more_tokens_than_the_model_reads_is_cut_as_another_library_cuts_it(
    most: int,
) -> None:
    text = "orders of every store and of each of its customers"
    assert WordPieces(VOCABULARY, most).tokens(text) == reference(most).encode(text).ids


def test_pieces_are_the_longest_that_a_vocabulary_has() -> None:
    pieces = WordPieces(["[CLS]", "[SEP]", "[UNK]", "or", "order", "##der", "##s", "?"], 20)
    assert pieces.tokens("Orders? id ORDERX") == [0, 4, 6, 7, 2, 2, 1]


def test_special_words_of_the_model_are_plain_words_in_a_text() -> None:
    mask = VOCABULARY.index("[MASK]")
    assert mask not in OURS.tokens("the [MASK] of it")
    assert OURS.tokens("[MASK]") == OURS.tokens("[ mask ]")
