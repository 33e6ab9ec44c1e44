"""Show the progress of a run: bars and a status line on a terminal, plain lines elsewhere."""

from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.runs import follow, words
from llmbench_cli.safe_text import safe_line

_PHASES = {"BENCHMARKING": "Answering", "JUDGING": "Judging"}
_PLAIN_STEPS = 10
# The rate is an average over _RATE_OVER_S, and is shown once a phase has run for _RATE_FROM_S. An answer may take
# minutes, so an average over less time would be meaningless.
_RATE_OVER_S, _RATE_FROM_S = 600, 2.0
_WAITING = "yellow"
_LEVELS = {"warning": "yellow", "error": "red"}


class RunView:
    """Show a run's progress on a console. Implements `follow.Watcher`."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._line = Text()
        self._bars = Progress(
            TextColumn("  [bold]{task.description:<10}[/]"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            _Pace(),
            console=console,
            auto_refresh=False,
            speed_estimate_period=_RATE_OVER_S,
        )
        self._tasks = {
            phase: self._bars.add_task(title, total=None, visible=False, start=False)
            for phase, title in _PHASES.items()
        }
        self._live = Live(get_renderable=self._drawn, console=console, transient=False, refresh_per_second=4)
        self._printed: dict[str, int] = {}
        self._last_printed = ""
        self._lost = False
        self._status = "RUNNING"

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._line = Text()
        if self._console.is_terminal:
            self._live.stop()

    def progress(self, progress: follow.Progress) -> None:
        """Update the bars and the status line. Without a terminal, print a line after each tenth of the items, and the
        reason when the run waits."""
        judging = progress.phase == "JUDGING"
        at_work = [work for work in (progress.current, *progress.others) if work]
        # With several models at work, the line shows that they wait only if all of them do.
        waiting = "; ".join(filter(None, map(_waiting, at_work)))
        busy = "; ".join(_now(work) for work in at_work if not _waiting(work))
        waiting, words_ = ("" if busy else waiting), busy or waiting
        skipped = f"{progress.skipped} skipped" if progress.skipped else ""
        parts = (words.dollars(progress.cost_usd) if progress.cost_usd else "", skipped, words_)
        self._line = Text(" · ".join(part for part in parts if part), style=_WAITING if waiting else "dim")
        if judging:
            # Items that failed before judging count as done in both phases.
            self._move("BENCHMARKING", progress.items, progress.items)
            self._move("JUDGING", progress.through, progress.items)
        else:
            self._move("BENCHMARKING", progress.answered + progress.skipped, progress.items)
        if not self._console.is_terminal:
            self._say_once(waiting)

    def status(self, status: str, phase: str, reason: str | None) -> None:
        """Print a new state of the run with its reason, if the state is pausing, paused, running or cancelled. Print
        nothing if the state is the same as before.
        """
        if status == self._status:
            return
        self._status = status
        text = {
            "PAUSING": "pausing: waiting for the calls in flight",
            "PAUSED": "paused: `llmbench resume` or the browser continues it",
            "RUNNING": "running",
            "CANCELLED": "cancelled",
        }.get(status)
        if text:
            self._print(f"The run is {text}{f' ({reason})' if reason else ''}.")

    def queued(self, queue: Json) -> None:
        """Show the run's position in the queue. Without a terminal, print the position only when it has changed."""
        place = words.turn(queue)
        self._line = Text(place, style=_WAITING)
        if not self._console.is_terminal:
            self._say_once(place)

    def log(self, line: Json) -> None:
        """Print an event of the run's log as one line."""
        where = " · ".join(str(part) for part in (line.get("task_id"), line.get("target_label")) if part)
        text = Text(f"  {words.clock(line.get('at'))} ", style="dim")
        text.append(f"{line['kind']:<12} ", style="default")
        text.append(f"{where}: " if where else "", style="default")
        text.append(safe_line(line["text"], most=500), style=_LEVELS.get(line["level"], "default"))
        self._console.print(text, soft_wrap=True)

    def lost(self, why: str) -> None:
        """Print that the platform does not answer, once per outage."""
        if not self._lost:
            self._lost = True
            self._print(f"The platform does not answer ({safe_line(why, most=200)}); trying until it does.", "yellow")

    def found(self) -> None:
        """Print that the platform answers again, if `lost` was called before."""
        if self._lost:
            self._lost = False
            self._print("The platform answers again.")

    def _move(self, phase: str, done: int, items: int) -> None:
        task = self._bars.tasks[self._tasks[phase]]
        if not task.started:
            self._bars.start_task(task.id)
        self._bars.update(task.id, completed=done, total=items, visible=True)
        if self._console.is_terminal:
            return
        step = done * _PLAIN_STEPS // items if items else 0
        if step > self._printed.get(phase, -1):
            self._printed[phase] = step
            doing = "" if self._line.style == _WAITING else self._line.plain
            parts = (f"{_PHASES[phase]:<10} {done}/{items}", *_speed(task), doing)
            self._print("  ".join(part for part in parts if part))

    def _say_once(self, text: str) -> None:
        if text and text != self._last_printed:
            self._print(text, _WAITING)
        self._last_printed = text

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(f"  {text}", style=style), soft_wrap=True)

    def _drawn(self) -> Group:
        line = Text("  ", no_wrap=True, overflow="ellipsis").append_text(self._line)
        return Group(self._bars, line) if self._line.plain else Group(self._bars)


class _Pace(ProgressColumn):
    """The part of the progress bar that shows the rate and the remaining time."""

    max_refresh = 1.0

    def render(self, task: Task) -> Text:
        return Text(" ".join(part for part in _speed(task) if part), style="dim")


def _speed(task: Task) -> tuple[str, str]:
    # The first two updates may be moments apart, which gives no meaningful rate.
    if (task.elapsed or 0) < _RATE_FROM_S:
        return "", ""
    if task.finished:
        return words.pace(task.finished_speed), ""
    left = task.time_remaining if task.speed else None
    return words.pace(task.speed), words.remaining(left)


def _waiting(current: Json | None) -> str:
    """Return why the run is waiting, or an empty text."""
    if not current or not words.is_ahead(current.get("backoff_until")):
        return ""
    reason = current.get("backoff_reason")
    until = words.clock(current["backoff_until"])
    return f"{current['model']}: backing off until {until}{f' ({reason})' if reason else ''}"


def _now(current: Json | None) -> str:
    if not current:
        return ""
    if current["group_status"] == "WARMING_UP":
        return f"warming up {current['model']}"
    named = (current.get("target_label") or current.get("model"), current.get("task_id"))
    return " · ".join(word for word in named if word)
