"""ROUGE-L: the longest common subsequence of words, as precision, recall and their F measure."""

from judge.domain.rouge import Rouge, rouge_l
from judge.evaluators.base import Example, by_program
from judge.evaluators.rouge import RougeParams, bounded_words, by_overlap


def _compared(answer: str, reference: str) -> Rouge:
    return rouge_l(bounded_words(answer), bounded_words(reference))


EVALUATOR = by_program(
    kind="rouge_l",
    title="ROUGE-L",
    description="Counts words in common with the reference in the same order, with gaps: precision, recall and F. "
    "With several references the nearest counts. It measures wording, not meaning.",
    params=RougeParams,
    score=by_overlap("ROUGE-L", _compared),
    examples=(
        Example(
            name="five of six words",
            answer="The cat is on the mat.",
            case={"expected_output": "The cat sat on the mat."},
            params={"pass_mark": 0.8},
            verdict={"outcome": "scored", "raw": 5 / 6, "passed": True},
        ),
        Example(
            name="a script without spaces",
            answer="今天天气很好",
            case={"expected_output": "今天天气不错"},
            verdict={"raw": 2 / 3, "passed": None},
        ),
        Example(
            name="recall",
            answer="Paris it is",
            case={"expected_output": "Paris"},
            params={"measure": "recall"},
            verdict={"raw": 1.0},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
