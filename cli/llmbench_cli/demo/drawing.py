"""How the demo shows a run: one moving line on a terminal, plain lines elsewhere, a table at the end."""

from types import TracebackType
from typing import Self

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from llmbench_cli.demo.client import Json

_PHASES = {"BENCHMARKING": "Answering", "JUDGING": "Judging"}
_PLAIN_STEPS = 10


class RunView:
    """Draws progress. Implements `follow.Watcher`."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress = Progress(
            TextColumn("  [bold]{task.description:<10}[/]"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[current]}[/]"),
            console=console,
            disable=not console.is_terminal,
        )
        self._bars = {
            phase: self._progress.add_task(title, total=None, current="", visible=False)
            for phase, title in _PHASES.items()
        }
        self._printed: dict[str, int] = {}
        self._status = "RUNNING"

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def progress(self, *, phase: str, items: int, answered: int, judged: int, current: Json | None) -> None:
        """Move the bar of the phase."""
        self._move("BENCHMARKING", answered, items, current if phase == "BENCHMARKING" else None)
        if phase == "JUDGING":
            # Items that failed before judging count as through in both phases.
            self._move("BENCHMARKING", items, items, None)
            self._move("JUDGING", judged, items, current)

    def status(self, status: str, phase: str, reason: str | None) -> None:
        """Say what a person should know; the rest shows in the bar."""
        if status == self._status:
            return
        self._status = status
        text = {
            "PAUSING": "pausing: the answer in flight is awaited",
            "PAUSED": "paused: resume it in the browser",
            "RUNNING": "running",
            "CANCELLED": "cancelled",
        }.get(status)
        if text:
            self._console.print(f"  The run is {text}{f' ({reason})' if reason else ''}.", highlight=False)

    def _move(self, phase: str, done: int, items: int, current: Json | None) -> None:
        if self._console.is_terminal:
            self._progress.start_task(self._bars[phase])
            self._progress.update(self._bars[phase], completed=done, total=items, current=_now(current), visible=True)
            return
        step = done * _PLAIN_STEPS // items if items else 0
        if step > self._printed.get(phase, -1):
            self._printed[phase] = step
            self._console.print(f"  {_PHASES[phase]:<10} {done}/{items} {_now(current)}".rstrip(), highlight=False)


def _now(current: Json | None) -> str:
    if not current:
        return ""
    words = (current.get("target_label") or current.get("model"), current.get("task_id"))
    return " · ".join(word for word in words if word)


def results_table(run: Json) -> Table:
    """Return the results, one row of means per target; a dash where nothing was measured."""
    table = Table(title=f"{run['name']}: {run['status']}", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("target", no_wrap=True)
    for heading in ("completed", "score", "passed", "time", "1st token", "tokens/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for result in run["results"]:
        table.add_row(
            result["label"],
            f"{result['completed']}/{result['items']}",
            _number(result["mean_score"], "{:.2f}"),
            _number(result["pass_rate"], "{:.0%}"),
            _number(result["mean_time_ms"], "{:.0f} ms"),
            _number(result["mean_first_token_ms"], "{:.0f} ms"),
            _number(result["mean_tokens_per_second"], "{:.0f}"),
        )
    return table


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)
