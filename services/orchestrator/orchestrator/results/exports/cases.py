"""Write test cases as JSON Lines for a dataset: grounded questions that models generated from documents.

Each line is one question, which is one turn of a conversation. A run that uses the dataset asks the turns in order,
each with the model's own answers to the earlier turns. The context is the chunk from which the question was generated.
The questions are read from the scores of the evaluator `grounded_questions`. The export of a run without this evaluator
is empty.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

from llmbench.contracts.grounded_questions import KIND, GroundedConversation, GroundedQuestions
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, to_json
from orchestrator.results.ports.queries import ExportLine, ExportSource
from orchestrator.results.ports.schemas import RunSummary


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    slots = {evaluator.name for evaluator in run.evaluators if evaluator.kind == KIND}
    # Several models or epochs can generate questions from one chunk, so their conversations are numbered.
    counts: Counter[str] = Counter()

    async def parts() -> AsyncIterator[str]:
        async for line in source.lines():
            for conversation in _accepted(line, slots):
                counts[line.item.case.task_id] += 1
                for case in _cases(line, conversation, number=counts[line.item.case.task_id]):
                    yield to_json(case) + "\n"

    async for chunk in chunked(parts()):
        yield chunk


def _accepted(line: ExportLine, slots: set[str]) -> tuple[GroundedConversation, ...]:
    for score in line.scores:
        if score.evaluator in slots and score.outcome == "scored":
            return GroundedQuestions.model_validate(score.details).accepted
    return ()


def _cases(line: ExportLine, conversation: GroundedConversation, *, number: int) -> Iterator[dict[str, Any]]:
    chunk = line.item.case
    name = f"{chunk.task_id}.{number}"
    for at, turn in enumerate(conversation.turns, start=1):
        document = chunk.metadata.get("document")
        known = {
            "category": chunk.category,
            "document": document,
            "document_id": chunk.metadata.get("document_id"),
            "page": turn.page,
            "passage": turn.passage,
            "conversation_id": name,
            "turn": at,
            "generator": line.item.target_label,
        }
        yield {
            "id": f"{name}.{at}",
            "prompt": turn.question,
            "context": chunk.context,
            "conversation_id": name,
            "turn": at,
            "expected_output": turn.ground_truth,
            "ground_truth": {
                "answer": turn.ground_truth,
                **({"citations": [document]} if document else {}),
                "source": "AUTOMATED",
            },
            "metadata": {key: value for key, value in known.items() if value is not None},
        }


FORMAT = ExportFormat(
    name="test-cases",
    title="Test cases",
    description="The accepted questions that models wrote from documents, as cases of a dataset.",
    evaluator=KIND,
    media_type="application/x-ndjson",
    extension="jsonl",
    write=write,
    # The export of `samples.RUN` is empty: its two items were not made from a document.
)
