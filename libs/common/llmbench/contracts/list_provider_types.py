"""Request to the inference gateway: which provider types are there?"""

from typing import Any, ClassVar, Literal

from llmbench.contracts.base import Message, Value
from llmbench.contracts.provider_type import ProviderTypeInfo


class ListProviderTypes(Message):
    SUBJECT: ClassVar[str] = "req.provider.types"

    type: Literal["llmbench.req.list_provider_types.v1"] = "llmbench.req.list_provider_types.v1"

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "llmbench.req.list_provider_types.v1"},)


class ProviderTypesListed(Value):
    """The reply: the types in the order of a form."""

    types: tuple[ProviderTypeInfo, ...]
