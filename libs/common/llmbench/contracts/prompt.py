"""A prompt: templates with variables, from which the messages of a case are made."""

from enum import StrEnum
from typing import Annotated, Any, Final
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Value

MAX_TEMPLATE_CHARACTERS: Final = 100_000
MAX_VARIABLES: Final = 100
VARIABLE_NAME: Final = r"^[A-Za-z_][A-Za-z0-9_-]{0,99}$"

Template = Annotated[str, Field(max_length=MAX_TEMPLATE_CHARACTERS, pattern=r"^[^\x00]*$")]


class VariableType(StrEnum):
    """The type that a variable's value must have. A `string` may also be a number, which is written as text."""

    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    LIST = "list"


class PromptVariable(Value):
    """A variable of a prompt.

    Its value is a field of the case, or a key of the case's metadata. Without a value in the case, the `default` is
    used. If there is no default either, a `required` variable makes the case unusable; any other variable becomes an
    empty text.
    """

    name: str = Field(pattern=VARIABLE_NAME)
    type: VariableType = VariableType.STRING
    default: Any = None
    required: bool = True
    description: str | None = Field(default=None, max_length=1_000)


class Prompt(Value):
    """A copy of a prompt's version. A run keeps the copy for its target, so later changes of the prompt do not affect
    the run."""

    prompt_id: UUID
    version_id: UUID
    name: str
    number: int
    content_hash: str = Field(description="SHA-256 of the templates and variables, in hexadecimal.")
    system_template: str | None = None
    user_template: str
    variables: tuple[PromptVariable, ...] = ()
