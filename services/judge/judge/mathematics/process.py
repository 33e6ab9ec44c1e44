"""Start and use the process that compares mathematical expressions (see `worker`).

Each process of the judge service has one such process, which starts on first use.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from judge.domain.latex_answer import identical, latex_of_answer, latex_of_reference, plainly
from llmbench.confined.worker import Worker

_MODULE = "judge.mathematics.worker"
MAX_PROCESSOR_S = 3.0
"""The limit on CPU time for one comparison, in seconds."""


class BadExpression(ValueError):
    """Raised when no reference can be read as an expression within the limits; the message quotes the first
    reference."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """The result of comparing an answer with a reference.

    `answer` and `reference` are the expressions that were read from the texts; `answer` is `None` if the answer has no
    expression. `answer_rule` and `reference_rule` say how each was found. `problem` says why the answer could not be
    compared, else it is `None`. An answer with a problem counts as different.
    """

    same: bool
    answer: str | None
    answer_rule: str
    reference: str | None
    reference_rule: str
    problem: str | None = None


def verify(answer: str, references: Iterable[str], worker: Worker | None = None) -> Compared:
    """Compare the answer with each reference. Return the comparison with the first reference that equals the answer.

    If no reference equals it, return the comparison with the last reference that can be read. An answer that exceeds
    the limits of the process equals only a reference that is identical apart from notation, such as spaces. Blocks, so
    call it in a thread. Raises `BadExpression` if no reference can be read as an expression, and `WorkerUnavailable` if
    the process does not start. `worker` is the process that compares, by default the common one.
    """
    worker = worker or _WORKER
    answer_latex, rule = latex_of_answer(answer)
    last: Compared | None = None
    too_large: Compared | None = None
    bad = ""
    for reference in references:
        if plainly(reference) == plainly(answer):
            return Compared(
                same=True,
                answer=answer.strip()[:200],
                answer_rule="identical",
                reference=reference.strip()[:200],
                reference_rule="identical",
            )
        reference_latex, right_rule = latex_of_reference(reference)
        if identical(answer_latex, reference_latex):
            return Compared(
                same=True,
                answer=answer_latex[:200],
                answer_rule=rule,
                reference=reference_latex[:200],
                reference_rule=right_rule,
            )
        if too_large is not None:
            continue
        reply = worker.ask(_request(answer_latex, reference_latex))
        if reply is None and worker.ask(_request(answer_latex, "$1$")) is None:
            # The answer alone exceeds the limits. That is the model's fault, so the answer counts as wrong, unless a
            # later reference is identical.
            too_large = Compared(
                same=False,
                answer=answer_latex[:200],
                answer_rule=rule,
                reference=reference_latex[:200],
                reference_rule=right_rule,
                problem="The answer's expression takes more time or memory to compare than one may.",
            )
            continue
        if reply is None or reply["reference"] is None:
            bad = bad or reference
            continue
        read = reply["answer"] is not None
        last = Compared(
            same=reply["same"],
            answer=reply["answer"],
            answer_rule=rule if read else "no expression",
            reference=reply["reference"],
            reference_rule=right_rule,
            problem=None if read else "The answer has no expression.",
        )
        if last.same:
            return last
    if (compared := too_large or last) is None:
        raise _bad(bad)
    return compared


def require_expression(references: Iterable[str]) -> None:
    """Raise `BadExpression` if no reference can be read as an expression. Blocks, so call it in a thread.

    Raises `WorkerUnavailable` if the process does not start.
    """
    bad = ""
    for reference in references:
        reference_latex, _ = latex_of_reference(reference)
        reply = _WORKER.ask(_request("$1$", reference_latex))
        if reply is not None and reply["reference"] is not None:
            return
        bad = bad or reference
    raise _bad(bad)


def _request(answer: str, reference: str) -> dict[str, str]:
    return {"answer": answer, "reference": reference}


def _bad(reference: str) -> BadExpression:
    return BadExpression(repr(" ".join(reference.split())[:120]))


def new_worker(processor_s: float = MAX_PROCESSOR_S) -> Worker:
    """Return a process that compares expressions. A comparison may use `processor_s` seconds of CPU time."""
    return Worker(
        _MODULE,
        processor_s=processor_s,
        unavailable="The process that compares mathematical expressions does not start: math-verify is missing, or "
        "there is too little memory. Install the project's dependencies again, or choose another profile.",
    )


_WORKER = new_worker()
