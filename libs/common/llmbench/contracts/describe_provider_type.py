"""Request to the inference gateway: describe a provider type, and check options for it."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from llmbench.contracts.base import Message, Value
from llmbench.contracts.provider_type import ProviderTypeInfo


class DescribeProviderType(Message):
    SUBJECT: ClassVar[str] = "req.provider.describe"

    type: Literal["llmbench.req.describe_provider_type.v1"] = "llmbench.req.describe_provider_type.v1"
    provider_type: str
    options: dict[str, Any] = Field(default_factory=dict)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.req.describe_provider_type.v1",
            "provider_type": "AZURE_OPENAI",
            "options": {"api_version": "2024-10-21"},
        },
    )


class OptionProblem(Value):
    """An error in an option. `field` is the dotted path of the option within the options, such as `deployments.1`."""

    field: str
    message: str


class ProviderTypeDescribed(Value):
    """The gateway's reply. `info` is null for an unknown type; `known` lists all types. `problems` are errors in the
    options."""

    info: ProviderTypeInfo | None = None
    known: tuple[str, ...]
    problems: tuple[OptionProblem, ...] = ()
