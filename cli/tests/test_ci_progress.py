"""Test that the log of a CI job is never silent for more than 30 seconds."""

import io

from rich.console import Console

from llmbench_cli.ci.progress import BEAT_S, SteadyView
from llmbench_cli.runs.follow import Progress


class Clock:
    """A clock that the test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_state_is_repeated_only_after_silence() -> None:
    clock, out = Clock(), io.StringIO()
    view = SteadyView(Console(file=out, width=200), clock=clock)
    clock.now += BEAT_S - 1
    assert view.beat() == 1
    assert out.getvalue() == ""
    clock.now += 1
    assert view.beat() == BEAT_S
    assert "still waiting for the run to start after 30 s" in out.getvalue()
    view.progress(Progress(phase="JUDGING", items=40, answered=40, through=10, cost_usd=0, current=None))
    clock.now += 5
    assert view.beat() == BEAT_S - 5
    clock.now += BEAT_S
    view.beat()
    assert out.getvalue().splitlines()[-1] == "  still judging 10/40 after 65 s"


def test_log_has_no_bars() -> None:
    out = io.StringIO()
    with SteadyView(Console(file=out, width=200)) as view:
        for answered in range(41):
            view.progress(
                Progress(phase="BENCHMARKING", items=40, answered=answered, through=0, cost_usd=0, current=None)
            )
    lines = out.getvalue().splitlines()
    assert len(lines) == 11
    assert all(line.startswith("  Answering") for line in lines)
