"""Console output for people: short lines, with colour and a spinner on a terminal."""

import os

from rich.console import Console
from rich.markup import escape
from rich.status import Status

_PARTS = {
    "postgres": "PostgreSQL",
    "nats": "NATS",
    "model": "built-in model",
    "edge": "web",
}
_PIPE_WIDTH = 240


class ConsoleReporter:
    """Print the stack's events on a console. Implements `embedded.keeper.Reporter`."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._starting: list[str] = []
        self._ready: list[str] = []
        self._settled = False
        self._status: Status | None = None

    def note(self, text: str) -> None:
        """Print a message for the user."""
        self._console.print(f"  [dim]·[/] {escape(text)}", highlight=False, soft_wrap=True)

    def starting(self, name: str) -> None:
        """Show a part of the stack as starting, until `ready` or `settled` is called. Without a terminal, show
        nothing."""
        self._starting.append(_title(name))
        self._draw()

    def ready(self, name: str, took_s: float, detail: str = "") -> None:
        """Print that a part of the stack is ready. Until `settled` is called, the ready parts are only collected;
        `settled` prints them in one line."""
        part = f"{_title(name)} {took_s:.1f} s" + (f" {detail}" if detail else "")
        self._ready.append(part)
        if _title(name) in self._starting:
            self._starting.remove(_title(name))
        if self._settled:
            self._print_ready()
        self._draw()

    def died(self, name: str, how: str, retry_in_s: float, *, failing: bool) -> None:
        """Print that a part of the stack ended for the reason `how`, and when it is started again. `failing` is true if
        it keeps ending."""
        text = f"{_title(name)} ended ({how}); starting it again in {retry_in_s:g} s"
        if failing:
            text = (
                f"{_title(name)} keeps ending, 5 times within a minute ({how}); trying every "
                f"{retry_in_s:g} s from now on"
            )
        colour = "red" if failing else "yellow"
        self._console.print(f"  [{colour}]![/] ", end="")
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def stopped(self, name: str, *, insisted: bool) -> None:
        """Print that a part of the stack had to be killed, if `insisted` is true. Print nothing about an orderly
        stop."""
        if insisted:
            self.note(f"{_title(name)} had to be killed: it did not stop in time")

    def settled(self) -> None:
        """Print the parts of the stack that became ready, and stop showing parts as starting. From now on `ready`
        prints each part at once."""
        self._settled = True
        self._starting.clear()
        self._print_ready()
        self._draw()

    def _print_ready(self) -> None:
        if self._ready:
            self._console.print(f"  [green]✓[/] [dim]{', '.join(self._ready)}[/]", highlight=False, soft_wrap=True)
            self._ready.clear()

    def _draw(self) -> None:
        if not self._console.is_terminal:
            return
        if self._status:
            self._status.stop()
            self._status = None
        if self._starting:
            self._status = self._console.status(f"[dim]starting {', '.join(self._starting)}[/]")
            self._status.start()


def _title(name: str) -> str:
    return _PARTS.get(name, name)


def terminal(*, stderr: bool = False) -> Console:
    """Return a console that prints texts literally: no markup, no emoji codes.

    Without a terminal, such as in a pipe, the console is 240 columns wide, unless COLUMNS sets another width. Tables
    fold or cut what does not fit.
    """
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    return console
