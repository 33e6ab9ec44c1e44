"""ROUGE-2: the pairs of adjacent words that answer and reference share, as precision, recall and their F measure."""

from judge.domain.rouge import Rouge, rouge_n
from judge.evaluators.base import Example, by_program
from judge.evaluators.rouge import RougeParams, bounded_words, by_overlap


def _compared(answer: str, reference: str) -> Rouge:
    return rouge_n(bounded_words(answer), bounded_words(reference), 2)


EVALUATOR = by_program(
    kind="rouge_2",
    title="ROUGE-2",
    description="Counts pairs of neighbouring words in common with the reference: precision, recall and F. With "
    "several references the nearest counts. Texts of one word have no pair and score 0. It measures "
    "wording, not meaning.",
    params=RougeParams,
    score=by_overlap("ROUGE-2", _compared),
    examples=(
        Example(
            name="three of five pairs",
            answer="The cat is on the mat.",
            case={"expected_output": "The cat sat on the mat."},
            params={"pass_mark": 0.8},
            verdict={"outcome": "scored", "raw": 3 / 5, "passed": False},
        ),
        Example(
            name="a script without spaces",
            answer="今天天气很好",
            case={"expected_output": "今天天气不错"},
            verdict={"raw": 3 / 5, "passed": None},
        ),
        Example(
            name="one word has no pair",
            answer="Paris",
            case={"expected_output": "Paris"},
            verdict={"raw": 0.0},
        ),
        Example(name="empty", answer="", case={"expected_output": "Paris"}, verdict={"raw": 0.0}),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
