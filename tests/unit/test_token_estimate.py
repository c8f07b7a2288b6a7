"""Token estimate against two real vocabularies."""

import pytest

from linker.models import estimate_tokens

# Counted with the vocabulary of 65,000 pieces that anthropic 0.30.0 carries, and with that of
# 152,000 pieces of dashscope 2.0.2, in this order.
COUNTED = [
    (
        "Which carrier broke its promised delivery day most often in 2025? Give the name and the share "
        "of late parcels, and leave out those with fewer than a hundred deliveries.",
        36,
        37,
    ),
    (
        "select c.carrier_name, count(*) filter (where s.delivered_at::date > s.promised_on) as late\n"
        "from logistics.shipments as s\n"
        "join logistics.carriers as c using (carrier_code)\n"
        "where s.promised_on between date '2025-01-01' and date '2025-12-31'\n"
        "group by 1\n"
        "order by 2 desc\n"
        "limit 5",
        93,
        91,
    ),
    (
        "# Table: sales.orders, one row per order\n"
        "[\n"
        "  (order_id: bigint, primary key, Examples: [100023, 100024]),\n"
        "  (status_code: varchar, Current state, Examples: [A, D, S, P]),\n"
        "  (ordered_at: timestamp, Examples: [2025-11-28 09:14:02]),\n"
        "  (net_amount: decimal(12,2), Examples: [129.90, 18.00])\n"
        "]",
        103,
        121,
    ),
    (
        '{"tables": [{"name": "sales.orders", "why": "holds the status of an order"}, {"name": '
        '"sales.order_lines", "why": "one row per article"}], "missing": [], "confidence": 0.8}',
        52,
        51,
    ),
    (
        "Welche Kunden haben im letzten Jahr mehr zurückgeschickt, als sie behalten haben? Gib die "
        "Größe der Überweisung an.",
        34,
        27,
    ),
    (
        "analytics_core.fct_orders_2024.customer_id\n"
        "raw.STG_TBL_0001.AMT_USD\n"
        "ga4.events_20251128.event_params.value.string_value",
        48,
        44,
    ),
]


@pytest.mark.parametrize(("text", "smaller", "larger"), COUNTED)
def test_the_estimate_lies_within_a_tenth_of_real_counts(
    text: str, smaller: int, larger: int
) -> None:
    assert 0.9 * min(smaller, larger) <= estimate_tokens(text) <= 1.1 * max(smaller, larger)


def test_no_text_has_no_tokens() -> None:
    assert estimate_tokens("") == 0


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("one two three", 3),
        # 10 letters: 1 + 4 * 0.3.
        ("properties properties properties", 7),
        ("2025-11-28", 6),  # 8 digits and 2 marks: 4.8 + 1.2
        ("去年", 2),
        ("a\nb", 3),  # 1 + 1.3 + 1
    ],
)
def test_the_rule_counts_words_digits_marks_and_breaks(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_a_text_twice_as_long_has_twice_as_many() -> None:
    text = (
        "select customer_id, sum(net_amount) from sales.orders where ordered_at >= '2025-11-28'\n"
    )
    assert abs(estimate_tokens(text * 200) - 200 * estimate_tokens(text)) <= 100
