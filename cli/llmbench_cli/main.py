"""The command `llmbench`: it lists the subcommands, each of which is in a file of `commands/`."""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import typer

from llmbench.errors import LlmbenchError
from llmbench_cli.commands.annotation import annotation
from llmbench_cli.commands.backup import backup
from llmbench_cli.commands.baseline import baseline
from llmbench_cli.commands.calibrations import calibrations
from llmbench_cli.commands.cancel import cancel
from llmbench_cli.commands.ci import ci
from llmbench_cli.commands.compare import compare
from llmbench_cli.commands.datasets import datasets
from llmbench_cli.commands.delete import delete
from llmbench_cli.commands.demo import demo
from llmbench_cli.commands.doctor import doctor
from llmbench_cli.commands.documents import documents
from llmbench_cli.commands.evaluate import evaluate
from llmbench_cli.commands.events import events
from llmbench_cli.commands.experiment import experiment
from llmbench_cli.commands.export import export
from llmbench_cli.commands.export_tasks import export_tasks
from llmbench_cli.commands.gate import gate
from llmbench_cli.commands.import_ import import_
from llmbench_cli.commands.judge import judge
from llmbench_cli.commands.list_ import list_
from llmbench_cli.commands.migrate import migrate
from llmbench_cli.commands.move import move
from llmbench_cli.commands.organisations import organisations
from llmbench_cli.commands.overrule import overrule
from llmbench_cli.commands.pause import pause
from llmbench_cli.commands.plans import plans
from llmbench_cli.commands.presets import presets
from llmbench_cli.commands.promote import promote
from llmbench_cli.commands.prompt import prompt
from llmbench_cli.commands.prune import prune
from llmbench_cli.commands.report import report
from llmbench_cli.commands.report_links import report_links
from llmbench_cli.commands.reset_owner import reset_owner
from llmbench_cli.commands.restore import restore
from llmbench_cli.commands.resume import resume
from llmbench_cli.commands.retry import retry
from llmbench_cli.commands.rotate_key import rotate_key
from llmbench_cli.commands.run import run
from llmbench_cli.commands.schedules import schedules
from llmbench_cli.commands.show import show
from llmbench_cli.commands.sql import sql
from llmbench_cli.commands.suite_leaderboard import leaderboard
from llmbench_cli.commands.suite_recipes import from_recipe
from llmbench_cli.commands.suites import suites
from llmbench_cli.commands.trends import trends
from llmbench_cli.commands.up import up
from llmbench_cli.commands.version import version, with_version
from llmbench_cli.commands.watch import watch
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.errors import CommandFailed
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.safe_text import safe

commands = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
commands.callback()(with_version)
for command in (up, demo, events, export_tasks, doctor, migrate, backup, restore, rotate_key, reset_owner, version):
    commands.command()(command)
# `import` is a keyword of Python, so the function has another name.
commands.command("import")(import_)
commands.add_typer(datasets, name="datasets")
commands.add_typer(documents, name="documents")
commands.add_typer(annotation, name="annotation")
commands.add_typer(calibrations, name="calibrations")
commands.add_typer(presets, name="presets")
commands.add_typer(prompt, name="prompt")
commands.add_typer(prompt, name="prompts", hidden=True)
suites.command("from-recipe")(from_recipe)
suites.command("leaderboard")(leaderboard)
commands.add_typer(suites, name="suites")
commands.add_typer(plans, name="plans")
commands.add_typer(organisations, name="organisations")
commands.add_typer(gate, name="gate", rich_help_panel="Runs")
commands.add_typer(judge, name="judge", rich_help_panel="Runs")
commands.add_typer(judge, name="judges", hidden=True)
commands.add_typer(report_links, name="report-links", rich_help_panel="Runs")
commands.add_typer(schedules, name="schedules", rich_help_panel="Runs")
commands.add_typer(experiment, name="experiment", rich_help_panel="Runs")
commands.add_typer(experiment, name="experiments", hidden=True)
commands.add_typer(gate, name="gates", hidden=True)
commands.add_typer(baseline, name="baseline", rich_help_panel="Runs")
_RUNS: dict[str, Callable[..., None]] = {
    "run": run,
    "ci": ci,
    "evaluate": evaluate,
    "watch": watch,
    "list": list_,
    "show": show,
    "compare": compare,
    "trends": trends,
    "export": export,
    "report": report,
    "sql": sql,
    "retry": retry,
    "promote": promote,
    "overrule": overrule,
    "pause": pause,
    "resume": resume,
    "move": move,
    "cancel": cancel,
    "delete": delete,
    "prune": prune,
}
for name, about_runs in _RUNS.items():
    commands.command(name, rich_help_panel="Runs")(about_runs)


def app() -> None:
    """Run a subcommand. For an error, print its message instead of a traceback, and end with exit code 1."""
    try:
        commands()
    except Exception as failed:  # noqa: BLE001  # nothing above handles an exception
        typer.echo(f"llmbench: {safe(error_line(failed))}", err=True)
        sys.exit(ExitCode.FAILED)


def error_line(failed: Exception) -> str:
    """Return the text to print for an error. For an unexpected error, the text also names the source file and line.

    >>> error_line(PermissionError(13, "Permission denied", "runs.csv"))
    'runs.csv: Permission denied'
    """
    if isinstance(failed, StartError | CommandFailed | LlmbenchError):
        return str(failed)
    if isinstance(failed, OSError) and failed.strerror:
        return f"{failed.filename}: {failed.strerror}" if failed.filename else failed.strerror
    place = traceback.extract_tb(failed.__traceback__)[-1:]
    where = "".join(f" ({Path(step.filename).name}:{step.lineno})" for step in place)
    return f"unexpected error, please report it: {type(failed).__name__}: {failed}{where}"


if __name__ == "__main__":
    app()
