"""ROUGE-1: the words that answer and reference share, as precision, recall and their F measure."""

from judge.domain.rouge import Rouge, rouge_n
from judge.evaluators.base import Example, by_program
from judge.evaluators.rouge import RougeParams, bounded_words, by_overlap


def _compared(answer: str, reference: str) -> Rouge:
    return rouge_n(bounded_words(answer), bounded_words(reference), 1)


EVALUATOR = by_program(
    kind="rouge_1",
    title="ROUGE-1",
    description="Counts words in common with the reference, in any order, each as often as in both: precision, "
    "recall and F. With several references the nearest counts. It measures wording, not meaning.",
    params=RougeParams,
    score=by_overlap("ROUGE-1", _compared),
    examples=(
        Example(
            name="five of six words",
            answer="The cat is on the mat.",
            case={"expected_output": "The cat sat on the mat."},
            params={"pass_mark": 0.8},
            verdict={"outcome": "scored", "raw": 5 / 6, "passed": True},
        ),
        Example(
            name="the order of words does not count, nor case",
            answer="Police killed the gunman",
            case={"expected_output": "the gunman killed police"},
            verdict={"raw": 1.0, "passed": None},
        ),
        Example(
            name="a word counts as often as in both",
            answer="the the the the",
            case={"expected_output": "the cat the mat"},
            params={"measure": "precision"},
            verdict={"raw": 0.5},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
