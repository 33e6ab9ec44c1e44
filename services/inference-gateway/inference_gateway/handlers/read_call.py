"""Read the complete answer of a call whose event had only a preview."""

from inference_gateway.ports import Answers
from llmbench.contracts.read_call import CallRead, ReadCall


class ReadCallHandler:
    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    async def __call__(self, request: ReadCall) -> CallRead:
        """Return the call's stored content, `None` if there is none. Raises `SessionLost` without a database
        session."""
        return CallRead(call_id=request.call_id, content=await self._answers.content(request.call_id))
