"""Control message to the gateways: the NATS consumer of a model group exists. The gateways can now pull the group's
commands.

The message is sent on core NATS and may be lost.
"""

from typing import Any, ClassVar, Literal

from llmbench.contracts.base import Message


class GroupOpened(Message):
    SUBJECT: ClassVar[str] = "ctl.group.opened"

    type: Literal["llmbench.ctl.group_opened.v1"] = "llmbench.ctl.group_opened.v1"
    group: str

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.ctl.group_opened.v1",
            "group": "0193a0000000700080000000000000aa-smollm2-135m-0123456789abcdef",
        },
    )
