"""Read deploy/Dockerfile: its stages, and the files that each stage copies."""

from dataclasses import dataclass, field
from functools import cache

from llmbench_cli.embedded.binaries import checkout

FILE = checkout() / "deploy" / "Dockerfile"


@dataclass
class Stage:
    """A stage of the Dockerfile: its name, its base image, and its instructions in order."""

    name: str
    base: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def arguments(self, instruction: str) -> list[str]:
        return [rest for name, rest in self.instructions if name == instruction]


@cache
def stages() -> dict[str, Stage]:
    """Return the stages by name."""
    found: dict[str, Stage] = {}
    stage = Stage("", "")
    for line in FILE.read_text("utf-8").splitlines():
        instruction, _, rest = line.partition(" ")
        if instruction == "FROM":
            base, _, name = rest.partition(" AS ")
            stage = found[name] = Stage(name, base)
        elif instruction.isupper():
            stage.instructions.append((instruction, rest.strip()))
    return found


def sources(stage: Stage) -> list[str]:
    """Return the paths of the repository that a stage copies."""
    return [
        source
        for copy in stage.arguments("COPY")
        if "--from" not in copy
        for source in copy.split()[:-1]
        if not source.startswith("--")
    ]


def copied(target: str) -> dict[str, str]:
    """Return the paths that the stage `target` copies: for each path in the image, its path in the checkout."""
    found: dict[str, str] = {}
    for copy in stages()[target].arguments("COPY"):
        *options, source, at = copy.split()
        # A file that is copied from another stage lies below /src there, which is the repository.
        found[at] = source.removeprefix("/src/") if any(option.startswith("--from=") for option in options) else source
    return found
