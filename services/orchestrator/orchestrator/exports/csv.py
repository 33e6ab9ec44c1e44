"""CSV (RFC 4180, UTF-8): one line per item, behind the same columns for every run those of its evaluators.

Model output is hostile: a cell that a spreadsheet would run as a formula gets a leading quote.
"""

import csv
import io
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Final

from llmbench.formulas import neutralise
from orchestrator.domain.overall import speakers
from orchestrator.exports.base import CHUNK_BYTES, ExportFormat
from orchestrator.ports.queries import ExportLine
from orchestrator.ports.schemas import RunSummary

COLUMNS: Final = (
    "item_id",
    "task_id",
    "category",
    "subcategory",
    "target",
    "model",
    "epoch",
    "status",
    "question",
    "answer",
    "score",
    "score_normalised",
    "passed",
    "reason",
    "error_phase",
    "error_kind",
    "error",
    "time_ms",
    "first_token_ms",
    "first_content_ms",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "usage_source",
    "tokens_per_second",
    "finish_reason",
    "attempts",
    "cost_usd",
    "cached",
    "score_revision_id",
    "conversation_id",
    "turn",
)
SCORE_COLUMNS: Final = ("score", "score_normalised", "passed", "outcome", "reason")
"""Of each evaluator, behind its name and a dot."""


def _score_cells(names: Sequence[str], line: ExportLine) -> Iterator[object]:
    speaking = {score.evaluator: score for score in speakers(line.scores)}
    for name in names:
        score = speaking.get(name)
        if score is None:
            yield from (None for _ in SCORE_COLUMNS)
        else:
            yield from (score.raw, score.normalised, score.passed, score.outcome, score.reason or score.error)


def _cells(line: ExportLine) -> list[object]:
    item, failure = line.item, line.item.failure
    return [
        item.id,
        item.case.task_id,
        item.case.category,
        item.case.subcategory,
        item.target_label,
        item.model,
        item.epoch,
        item.status.value,
        item.case.question,
        line.answer,
        item.score,
        item.score_normalised,
        item.passed,
        item.reason,
        failure.phase.value if failure else None,
        failure.kind if failure else None,
        failure.message if failure else None,
        item.time_ms,
        item.first_token_ms,
        item.first_content_ms,
        item.prompt_tokens,
        item.completion_tokens,
        item.reasoning_tokens,
        item.usage_source,
        item.tokens_per_second,
        item.finish_reason,
        item.attempts,
        item.cost_usd,
        item.cached,
        item.score_revision_id,
        item.case.conversation_id,
        item.case.turn,
    ]


async def write(run: RunSummary, lines: AsyncIterator[ExportLine]) -> AsyncIterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    names = list(dict.fromkeys(evaluator.name for evaluator in run.evaluators))
    writer.writerow([*COLUMNS, *(neutralise(f"{name}.{column}") for name in names for column in SCORE_COLUMNS)])
    async for line in lines:
        writer.writerow([neutralise(cell) for cell in (*_cells(line), *_score_cells(names, line))])
        if buffer.tell() > CHUNK_BYTES:
            yield buffer.getvalue().encode("utf-8", errors="replace")
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode("utf-8", errors="replace")


FORMAT = ExportFormat(
    name="csv",
    media_type="text/csv; charset=utf-8",
    extension="csv",
    write=write,
    example=(
        "item_id,task_id,category,subcategory,target,model,epoch,status,question,answer,score,score_normalised,passed,reason,error_phase,error_kind,error,time_ms,first_token_ms,first_content_ms,prompt_tokens,completion_tokens,reasoning_tokens,usage_source,tokens_per_second,finish_reason,attempts,cost_usd,cached,score_revision_id,conversation_id,turn,rubric.score,rubric.score_normalised,rubric.passed,rubric.outcome,rubric.reason,the sum.score,the sum.score_normalised,the sum.passed,the sum.outcome,the sum.reason\r\n"
        '00000000-0000-0000-0000-00000000000a,sum-1,arithmetic,,"small, t=0",small,1,COMPLETED,What is 17 + 25?,"\'=HYPERLINK(""http://x"")\n'
        "<b>41</b>\",3,0.3,False,The sum is wrong.,,,,412,35,35,31,22,,reported,58.3,stop,1,0.00012,False,00000000-0000-0000-0000-000000000004,,,3.0,0.3,False,scored,The sum is wrong.,0.0,0.0,False,scored,'42' is not in it.\r\n"
        '00000000-0000-0000-0000-00000000000b,sum-2,arithmetic,,"small, t=0",small,1,FAILED,And 40 + 2?,,,,,,BENCHMARKING,timed_out,no answer within 60 s,,,,,,,,,,1,,False,,,,,,,,,,,,,\r\n'
    ),
)
