"""Find the importers of files for judge checks: each module of `published` defines one."""

from functools import cache

from llmbench.plugins import plugins
from llmbench_cli.errors import CommandFailed
from llmbench_cli.judge_files import published
from llmbench_cli.judge_files.base import JudgeFile


@cache
def judge_files() -> dict[str, JudgeFile]:
    return plugins(published, "JUDGE_FILE", JudgeFile, key=lambda each: each.name)


def judge_file(name: str) -> JudgeFile:
    """Return the importer for files of the format `name`. Raises `CommandFailed` if there is none."""
    if name not in judge_files():
        raise CommandFailed(f"there is no format {name!r}; there are {', '.join(judge_files())}")
    return judge_files()[name]
