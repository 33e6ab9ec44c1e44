"""Any event of a run, told apart by its `type`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from llmbench.contracts.item_changed import ItemChanged
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged

RunEvent = Annotated[RunStatusChanged | RunProgressed | ItemChanged | RunLogged, Field(discriminator="type")]

RUN_EVENT: TypeAdapter[RunEvent] = TypeAdapter(RunEvent)
