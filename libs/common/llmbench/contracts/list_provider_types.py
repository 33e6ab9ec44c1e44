"""Request to the inference gateway: list the provider types."""

from typing import Any, ClassVar, Literal

from llmbench.contracts.base import Message, Value
from llmbench.contracts.provider_type import ProviderTypeInfo


class ListProviderTypes(Message):
    SUBJECT: ClassVar[str] = "req.provider.types"

    type: Literal["llmbench.req.list_provider_types.v1"] = "llmbench.req.list_provider_types.v1"

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "llmbench.req.list_provider_types.v1"},)


class ProviderTypesListed(Value):
    """The gateway's reply to a request for provider types, in the order in which a form lists them."""

    types: tuple[ProviderTypeInfo, ...]
