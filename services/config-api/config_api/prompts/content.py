"""Check the templates of a version, and compute the hash that identifies its content."""

import hashlib
import json
from collections.abc import Sequence

from config_api.prompts.schemas import Templates
from llmbench.contracts.prompt import MAX_VARIABLES, PromptVariable
from llmbench.errors import FieldError, Problem
from llmbench.prompt_template import PromptError, complete_variables, parse


def checked_variables(body: Templates) -> tuple[PromptVariable, ...]:
    """Return all variables of the templates. Raise a 422 `Problem`, with the field at fault, if a template or the
    declaration of a variable is invalid."""
    templates = [text for text in (body.system_template, body.user_template) if text is not None]
    for field in ("system_template", "user_template"):
        try:
            parse(getattr(body, field) or "")
        except PromptError as error:
            raise _refused(field, str(error)) from None
    try:
        variables = complete_variables(templates, body.variables)
    except PromptError as error:
        raise _refused("variables", str(error)) from None
    if len(variables) > MAX_VARIABLES:
        raise _refused("user_template", f"the templates use {len(variables)} variables; {MAX_VARIABLES} are the most")
    return variables


def content_hash(body: Templates, variables: Sequence[PromptVariable]) -> str:
    """Return the SHA-256 of templates and variables. The descriptions of the variables are included, because people
    read them."""
    content = {
        "system_template": body.system_template,
        "user_template": body.user_template,
        "variables": [variable.model_dump(mode="json") for variable in variables],
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _refused(field: str, message: str) -> Problem:
    return Problem(422, "Invalid prompt", message, errors=[FieldError(field, message)])
