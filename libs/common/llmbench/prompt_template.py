"""Render prompts: templates in the Mustache language (mustache(5)), without partials, lambdas and HTML escaping.

`{{name}}` is replaced by a value. `{{#name}}…{{/name}}` is rendered if there is a value, once for each element of a
list. `{{^name}}…{{/name}}` is rendered if there is no value. The tokenizer is chevron's. Its renderer is not used: it
escapes HTML, reads partials from the disk, hides missing variables, and has no limit for the length of its output.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from chevron.tokenizer import ChevronError, tokenize
from pydantic_core import to_json

from llmbench.contracts.case import Case
from llmbench.contracts.prompt import Prompt, PromptVariable, VariableType

MAX_RENDERED_CHARACTERS: Final = 400_000
"""The maximum length of a rendered template. A message has to fit into one NATS message."""

CASE_FIELDS: Final = ("question", "context", "category", "subcategory", "task_id")
"""The fields of a case that a template can use. Every other variable is a key of the case's metadata. References are
not offered, because the model under test must not see them."""

MAX_NESTING: Final = 10
_MAX_STEPS: Final = 200_000
_ELEMENT: Final = "."


class PromptError(ValueError):
    """Raised for a template that cannot be used, or cannot be rendered with a case. The message says why. `variable` is
    the name of the variable at fault, if there is one."""

    def __init__(self, message: str, variable: str | None = None) -> None:
        super().__init__(message)
        self.variable = variable


@dataclass(frozen=True)
class Tag:
    """A part of a template that is replaced by the value of the variable `name`."""

    name: str


@dataclass(frozen=True)
class Section:
    """A part of a template that is rendered only if the variable `name` has a value. If `inverted`, it is rendered only
    if the variable has none."""

    name: str
    inverted: bool
    body: tuple["Node", ...]


Node = str | Tag | Section


@lru_cache(maxsize=256)
def parse(template: str) -> tuple[Node, ...]:
    """Return the parts of a template. Raise `PromptError` if it is not a valid template, or uses a feature that is not
    supported."""
    open_sections: list[tuple[str, bool, list[Node]]] = []
    nodes: list[Node] = []
    for kind, text in _tokens(template):
        name = text.strip()
        if kind == "literal":
            nodes.append(text)
        elif kind in ("variable", "no escape"):
            nodes.append(Tag(_checked(name, inside=bool(open_sections))))
        elif kind in ("section", "inverted section"):
            if len(open_sections) >= MAX_NESTING:
                raise PromptError(f"sections are nested more than {MAX_NESTING} deep")
            open_sections.append((_checked(name, inside=bool(open_sections)), kind != "section", nodes))
            nodes = []
        elif kind == "end":
            opened, inverted, outer = open_sections.pop()
            nodes = [*outer, Section(opened, inverted, tuple(nodes))]
        elif kind == "partial":
            raise PromptError(f"{{{{>{name}}}}} includes another template, which is not supported: write its text here")
    return tuple(nodes)


def _tokens(template: str) -> Iterator[tuple[str, str]]:
    try:
        yield from tokenize(template)
    except ChevronError as error:
        first, *more = str(error).splitlines()
        raise PromptError(" ".join([first, *(line.strip() for line in more)])) from error
    except RecursionError as error:
        raise PromptError("the template is nested too deep") from error


def _checked(name: str, *, inside: bool) -> str:
    if name == _ELEMENT and inside:
        return name
    if "." in name:
        last = name.rsplit(".", 1)[-1]
        raise PromptError(f"{{{{{name}}}}} has a dot: write {{{{{last}}}}}, as keys of metadata are variables", name)
    if not name or not name.replace("-", "_").isidentifier() or not name.isascii():
        raise PromptError(f"{{{{{name}}}}} is no name: use letters, digits, _ and -", name)
    return name


@dataclass(frozen=True)
class Use:
    """A place where a template uses a variable. `sections` has the names of the enclosing sections, the outermost
    first. `written` is true if the template inserts the value at this place, unless one of these sections has the
    variable's name."""

    name: str
    written: bool
    sections: tuple[str, ...]


def uses(template: str) -> list[Use]:
    """Return all uses of variables in a template, in the order of the text."""
    return list(_uses(parse(template), ()))


def _uses(nodes: Sequence[Node], around: tuple[str, ...]) -> Iterator[Use]:
    for node in nodes:
        if isinstance(node, Tag) and node.name != _ELEMENT:
            yield Use(node.name, node.name not in around, around)
        elif isinstance(node, Section):
            if node.name != _ELEMENT:
                yield Use(node.name, False, around)
            yield from _uses(node.body, (*around, node.name))


def complete_variables(templates: Sequence[str], declared: Sequence[PromptVariable]) -> tuple[PromptVariable, ...]:
    """Return the declared variables, and after them those that the templates use without a declaration.

    An undeclared variable is a string. It is required if a template inserts its value outside of a section
    (`{{#name}}…{{/name}}`) of the same name. An undeclared name inside a section of a list is no variable, but a key of
    the list's elements. Raise `PromptError` for a declaration that occurs twice, is not used, or has a default of
    another type.
    """
    found = {variable.name: variable for variable in declared}
    if len(found) < len(declared):
        names = [variable.name for variable in declared]
        twice = next(name for name in names if names.count(name) > 1)
        raise PromptError(f"variable '{twice}' is declared twice", twice)
    lists = {name for name, variable in found.items() if variable.type == VariableType.LIST}
    used = [use for template in templates for use in uses(template)]
    for use in used:
        if use.name in found or any(section in lists or section == _ELEMENT for section in use.sections):
            continue
        required = any(other.written for other in used if other.name == use.name)
        found[use.name] = PromptVariable(name=use.name, required=required)
    names_used = {use.name for use in used}
    for variable in declared:
        if variable.name not in names_used:
            raise PromptError(f"no template uses the variable '{variable.name}'", variable.name)
        if variable.default is not None and not _fits(variable.default, variable.type):
            raise PromptError(f"the default of '{variable.name}' is not of the type {variable.type}", variable.name)
    return tuple(found.values())


@dataclass(frozen=True)
class Rendered:
    system: str | None
    user: str


def render(prompt: Prompt, case: Case) -> Rendered:
    """Render the system template, if there is one, and the user template with the values of the case.

    Raise `PromptError` if a required variable has no value, if a value has another type than declared, or if the result
    is longer than `MAX_RENDERED_CHARACTERS` or empty.
    """
    values = _values(prompt.variables, case)
    system = None if prompt.system_template is None else _render(prompt.system_template, values).strip()
    user = _render(prompt.user_template, values)
    if not user.strip():
        raise PromptError("the user message is empty with this case")
    return Rendered(system or None, user)


def _values(variables: Sequence[PromptVariable], case: Case) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for variable in variables:
        value = getattr(case, variable.name) if variable.name in CASE_FIELDS else case.metadata.get(variable.name)
        if value is None:
            value = variable.default
        if value is None and variable.required:
            where = "" if variable.name in CASE_FIELDS else " in its metadata"
            raise PromptError(f"the case has no '{variable.name}'{where}, and the variable no default", variable.name)
        if value is not None and not _fits(value, variable.type):
            raise PromptError(f"'{variable.name}' of the case is not of the type {variable.type}", variable.name)
        values[variable.name] = value
    return values


def _fits(value: Any, type_: VariableType) -> bool:
    match type_:
        case VariableType.BOOLEAN:
            return isinstance(value, bool)
        case VariableType.NUMBER:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case VariableType.LIST:
            return isinstance(value, list)
        case _:
            return isinstance(value, str | int | float)


class _Output:
    """The text that is rendered so far. It raises `PromptError` when it grows beyond the limit."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._characters = self._steps = 0

    def add(self, text: str) -> None:
        self._characters += len(text)
        self._steps += 1
        if self._characters > MAX_RENDERED_CHARACTERS or self._steps > _MAX_STEPS:
            raise PromptError(f"the rendered text is longer than {MAX_RENDERED_CHARACTERS:,} characters")
        self.parts.append(text)


def _render(template: str, values: Mapping[str, Any]) -> str:
    output = _Output()
    _write(parse(template), [values], output)
    return "".join(output.parts)


def _write(nodes: Sequence[Node], scopes: list[Any], output: _Output) -> None:
    for node in nodes:
        if isinstance(node, str):
            output.add(node)
        elif isinstance(node, Tag):
            output.add(_text(_find(node.name, scopes)))
        else:
            value = _find(node.name, scopes)
            absent = value is None or value is False or value == "" or value == []
            if node.inverted:
                if absent:
                    _write(node.body, scopes, output)
            elif not absent:
                for element in value if isinstance(value, list) else [value]:
                    # An empty element counts as a step, so that a long list comes to an end.
                    output.add("")
                    _write(node.body, [*scopes, element], output)


def _find(name: str, scopes: Sequence[Any]) -> Any:
    if name == _ELEMENT:
        return scopes[-1]
    for scope in reversed(scopes):
        if isinstance(scope, Mapping) and name in scope:
            return scope[name]
    return None


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return to_json(value).decode()
