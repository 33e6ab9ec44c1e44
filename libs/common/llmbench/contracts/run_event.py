"""The union type of all events of a run. The field `type` says which event it is."""

from typing import Annotated, Final, get_args

from pydantic import Field, TypeAdapter

from llmbench.contracts.base import Message
from llmbench.contracts.item_changed import ItemChanged
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged

RunEvent = Annotated[RunStatusChanged | RunProgressed | ItemChanged | RunLogged, Field(discriminator="type")]

RUN_EVENT: TypeAdapter[RunEvent] = TypeAdapter(RunEvent)

_MESSAGES: Final[tuple[type[Message], ...]] = get_args(get_args(RunEvent)[0])


def topic_of(message: type[Message]) -> str:
    """Return the topic of events of this class: the last part of the NATS subject.

    >>> topic_of(RunLogged)
    'log'
    """
    return message.SUBJECT.rpartition(".")[2]


RUN_TOPICS: Final = {message.model_fields["type"].default: topic_of(message) for message in _MESSAGES}
"""The topic of each type of run event."""
