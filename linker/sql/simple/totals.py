"""The most of a measure that another table keeps: enters a frame with its meanings, leaves it with sums to order by."""

from dataclasses import replace

from linker.sql.simple.frame import Frame, Item, Order
from linker.sql.simple.names import Names
from linker.sql.simple.resolving import Resolved


def with_totals(frame: Frame, resolved: Resolved, names: Names) -> Frame:
    """Which customers paid the most money: payments are summed for each; of several rows the sums are shown."""
    orders = tuple(_total(order, frame, resolved, names) for order in frame.orders)
    if orders == frame.orders:
        return frame
    sums = [Item(order.by, "sum") for order in orders if order.is_sum and frame.limit != 1]
    doubts = [f"“{order.by.text}” is summed" for order in orders if order.is_sum and order.by]
    heads = frame.heads or (() if frame.items else frame.mentioned[:1])
    return replace(
        frame,
        orders=orders,
        items=(*frame.items, *sums),
        heads=heads,
        is_grouped_by_items=True,
        doubts=(*frame.doubts, *doubts),
    )


def _total(order: Order, frame: Frame, resolved: Resolved, names: Names) -> Order:
    """The order by a sum, where the measure is of another table than what is asked for."""
    column = resolved.column(order.by) if order.by and order.is_most else None
    asked = [table for chunk in (*frame.heads, *frame.mentioned) if (table := resolved.table(chunk))]
    asked = [ref.table for item in frame.items if item.name and (ref := resolved.column(item.name))] or asked
    is_elsewhere = bool(column and asked and column.table not in asked and names.is_measure(column))
    return replace(order, is_sum=True) if is_elsewhere and not any(item.aggregate for item in frame.items) else order
