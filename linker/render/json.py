"""The linked schema as JSON: enters the answer, leaves the document that `contract` describes."""

from linker.link.answer import LinkedSchema
from linker.render.contract import AnswerRecord
from linker.text.safe import escaped


def render(schema: LinkedSchema) -> str:
    """The linked schema as an indented document."""
    return escaped(AnswerRecord.model_validate(schema).model_dump_json(indent=2, by_alias=True))
