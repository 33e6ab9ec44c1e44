"""Define scripted models: models with any name, and their answers by prompt. `POST /control` sets the script.

    {"model": "cedar-8b", "as": "mock-300ms-jitter", "says": [{"when": ["17 + 25"], "say": "42."}]}

While a script is set, `/v1/models` lists only its models; `"as": null` removes a model.
"""

from dataclasses import dataclass, field
from typing import Any

from benchmarks.mock_provider.behaviour import Behaviour, behaviour_of


@dataclass(frozen=True)
class Line:
    """A scripted answer: `say` answers a prompt that contains all texts of `when`. If `say` is None, the answer is
    derived from the prompt.

    `behaves` is a name such as `mock-50ms`, whose behaviour replaces that of the model.
    """

    when: tuple[str, ...]
    say: str | None = None
    behaves: str | None = None

    def answers(self, prompt: str) -> bool:
        return all(part in prompt for part in self.when)


@dataclass
class Script:
    behaves: dict[str, str] = field(default_factory=dict)
    """The name (such as `mock-300ms`) that defines a scripted model's behaviour."""
    lines: dict[str, tuple[Line, ...]] = field(default_factory=dict)

    def set(self, model: str, wanted: dict[str, Any]) -> None:
        if "as" in wanted:
            self.behaves[model] = str(wanted["as"])
            if wanted["as"] is None:
                del self.behaves[model]
        if "says" in wanted:
            self.lines[model] = tuple(
                Line(when=tuple(line["when"]), say=line.get("say"), behaves=line.get("as")) for line in wanted["says"]
            )

    def models(self) -> tuple[str, ...]:
        return tuple(self.behaves)

    def part(self, model: str, prompt: str) -> tuple[Behaviour | None, str | None]:
        """Return the behaviour of `model` for `prompt`, and its scripted answer.

        The behaviour is `None` if there is no such model. The answer is `None` if the script has none for the prompt.
        """
        line = next((candidate for candidate in self.lines.get(model, ()) if candidate.answers(prompt)), None)
        name = (line and line.behaves) or self.behaves.get(model, model)
        return behaviour_of(name), line.say if line else None
