"""The two things of promptfoo that need translating: its templates and its assertions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

_PLACE: Final = re.compile(r"\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}")
_LOGIC: Final = re.compile(r"\{\{|\{%|\{#")

# What a good answer is like, by type of assertion. `{}` is its value.
_WANTED: Final = {
    "equals": "Is exactly: {}",
    "contains": "Contains: {}",
    "icontains": "Contains, in any case: {}",
    "contains-any": "Contains one of: {}",
    "icontains-any": "Contains one of, in any case: {}",
    "contains-all": "Contains all of: {}",
    "icontains-all": "Contains all of, in any case: {}",
    "starts-with": "Starts with: {}",
    "regex": "Matches the regular expression: {}",
    "similar": "Means the same as: {}",
    "factuality": "Agrees with: {}",
    "model-graded-factuality": "Agrees with: {}",
    "model-graded-closedqa": "{}",
    "llm-rubric": "{}",
    "g-eval": "{}",
}
# Said of the assertion by the value itself; the rest of its fields would be lost.
_CARRIED: Final = {"type", "value"}


class NotRenderable(ValueError):
    """The template needs more than the insertion of texts."""


def render(template: str, variables: Mapping[str, str], *, most: int) -> str:
    """`template` with its `{{ variables }}` filled in, of at most `most` characters."""
    if _LOGIC.search(_PLACE.sub("", template)):
        raise NotRenderable("uses template logic ({% … %}, filters, expressions), which only promptfoo can run")
    parts: list[str] = []
    size = end = 0
    for place in _PLACE.finditer(template):
        name = place.group(1)
        if name not in variables:
            raise NotRenderable(f"needs the variable {name!r}, which the test does not give")
        parts += [template[end : place.start()], variables[name]]
        end = place.end()
        size += len(parts[-1]) + len(parts[-2])
        if size > most:
            break
    if size + len(template) - end > most:
        raise NotRenderable(f"would have more than {most} characters")
    return "".join(parts) + template[end:]


@dataclass
class References:
    """`wanted` and `unwanted` describe answers; `lost` is what a judge cannot be told."""

    wanted: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def references(assertions: object, variables: Mapping[str, str], *, most: int) -> References:
    found = References()
    for assertion in _flat(assertions, found.lost):
        kind = assertion.get("type")
        negated = isinstance(kind, str) and kind.startswith("not-")
        words = _WANTED.get(str(kind).removeprefix("not-"))
        value = _value(assertion.get("value"))
        if words is None or value is None or value.startswith("file://"):
            found.lost.append(f"the assertion {str(kind or assertion.get('$ref'))[:80]}")
            continue
        try:
            text = words.format("\x00").replace("\x00", render(value, variables, most=most))
        except NotRenderable as error:
            found.lost.append(f"the assertion {kind}: its value {error}")
            continue
        (found.unwanted if negated else found.wanted).append(text)
        found.lost += [f"{name} of the assertion {kind}" for name in assertion if name not in _CARRIED]
    return found


def _flat(assertions: object, lost: list[str]) -> Iterator[Mapping[str, Any]]:
    """Sets of assertions stand for their members."""
    for assertion in assertions if isinstance(assertions, list) else []:
        if not isinstance(assertion, dict):
            lost.append(f"the assertion {str(assertion)[:80]}")
        elif assertion.get("type") == "assert-set":
            lost += [f"{name} of an assert-set" for name in assertion if name not in {"type", "assert"}]
            yield from _flat(assertion.get("assert"), lost)
        else:
            yield assertion


def _value(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and value and all(isinstance(part, str) for part in value):
        return "; ".join(value)
    return None
