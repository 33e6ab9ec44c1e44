"""Format numbers, durations, costs and times as text, in the same way in all commands."""

import math
from datetime import UTC, datetime, timedelta

from llmbench_cli.client import Json

NONE = "-"


def number(value: float | None, form: str = "{:.2f}") -> str:
    """Format a number, by default with two decimals; a dash stands for a missing number.

    >>> number(0.7123), number(None)
    ('0.71', '-')
    """
    return NONE if value is None else form.format(value)


def percent(value: float | None) -> str:
    """Format a share or a mean score on 0…1 in percent with one decimal; a dash stands for a missing one.

    >>> percent(0.4964), percent(None)
    ('49.6%', '-')
    """
    return NONE if value is None else f"{value:.1%}"


def coverage(value: float) -> str:
    """Format a share of cases in percent, rounded down: 89.6 % is too little, so it must not read as 90.

    >>> coverage(43 / 48), coverage(0.9), coverage(0.998), coverage(1)
    ('89%', '90%', '99%', '100%')
    """
    return f"{math.floor(100 * value + 1e-9)}%"


def milliseconds(value: float | None) -> str:
    """Format a duration, given in milliseconds, in a readable unit; a dash stands for a missing duration.

    >>> milliseconds(412.4), milliseconds(1249), milliseconds(75_000), milliseconds(None)
    ('412 ms', '1.2 s', '1 min 15 s', '-')
    """
    if value is None:
        return NONE
    if value < 1000:
        return f"{value:.0f} ms"
    if value < 60_000:
        return f"{value / 1000:.1f} s"
    minutes, seconds = divmod(round(value / 1000), 60)
    return f"{minutes} min {seconds} s"


def dollars(value: float | None) -> str:
    """Format a cost in US dollars; a dash stands for an unknown cost. A cost below one dollar has two significant
    digits.

    >>> dollars(12.345), dollars(0.00012), dollars(0), dollars(None)
    ('$12.35', '$0.00012', '$0', '-')
    """
    if value is None:
        return NONE
    if value >= 1:
        return f"${value:.2f}"
    return f"${value:.2g}" if value >= 0.0001 or value == 0 else f"${value:.1e}"


def chance(probability: float) -> str:
    """Format a probability in percent. Only a probability of exactly 0 or 1 is shown as 0 or 100 %.

    >>> chance(0.914), chance(0.99998), chance(0.002), chance(1), chance(0)
    ('91%', '>99%', '<1%', '100%', '0%')
    """
    if round(100 * probability) == 100 and probability < 1:
        return ">99%"
    if round(100 * probability) == 0 and probability > 0:
        return "<1%"
    return f"{probability:.0%}"


def with_interval(value: float | None, interval: Json | None) -> str:
    """Format a mean score or a rate on 0…1 in percent, with its interval unless that is None. A dash stands for a
    missing value.

    >>> with_interval(0.7, {"low": 0.6, "high": 0.8}), with_interval(0.7, None)
    ('70% [60, 80]', '70%')
    """
    if value is None:
        return NONE
    text = f"{value:.0%}"
    return text if interval is None else f"{text} [{_whole(interval['low'])}, {_whole(interval['high'])}]"


def points(difference: float | None, interval: Json | None) -> str:
    """Format a difference of two scores on 0…1 in percentage points, with its interval unless that is None. A dash
    stands for a missing difference.

    >>> points(0.16, {"low": -0.02, "high": 0.54}), points(-0.001, None)
    ('+16 [-2, 54]', '0')
    """
    if difference is None:
        return NONE
    text = _whole(difference) if round(100 * difference) == 0 else f"{100 * difference:+.0f}"
    return text if interval is None else f"{text} [{_whole(interval['low'])}, {_whole(interval['high'])}]"


def _whole(share: float) -> str:
    # Adding zero turns -0 into 0.
    return f"{round(100 * share) + 0}"


def pace(per_second: float | None) -> str:
    """Format a rate per second, minute or hour, by the unit that gives a readable number. The text is empty for a
    missing rate and for 0.

    >>> pace(12.34), pace(0.5), pace(0.005), pace(None)
    ('12.3/s', '30.0/min', '18.0/h', '')
    """
    if not per_second:
        return ""
    for unit, seconds in (("s", 1), ("min", 60)):
        if per_second * seconds >= 1:
            return f"{per_second * seconds:.1f}/{unit}"
    return f"{per_second * 3600:.1f}/h"


def remaining(seconds: float | None) -> str:
    """Format the remaining time; the text is empty if that is unknown.

    >>> remaining(3725), remaining(None)
    ('1:02:05 left', '')
    """
    return "" if seconds is None else f"{timedelta(seconds=int(seconds))} left"


def moment(text: str | None) -> datetime | None:
    """Convert a timestamp of the API to the user's time zone; None stays None."""
    return datetime.fromisoformat(text).astimezone() if text else None


def clock(text: str | None) -> str:
    """Format a timestamp of the API as a time of day in the user's time zone; a dash stands for None."""
    found = moment(text)
    return f"{found:%H:%M:%S}" if found else NONE


def is_ahead(text: str | None) -> bool:
    """Return whether a timestamp of the API is in the future. For None this is False."""
    found = moment(text)
    return found is not None and found > datetime.now(UTC)


def state(run: Json) -> str:
    """Return a run's state in a few words: a finished run's outcome with the result of its gates, a running run's
    phase, a queued run's position, or else the status.

    >>> state({"status": "FINISHED", "outcome": "partial", "phase": "JUDGING"})
    'partial'
    >>> state({"status": "FINISHED", "outcome": "complete", "phase": "JUDGING", "gate": {"verdict": "worse"}})
    'complete, worse'
    >>> state({"status": "RUNNING", "outcome": None, "phase": "JUDGING"})
    'judging'
    """
    if run["status"] == "FINISHED":
        gate = f", {run['gate']['verdict']}" if run.get("gate") else ""
        return f"{run['outcome'] or 'finished'}{gate}"
    if run["status"] == "RUNNING":
        return "judging" if run["phase"] == "JUDGING" else "answering"
    if run.get("queue"):
        return f"queued ({run['queue']['position']})"
    return str(run["status"]).lower()


def sample(of_run: Json) -> str:
    """Describe the sample of a run in words.

    >>> sample({"taken": 200, "of": 1000, "strategy": "stratified", "seed": 7})
    '200 of 1,000 cases, stratified, seed 7'
    >>> sample({"taken": 5, "of": 9, "strategy": "random", "seed": 7, "tags": ["hard", "legal"]})
    '5 of 9 cases with the tags hard, legal, random, seed 7'
    """
    tags = f" with the tags {', '.join(of_run['tags'])}" if of_run.get("tags") else ""
    return f"{of_run['taken']:,} of {of_run['of']:,} cases{tags}, {of_run['strategy']}, seed {of_run['seed']}"


def turn(queue: Json) -> str:
    """Describe in words the position of a queued run, its priority and its expected start.

    >>> turn({"position": 2, "priority": 5, "estimated_start": None})
    'number 2 in the queue, priority 5; its start cannot be estimated yet'
    """
    place = f"number {queue['position']} in the queue"
    if queue["priority"]:
        place += f", priority {queue['priority']}"
    start = moment(queue["estimated_start"])
    return f"{place}; {f'expected to start at {start:%d %b %H:%M}' if start else 'its start cannot be estimated yet'}"


COLOURS = {
    "complete": "green",
    "partial": "yellow",
    "failed": "red",
    "cancelled": "red",
    "paused": "yellow",
    "pausing": "yellow",
    "answering": "cyan",
    "judging": "cyan",
}
