"""What an agent printed, as text and as the JSON of several agents: its SQL and its tokens."""

import pytest

from linker.evaluation.agents import read_reply, sql_in

BLOCK = "First:\n```sql\nselect 1;\n```\nBetter:\n```SQL\nselect 2;\n```\nDone."


@pytest.mark.parametrize(
    ("output", "sql", "tokens"),
    [
        (BLOCK, "select 2", None),
        ("\n select 3;\n", "select 3", None),
        ("with a as (select 1) select * from a", "with a as (select 1) select * from a", None),
        ("I do not know.", "", None),
        ("", "", None),
        (
            '{"type": "result", "result": "```sql\\nselect 4\\n```", "usage": {"input_tokens": 10, '
            '"cache_read_input_tokens": 5, "cache_creation_input_tokens": 2, "output_tokens": 3, '
            '"server_tool_use": {"web_search_requests": 0}}}',
            "select 4",
            20,
        ),
        (
            '{"type": "item.completed", "item": {"text": "```sql\\nselect 5\\n```"}}\n'
            'not json\n{"type": "turn.completed", "usage": {"prompt_tokens": 7, "total_tokens": 9}}',
            "select 5",
            9,
        ),
        ('{"sql": "select 6"}', "select 6", None),
    ],
)
def test_the_sql_and_the_tokens_of_a_reply(output: str, sql: str, tokens: int | None) -> None:
    text, found = read_reply(output)
    assert (sql_in(text), found) == (sql, tokens)
