"""Reads deploy/Dockerfile: its stages, and what each copies from where."""

from dataclasses import dataclass, field
from functools import cache

from llmbench_cli.embedded.binaries import checkout

FILE = checkout() / "deploy" / "Dockerfile"


@dataclass
class Stage:
    name: str
    base: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def arguments(self, instruction: str) -> list[str]:
        return [rest for name, rest in self.instructions if name == instruction]


@cache
def stages() -> dict[str, Stage]:
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
    """What a stage copies out of the repository."""
    return [source for copy in stage.arguments("COPY") if "--from" not in copy for source in copy.split()[:-1]]


def copied(target: str) -> dict[str, str]:
    """Path in the image → path in the checkout, for what the stage `target` holds in the end."""
    found: dict[str, str] = {}
    for copy in stages()[target].arguments("COPY"):
        *words, at = copy.split()
        if words[0].startswith("--from="):
            # What another stage made lies where that stage's folder comes from: /src is the repository.
            found[at] = words[1].removeprefix("/src/")
        else:
            found[at] = words[0]
    return found
