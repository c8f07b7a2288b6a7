"""Cross-encoder scores equal those of transformers, with a small random model."""

from pathlib import Path

import pytest
import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
)

from linker.errors import EmbedderError
from linker.retrieval.reranking import CrossEncoderReranker
from tests.sentence_transformers.test_sentence_transformers import model_folder

__all__ = ["model_folder"]

QUESTION = "Which carrier is late?"
TEXTS = [
    "carrier of logistics.shipments",
    "colour of product.articles",
    "promised day of logistics.shipments",
]


@pytest.fixture(scope="module")
def cross_encoder(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder of one layer, in a folder."""
    folder = tmp_path_factory.mktemp("cross-encoder")
    torch.manual_seed(7)
    tokenizer = AutoTokenizer.from_pretrained(model_folder)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
    )
    config.num_labels = 1
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_scores_are_those_of_the_model(cross_encoder: Path) -> None:
    found = CrossEncoderReranker(str(cross_encoder)).scores(QUESTION, TEXTS)
    model = AutoModelForSequenceClassification.from_pretrained(cross_encoder).eval()
    tokenizer = AutoTokenizer.from_pretrained(cross_encoder)
    with torch.no_grad():
        logits = [
            model(**tokenizer(QUESTION, text, return_tensors="pt")).logits[0, 0] for text in TEXTS
        ]
    assert found == pytest.approx([torch.sigmoid(one).item() for one in logits], abs=1e-5)
    assert len(set(found)) == len(TEXTS)


def test_no_text_needs_no_model() -> None:
    assert CrossEncoderReranker("nobody/has-published-this").scores(QUESTION, []) == []


def test_a_folder_without_a_model_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError) as caught:
        CrossEncoderReranker(str(tmp_path)).scores(QUESTION, TEXTS)
    assert "\n" not in caught.value.what
    assert "reranker" in str(caught.value.hint)
