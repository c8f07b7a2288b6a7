"""
Times on the calendar: enters a unit with its number and its year, leave its first and its last day.

A time that counts from today has no days without one.
"""

from datetime import date, timedelta

from linker.types import Record

Days = tuple[date, date]
_MONTHS = {"month": 1, "named month": 1, "quarter": 3, "half": 6, "year": 12}
_DAYS = {"day": 1, "week": 7}
_SATURDAY = 5


class Time(Record, frozen=True):
    """
    A day, week, month, quarter, half, year, decade or century at its place in a text.

    `number` is that of the unit in its year, `day` one of the month `number`; `count` is how many
    units it is long. `offset` counts years from that of today where there is a number, and units
    from the current one elsewhere.
    """

    start: int
    end: int
    unit: str
    number: int = 0
    year: int | None = None
    offset: int | None = None
    day: int = 0
    last_day: int = 0
    count: int = 0

    @property
    def lacks_year(self) -> bool:
        """True if the next year of the text may be its own."""
        return (
            self.number > 0 and self.unit != "unclear" and self.year is None and self.offset is None
        )

    def days(self, today: date | None) -> Days | None:
        """
        Its first and last day; none where it has no year, is none, or counts from a day that is not
        given.
        """
        try:
            if self.number and self.year is None and self.offset is not None and today:
                return _numbered(self, self._year_from(today))
            if self.year is not None:
                return _numbered(self, self.year)
            return _counted_from(self, today) if today and self.offset is not None else None
        except (ValueError, OverflowError):
            return None

    def _year_from(self, today: date) -> int:
        offset = self.offset or 0
        if self.unit != "named month":
            return today.year + offset
        # Last July is of this year in August.
        is_there = today.month > self.number if offset < 0 else today.month >= self.number
        return today.year + offset + (is_there if offset < 0 else 0) - (offset > 0 and not is_there)

    @property
    def is_possible(self) -> bool:
        """True if the calendar has it, in a leap year at least."""
        return not self.number or self.unit == "unclear" or _with_year(self).days(None) is not None


def _with_year(time: Time) -> Time:
    """The same time of the year that it has, or of a leap year that has 53 weeks."""
    return Time(
        0, 0, time.unit, time.number, time.year or 2020, None, time.day, time.last_day, time.count
    )


def _numbered(time: Time, year: int) -> Days:
    if time.unit == "day":
        return date(year, time.number, time.day), date(year, time.number, time.last_day or time.day)
    if time.unit == "week":
        monday = date.fromisocalendar(year, time.number, 1)
        return monday, monday + timedelta(days=6)
    if time.unit in _MONTHS:
        months = _MONTHS[time.unit]
        return _months(year, max(0, time.number - 1) * months, months * (time.count or 1))
    return date(year, 1, 1), date(year + (9 if time.unit == "decade" else 99), 12, 31)


def _counted_from(time: Time, today: date) -> Days:
    offset = time.offset or 0
    if time.count:
        return _rolling(time, today, -time.count if offset < 0 else time.count)
    if time.unit in _MONTHS:
        months = _MONTHS[time.unit]
        month = (today.month - 1) // months * months + offset * months
        return _months(today.year, month, months)
    if time.unit == "to date":
        return date(today.year, 1, 1), today
    if time.unit == "weekday":
        back = (today.weekday() - time.day) % 7 or 7
        day = (
            today - timedelta(days=back)
            if offset < 0
            else today + timedelta(days=(time.day - today.weekday()) % 7)
        )
        return day, day
    if time.unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday() - 7 * offset)
        return monday + timedelta(
            days=_SATURDAY if time.unit == "weekend" else 0
        ), monday + timedelta(days=6)
    day = today + timedelta(days=offset)
    return day, day


def _rolling(time: Time, today: date, count: int) -> Days:
    """So many units that end today, or that begin tomorrow."""
    if time.unit in _DAYS:
        other = today + timedelta(days=count * _DAYS[time.unit])
    else:
        index = today.year * 12 + today.month - 1 + count * _MONTHS.get(time.unit, 120)
        first = date(index // 12, index % 12 + 1, 1)
        other = min(
            first + timedelta(days=today.day - 1), _months(first.year, first.month - 1, 1)[1]
        )
    day = timedelta(days=1)
    return (other + day, today) if count < 0 else (today + day, other)


def _months(year: int, month: int, count: int) -> Days:
    """So many months from one on that counts from 0 and may lie in another year."""
    first, after = year * 12 + month, year * 12 + month + count
    return date(first // 12, first % 12 + 1, 1), date(after // 12, after % 12 + 1, 1) - timedelta(
        days=1
    )
