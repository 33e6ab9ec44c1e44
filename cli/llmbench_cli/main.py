"""The command `llmbench`: names and order of the subcommands, one file each in `commands/`."""

import sys

import typer

from llmbench_cli.commands.backup import backup
from llmbench_cli.commands.demo import demo
from llmbench_cli.commands.doctor import doctor
from llmbench_cli.commands.events import events
from llmbench_cli.commands.export_tasks import export_tasks
from llmbench_cli.commands.import_ import import_
from llmbench_cli.commands.migrate import migrate
from llmbench_cli.commands.restore import restore
from llmbench_cli.commands.rotate_key import rotate_key
from llmbench_cli.commands.up import up
from llmbench_cli.commands.version import version
from llmbench_cli.embedded.errors import StartError

commands = typer.Typer(
    help="Benchmark and judge language models, local and hosted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (up, demo, events, export_tasks, doctor, migrate, backup, restore, rotate_key, version):
    commands.command()(command)
# A word of Python's own: the function cannot have the command's name.
commands.command("import")(import_)


def app() -> None:
    """Run a subcommand; what keeps it from starting is one line, not a traceback."""
    try:
        commands()
    except StartError as failed:
        typer.echo(f"llmbench: {failed}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    app()
