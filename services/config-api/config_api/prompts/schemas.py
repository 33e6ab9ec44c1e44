"""Define the bodies and responses of `/api/prompts`."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from config_api.bodies import Input, Name, OptionalText, Resource
from llmbench.contracts.base import UtcTime
from llmbench.contracts.prompt import MAX_VARIABLES, PromptVariable, Template
from llmbench.http.created_by import CreatedBy

MAX_DEFAULT_CHARACTERS = 100_000
MOST_PREVIEWED = 20


def _blank_is_null(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _bounded(variable: PromptVariable) -> PromptVariable:
    if len(str(variable.default)) > MAX_DEFAULT_CHARACTERS:
        raise ValueError(f"the default of '{variable.name}' is longer than {MAX_DEFAULT_CHARACTERS:,} characters")
    return variable


class Templates(Input):
    """The content of a version of a prompt. White space around a template is kept, unlike around other texts of the
    API."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    system_template: Annotated[Template | None, BeforeValidator(_blank_is_null)] = Field(
        default=None, description="Makes the system message. It is appended to the system prompt of the target."
    )
    user_template: Annotated[Template, Field(min_length=1)] = Field(
        description="Makes the user message, in place of context and question. `{{question}}`, `{{context}}`, "
        "`{{category}}`, `{{subcategory}}` and `{{task_id}}` are fields of the case; other names are keys of its "
        "metadata.",
    )
    variables: list[Annotated[PromptVariable, AfterValidator(_bounded)]] = Field(
        default_factory=list,
        max_length=MAX_VARIABLES,
        description="Types and defaults. A variable that is used but not listed is a string without a default.",
    )


class PromptVersionIn(Templates):
    notes: OptionalText = Field(default=None, description="A note on the changes of this version, and their reason.")


class PromptIn(PromptVersionIn):
    """A new prompt, with its first version."""

    name: Name
    description: OptionalText = None


class PromptChange(Input):
    """The fields of a prompt that can change. Templates change by a new version."""

    name: Name
    description: OptionalText = None


class PromptVersionOut(BaseModel):
    """A version of a prompt. It never changes."""

    id: UUID
    prompt_id: UUID
    number: int
    system_template: str | None
    user_template: str
    variables: list[PromptVariable]
    content_hash: str = Field(description="SHA-256 of the templates and variables, in hexadecimal.")
    notes: str | None
    created_at: UtcTime
    created_by: CreatedBy = None


class PromptOut(Resource):
    """A prompt, with its newest version."""

    name: str
    description: str | None
    newest: PromptVersionOut
    created_by: CreatedBy = None


class PromptPage(BaseModel):
    items: list[PromptOut]
    next_cursor: str | None


class PromptVersionPage(BaseModel):
    items: list[PromptVersionOut]
    next_cursor: str | None


class PreviewIn(Templates):
    """The request body of a preview: templates, and the collection or dataset version whose first cases they are
    rendered with."""

    collection_id: UUID | None = None
    dataset_version_id: UUID | None = None
    limit: int = Field(default=5, ge=1, le=MOST_PREVIEWED)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if self.collection_id is not None and self.dataset_version_id is not None:
            raise ValueError("name a collection or a dataset version, not both")
        return self


class PreviewedCase(BaseModel):
    """A rendered case, or the reason why the case cannot be rendered."""

    task_id: str
    system: str | None
    user: str | None
    error: str | None
    variable: str | None = Field(description="The variable that `error` is about, if it is about one.")


class PreviewOut(BaseModel):
    variables: list[PromptVariable] = Field(description="All variables of the templates, as a version would have them.")
    cases: list[PreviewedCase]
