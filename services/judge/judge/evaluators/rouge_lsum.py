"""ROUGE-Lsum: the longest common subsequences of words between lines of answer and reference, as precision, recall and
their F measure."""

from judge.domain.rouge import Rouge, rouge_lsum
from judge.evaluators.base import Example, by_program
from judge.evaluators.rouge import RougeParams, bounded_lines, by_overlap


def _compared(answer: str, reference: str) -> Rouge:
    return rouge_lsum(bounded_lines(answer), bounded_lines(reference))


EVALUATOR = by_program(
    kind="rouge_lsum",
    title="ROUGE-Lsum",
    description="Counts words in common with a reference summary, in the same order within a line, for any order of "
    "lines: precision, recall and F. A sentence is a line, as in rouge-score. For a single line it "
    "equals ROUGE-L.",
    params=RougeParams,
    score=by_overlap("ROUGE-Lsum", _compared),
    examples=(
        Example(
            name="the order of lines does not count",
            answer="first line\nsecond line here",
            case={"expected_output": "second line here\nfirst line"},
            params={"pass_mark": 0.8},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="a single line",
            answer="the gunman kill police",
            case={"expected_output": "police killed the gunman"},
            verdict={"raw": 0.5, "passed": None},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
