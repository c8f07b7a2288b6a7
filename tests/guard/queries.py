"""Random queries with heavily overloaded names."""

from collections.abc import Callable

from hypothesis import strategies as st

NAMES = ("orders", "customers", "secrets", "shop", "other", "a")
COLUMNS = (
    "x",
    "name",
    "name",
    "customer_id",
    "status",
    "email",
    "password_hash",
    "trap",
    "order_id",
    *NAMES,
)
_TABLES = (
    *NAMES,
    *(("orders", "customers", "shop.orders", "shop.customers") * 4),
    "shop.orders",
    "shop.customers",
    "shop.secrets",
    "other.secrets",
    "other.orders",
    "orders.customers",
)
_JOINS = (", ", " cross join ", " natural join ", " left join ")
_PIECES = ("{}", "to_json({})", "count({})", "max({})", "cast({} as varchar)", "({})")
_SETS = (" union all ", " except ", " intersect ", " union ")

Draw = Callable[[st.SearchStrategy[str]], str]


@st.composite
def queries(draw: Draw, depth: int = 2) -> str:
    """One query, most of which a warehouse would not take, and some of which the guard would."""
    text = draw(_selects(depth))
    if depth and draw(st.sampled_from("nnny")) == "y":
        text = f"{text}{draw(st.sampled_from(_SETS))}{draw(queries(depth - 1))}"
    if depth and draw(st.sampled_from("nny")) == "y":
        recursive = draw(st.sampled_from(["", "recursive "]))
        text = (
            f"with {recursive}{draw(st.sampled_from(NAMES))} as ({draw(queries(depth - 1))}) {text}"
        )
    return text


@st.composite
def _selects(draw: Draw, depth: int) -> str:
    items = draw(st.lists(_items(), min_size=1, max_size=2).map(", ".join))
    text = f"select {items} from {draw(_sources(depth))}"
    while draw(st.sampled_from("ny")) == "y":
        join = draw(st.sampled_from(_JOINS))
        text += join + draw(_sources(depth)) + (" on true" if join == " left join " else "")
    if draw(st.sampled_from("nny")) == "y":
        text += f" where {draw(_values())} is not null"
    if draw(st.sampled_from("nnny")) == "y":
        text += f" order by {draw(_values())}"
    return text


@st.composite
def _values(draw: Draw) -> str:
    name = draw(st.sampled_from(NAMES))
    column = draw(st.sampled_from(("x", "1", name, f"{name}.{draw(st.sampled_from(COLUMNS))}")))
    return draw(st.sampled_from(_PIECES)).format(column)


@st.composite
def _items(draw: Draw) -> str:
    star = draw(st.sampled_from(("", "", "*", f"{draw(st.sampled_from(NAMES))}.*")))
    return star or draw(_values()) + draw(st.sampled_from(("", "", " as x", " as password_hash")))


@st.composite
def _sources(draw: Draw, depth: int) -> str:
    if depth and draw(st.sampled_from("nny")) == "y":
        lateral = draw(st.sampled_from(["", "", "lateral "]))
        return f"{lateral}({draw(queries(depth - 1))}) as {draw(st.sampled_from(NAMES))}"
    table = draw(st.sampled_from(_TABLES))
    alias = draw(st.sampled_from(["", "", f" as {draw(st.sampled_from(NAMES))}"]))
    joined = f"{table}{alias}"
    if depth and draw(st.sampled_from("nnny")) == "y":
        return f"({joined} cross join {draw(_sources(0))})"
    return joined
