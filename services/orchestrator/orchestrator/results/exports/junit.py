"""Write JUnit XML for CI systems: a `testsuite` per target, a `testcase` per item.

A score that does not pass is a failure, as is a refused or malformed answer. Any other failed item is an error. An item
that has not failed and has no overall score is skipped. Each evaluator's score is a property. A `testsuite` states no
counts, because they would have to precede its items, which are streamed. https://github.com/testmoapp/junitxml
"""

import re
from collections.abc import AsyncIterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from llmbench.contracts.run_words import ItemStatus
from orchestrator.kernel.domain.overall import deciding_scores, failed_by_itself
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, of_epoch
from orchestrator.results.ports.queries import ExportLine, ExportSource
from orchestrator.results.ports.schemas import RunSummary

# Characters that XML 1.0 cannot represent.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(value: object) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", str(value)))


def _attribute(value: object) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", str(value)))


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name={_attribute(run.name)}>\n'
        suite = None
        async for line in source.lines():
            if line.item.target_label != suite:
                if suite is not None:
                    yield "</testsuite>\n"
                suite = line.item.target_label
                yield f"<testsuite name={_attribute(suite)}>\n"
            yield _case(line)
        if suite is not None:
            yield "</testsuite>\n"
        yield "</testsuites>\n"

    async for chunk in chunked(parts()):
        yield chunk


def _case(line: ExportLine) -> str:
    item = line.item
    name = of_epoch(item.case.task_id, line)
    time_ms = item.figures.time_ms
    took = "" if time_ms is None else f' time="{time_ms / 1000:.3f}"'
    opening = f"<testcase classname={_attribute(item.case.category)} name={_attribute(name)}{took}>"
    if item.failure is not None and failed_by_itself(item.failure):
        verdict = f"<failure type={_attribute(item.failure.grouped_by())} message={_attribute(item.failure.message)}/>"
    elif item.failure is not None:
        verdict = f"<error type={_attribute(item.failure.grouped_by())} message={_attribute(item.failure.message)}/>"
    elif item.score is None:
        why = item.reason if item.status == ItemStatus.SKIPPED and item.reason else item.status.value
        verdict = f"<skipped message={_attribute(why)}/>"
    elif item.passed is False:
        verdict = f"<failure message={_attribute(f'score {item.score:g}')}>{_text(item.reason or '')}</failure>"
    else:
        verdict = ""
    scores = "".join(
        f"<property name={_attribute(f'{score.evaluator}.score')} value={_attribute(f'{score.raw:g}')}/>"
        for score in deciding_scores(line.scores)
        if score.raw is not None
    )
    properties = f"<properties>{scores}</properties>" if scores else ""
    answer = "" if line.answer is None else f"<system-out>{_text(line.answer)}</system-out>"
    return f"{opening}{properties}{verdict}{answer}</testcase>\n"


FORMAT = ExportFormat(
    name="junit",
    title="JUnit XML",
    description="One test case per item, for a CI system.",
    media_type="application/xml",
    extension="xml",
    write=write,
)
