"""Render promptfoo's templates, but only those that do nothing except insert texts."""

import re
from collections.abc import Mapping
from typing import Final

_PLACE: Final = re.compile(r"\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}")
_LOGIC: Final = re.compile(r"\{\{|\{%|\{#")


class NotRenderable(ValueError):
    """Raised when the template needs more than the insertion of texts."""


def render(template: str, variables: Mapping[str, str], *, most: int) -> str:
    """Return `template` with its `{{ variables }}` filled in.

    Raises `NotRenderable` if the template has logic, a variable is missing, or the result would have more than `most`
    characters.
    """
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
