"""The loop of `--every`, in a time of its own: nothing waits here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.errors import BusyError, ConfigError, WarehouseError
from linker.run import Outcome, Run
from linker.schedule import EndNow, Schedule, Standing, repeat

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DOWN = WarehouseError("the warehouse does not answer", hint="start it")


@dataclass
class World:
    """Clocks that stand still unless something takes time, and a record of what happened when."""

    seconds: float = 0.0
    utc: datetime = NOON
    ends_after: float = DAY
    should_end: bool = False
    # At these seconds UTC leaps by so many: the machine slept, or the clock was set.
    leaps: dict[float, float] = field(default_factory=dict)
    starts: list[float] = field(default_factory=list)
    told: list[Standing] = field(default_factory=list)
    beats: list[tuple[float, Standing]] = field(default_factory=list)

    def now(self) -> datetime:
        return self.utc

    def monotonic(self) -> float:
        return self.seconds + 5_000_000.0

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        self.take(seconds)

    def take(self, seconds: float) -> None:
        if self.seconds + seconds >= self.ends_after:
            seconds, self.should_end = self.ends_after - self.seconds, True
        self.seconds += seconds
        self.utc += timedelta(seconds=seconds)
        for at in [at for at in self.leaps if at <= self.seconds]:
            self.utc += timedelta(seconds=self.leaps.pop(at))

    def changed(self, standing: Standing) -> None:
        self.told.append(standing)

    def alive(self, standing: Standing) -> None:
        self.beats.append((self.seconds, standing))

    def runs(
        self, *lengths: float, then: float = MINUTE, errors: dict[int, Exception] | None = None
    ) -> Callable[[], Run]:
        """Runs that take so long, and end so; the first is number 1."""

        def run() -> Run:
            number = len(self.starts) + 1
            self.starts.append(self.seconds)
            started_at = self.utc
            self.take(lengths[number - 1] if number <= len(lengths) else then)
            if error := (errors or {}).get(number):
                raise error
            return Run(number, "refresh", "done", started_at, self.utc)

        return run


def hours(*counts: float) -> list[float]:
    return [count * HOUR for count in counts]


def every(duration: float, jitter: float = 0.0) -> Schedule:
    return Schedule(timedelta(seconds=duration), timedelta(seconds=jitter))


def test_the_first_run_comes_at_once_and_the_others_at_fixed_distances_from_it_whatever_each_takes() -> None:
    world = World(ends_after=25 * HOUR)
    repeat(world.runs(MINUTE, 3 * HOUR, 1.0, 0.0), every(6 * HOUR), world, world)
    assert world.starts == hours(0, 6, 12, 18, 24)


def test_a_run_that_takes_longer_than_the_distance_makes_others_fall_out_and_that_is_said() -> None:
    world = World(ends_after=5.5 * HOUR)
    repeat(world.runs(2.5 * HOUR), every(HOUR), world, world)
    assert world.starts == hours(0, 3, 4, 5)
    assert [standing.missed for standing in world.told if standing.state == "waiting"] == [2, 0, 0, 0]


def test_the_jitter_makes_each_run_but_the_first_later_and_does_not_add_up() -> None:
    draws = iter([0.5, 0.0, 0.999, 0.5, 0.0])
    world = World(ends_after=4.2 * HOUR)
    repeat(world.runs(), every(HOUR, jitter=10 * MINUTE), world, world, lambda: next(draws))
    assert world.starts == pytest.approx([0, HOUR + 300, 2 * HOUR, 3 * HOUR + 599.4, 4 * HOUR + 300])


@pytest.mark.parametrize(("distance", "jitter"), [(HOUR, HOUR), (HOUR, 2 * HOUR), (0.0, 0.0)])
def test_a_distance_of_nothing_and_a_jitter_that_does_not_fit_into_it_are_refused(
    distance: float, jitter: float
) -> None:
    with pytest.raises(ConfigError):
        every(distance, jitter)


def test_after_a_failure_it_tries_again_after_a_minute_then_twice_that_and_never_later_than_the_next_turn() -> None:
    world = World(ends_after=2.5 * HOUR)
    down: dict[int, Exception] = dict.fromkeys(range(1, 8), DOWN)
    repeat(world.runs(then=0.0, errors=down), every(HOUR), world, world)
    # 1, 2, 4, 8 and 16 minutes after each other; 32 more would be later than the turn at one hour; 64 than that at two.
    assert world.starts == [0, 60, 180, 420, 900, 1_860, 3_600, 7_200]
    failed = [standing for standing in world.told if standing.state == "failed"]
    assert [standing.consecutive_failures for standing in failed] == [1, 2, 3, 4, 5, 6, 7]
    assert {(standing.reason, standing.hint) for standing in failed} == {("the warehouse does not answer", "start it")}
    assert failed[0].next_run_at == NOON + timedelta(minutes=1)
    assert world.told[-1].state == "ended"
    assert world.told[-2].consecutive_failures == 0


def test_a_run_that_fails_by_its_own_record_is_a_failure_and_one_that_fails_in_part_is_none() -> None:
    outcomes: list[Outcome] = ["partly failed", "failed", "unchanged"]
    world = World(ends_after=1.5 * HOUR)

    def run() -> Run:
        world.starts.append(world.seconds)
        number = len(world.starts)
        return Run(number, "refresh", outcomes[number - 1], world.utc, world.utc, message="disk full")

    repeat(run, every(HOUR), world, world)
    assert world.starts == [0, HOUR, HOUR + MINUTE]
    waits = [standing for standing in world.told if standing.state in ("waiting", "failed")]
    assert [(one.state, one.reason, one.consecutive_failures) for one in waits] == [
        ("waiting", "", 0),
        ("failed", "disk full", 1),
        ("waiting", "", 0),
    ]
    assert [one.last_success_at for one in waits] == [NOON, NOON, NOON + timedelta(minutes=61)]
    assert [one.run.number for one in waits if one.run] == [1, 2, 3]


def test_another_refresh_at_work_is_no_failure_and_is_tried_again_soon() -> None:
    world = World(ends_after=1.5 * HOUR)
    busy = BusyError("another refresh is at work", hint="wait for it")
    repeat(world.runs(then=0.0, errors={2: busy, 3: busy}), every(HOUR), world, world)
    assert world.starts == [0, HOUR, HOUR + 60, HOUR + 180]
    turned_away = [standing for standing in world.told if standing.is_busy and standing.state == "waiting"]
    assert [standing.consecutive_failures for standing in turned_away] == [0, 0]
    assert [standing.run.number for standing in turned_away if standing.run] == [1, 1]


def test_a_wrong_setting_ends_it_in_the_first_run_and_is_a_failure_like_others_later() -> None:
    wrong = ConfigError("profile `shop` is not there", hint="name another")
    world = World()
    with pytest.raises(ConfigError):
        repeat(world.runs(errors={1: wrong}), every(HOUR), world, world)
    assert (world.starts, world.told[-1].state) == ([0], "ended")

    world = World(ends_after=1.5 * HOUR)
    repeat(world.runs(then=0.0, errors={2: wrong}), every(HOUR), world, world)
    assert world.starts == [0, HOUR, HOUR + 60]


def test_a_bug_keeps_its_traceback_and_the_end_is_told() -> None:
    world = World()
    with pytest.raises(ZeroDivisionError):
        repeat(world.runs(errors={2: ZeroDivisionError("by zero")}), every(HOUR), world, world)
    assert (world.told[-1].state, world.told[-1].reason) == ("ended", "by zero")


def test_it_ends_at_once_while_it_waits() -> None:
    world = World(ends_after=HOUR / 2 + 1)
    repeat(world.runs(), every(HOUR), world, world)
    assert (world.starts, world.seconds) == ([0], HOUR / 2 + 1)
    assert [standing.state for standing in world.told] == ["running", "waiting", "ended"]


def test_asked_to_end_during_a_run_it_ends_after_it_and_says_what_came_of_it() -> None:
    world = World(ends_after=30.0)
    repeat(world.runs(MINUTE), every(HOUR), world, world)
    assert [standing.state for standing in world.told] == ["running", "waiting", "ended"]
    assert world.told[1].run is not None

    world = World(ends_after=30.0)
    repeat(world.runs(MINUTE, errors={1: DOWN}), every(HOUR), world, world)
    assert [(standing.state, standing.reason) for standing in world.told] == [
        ("running", ""),
        ("failed", "the warehouse does not answer"),
        ("ended", ""),
    ]


def test_a_second_signal_leaves_the_run_and_the_end_is_told() -> None:
    world = World()

    def run() -> Run:
        raise EndNow("ended by a second signal, SIGTERM")

    with pytest.raises(EndNow):
        repeat(run, every(HOUR), world, world)
    assert (world.told[-1].state, world.told[-1].reason) == ("ended", "ended by a second signal, SIGTERM")


def test_a_machine_that_slept_runs_when_it_wakes_and_keeps_the_distances() -> None:
    # Asleep for 7.5 hours from 02:30 on, in which the monotonic clock stood still.
    world = World(ends_after=5 * HOUR, leaps={2.5 * HOUR: 7.5 * HOUR})
    repeat(world.runs(then=0.0), every(HOUR), world, world)
    woke = 2.5 * HOUR
    # It wakes at ten hours since the start, the next turn is that of eleven.
    assert world.starts == [0, HOUR, 2 * HOUR, woke, woke + HOUR, woke + 2 * HOUR]
    # Those of three to nine o'clock fell out, that of ten is taken.
    assert [standing.missed for standing in world.told if standing.state == "running"] == [0, 0, 0, 7, 0, 0]


@pytest.mark.parametrize("leap", [-DAY, -365 * DAY, -3.0, 4.0])
def test_a_clock_that_is_set_back_or_put_right_a_little_changes_no_distance(leap: float) -> None:
    world = World(ends_after=4.5 * HOUR, leaps={1.5 * HOUR: leap})
    repeat(world.runs(then=0.0), every(HOUR), world, world)
    assert world.starts == hours(0, 1, 2, 3, 4)
    # What it says of the next run follows the clock.
    assert world.beats[-1][1].next_run_at == NOON + timedelta(hours=5, seconds=leap)


def test_a_clock_that_is_set_far_ahead_costs_one_run_too_early() -> None:
    world = World(ends_after=4.2 * HOUR, leaps={1.5 * HOUR: 365 * DAY})
    repeat(world.runs(then=0.0), every(HOUR), world, world)
    assert world.starts == hours(0, 1, 1.5, 2, 3, 4)


def test_while_it_waits_it_says_that_it_is_alive_every_half_minute_and_not_while_it_runs() -> None:
    world = World(ends_after=HOUR + 1)
    repeat(world.runs(20 * MINUTE), every(HOUR), world, world)
    at = [seconds for seconds, _ in world.beats]
    assert at == [20 * MINUTE + 30 * beat for beat in range(1, 81)]


LENGTHS = st.lists(st.floats(min_value=0, max_value=3 * HOUR), max_size=8)


@settings(deadline=None, max_examples=40)
@given(LENGTHS, st.sets(st.integers(1, 12)), st.floats(0, 0.99), st.integers(10, 180))
def test_whatever_runs_take_and_however_they_end_no_turn_comes_too_early_twice_or_gets_lost(
    lengths: list[float], failing: Iterable[int], luck: float, minutes: int
) -> None:
    distance, jitter = minutes * MINUTE, minutes * MINUTE / 3
    world = World(ends_after=12 * HOUR)
    errors: dict[int, Exception] = dict.fromkeys(failing, DOWN)
    repeat(world.runs(*lengths, then=0.0, errors=errors), every(distance, jitter), world, world, lambda: luck)
    ends = [start + (lengths[number] if number < len(lengths) else 0.0) for number, start in enumerate(world.starts)]
    for number, start in enumerate(world.starts[1:], start=1):
        assert start >= ends[number - 1]
        on_the_grid = abs((start - luck * jitter) / distance - round((start - luck * jitter) / distance)) < 1e-6
        assert on_the_grid or number in errors
    succeeded = [number for number in range(1, len(world.starts)) if number not in errors]
    for number in succeeded:
        # Never more than the distance and the jitter after the end of a run that succeeded.
        assert world.starts[number] - ends[number - 1] <= distance + jitter + 1e-6
    if not errors:
        turns = round((world.starts[-1] - (luck * jitter if len(world.starts) > 1 else 0)) / distance)
        missed = sum(standing.missed for standing in world.told)
        last = world.told[-2].missed
        assert len(world.starts) - 1 + missed - last == turns
