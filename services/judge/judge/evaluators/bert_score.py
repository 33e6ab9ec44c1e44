"""BERTScore: each token is matched with the most similar token of the other text; precision, recall and their F
measure.

The method is that of Zhang et al. (2020), on the token vectors of a local model (judge/domain/greedy_match.py has the
formula). Scores differ from those of the authors' library with its default models, so compare only scores from the same
embedding model.
"""

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from judge.domain.emptiness import reason_empty
from judge.domain.greedy_match import Match, greedy_match, inverse_document_frequencies
from judge.domain.references import references
from judge.embeddings.base import EmbeddedTokens, LocalModel
from judge.embeddings.registry import local_model, name_schema
from judge.evaluators.base import Example, ReferenceParams, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches

_IdfText = Annotated[str, StringConstraints(min_length=1, max_length=2000)]


def _installed(name: str) -> str:
    local_model(name)
    return name


class BertScoreParams(ReferenceParams):
    embedding: Annotated[str, AfterValidator(_installed)] = Field(
        default="all-minilm-l6-v2-int8",
        validate_default=True,
        json_schema_extra=name_schema(),
        description="The model whose token vectors are compared. It has to run locally, because providers do not "
        "return token vectors.",
    )
    measure: Literal["f", "precision", "recall"] = Field(default="f", description="The measure that is the score.")
    baseline: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="The score of unrelated texts with this embedding. Scores are rescaled so that it becomes 0.",
    )
    idf_texts: tuple[_IdfText, ...] = Field(
        default=(),
        max_length=100,
        description="Texts, usually the references, from which the weights of tokens are computed: rare tokens weigh "
        "more. Without them all tokens weigh the same.",
    )
    pass_mark: float | None = Field(
        default=None, ge=0, le=1, description="The lowest score that passes; without it, no answer passes or fails."
    )


def score(task: JudgeAnswer, params: BertScoreParams) -> Scored:
    nothing = reason_empty(task.answer, task.case)
    if nothing is not None:
        return scored(0, passed=None if params.pass_mark is None else params.pass_mark <= 0, reason=nothing)
    known = references(task.case, params.references)
    model = local_model(params.embedding)
    answer = model.embed_tokens(task.answer)
    compared = [(reference, _compared(answer, reference, params)) for reference in map(model.embed_tokens, known)]
    best, match = max(compared, key=lambda each: getattr(each[1], params.measure))
    shown = match if params.baseline is None else match.rescaled(params.baseline)
    value: float = getattr(shown, params.measure)
    cuts = {"answer": _cut(answer), "reference": _cut(best)}
    sentence = "".join(f" Of the {which} only {words}." for which, words in cuts.items() if words)
    below = " Below 0 counts as 0." if value < 0 else ""
    passing = None if params.pass_mark is None else reaches(value, params.pass_mark)
    return scored(
        value,
        passed=passing,
        reason=f"BERTScore {value:.3f} (precision {shown.precision:.3f}, recall {shown.recall:.3f}), "
        f"by {model.name}.{below}{sentence}",
        precision=shown.precision,
        recall=shown.recall,
        f=shown.f,
        model=model.name,
        rescaled=params.baseline is not None,
        idf=bool(params.idf_texts),
        references=len(known),
        cut={which: words for which, words in cuts.items() if words},
    )


def _compared(answer: EmbeddedTokens, reference: EmbeddedTokens, params: BertScoreParams) -> Match:
    return greedy_match(
        answer.vectors,
        reference.vectors,
        answer_weights=_weights(answer, params),
        reference_weights=_weights(reference, params),
    )


def _weights(text: EmbeddedTokens, params: BertScoreParams) -> list[float] | None:
    if not params.idf_texts:
        return None
    known, unknown = _idf(local_model(params.embedding), params.idf_texts)
    return [known.get(token, unknown) for token in text.ids]


@lru_cache(maxsize=16)
def _idf(model: LocalModel, texts: tuple[str, ...]) -> tuple[dict[int, float], float]:
    known, unknown = inverse_document_frequencies(map(model.tokenize, texts))
    return dict(known), unknown


def _cut(text: EmbeddedTokens) -> str | None:
    if len(text.ids) == text.tokens_in_all:
        return None
    return f"the first {len(text.ids):,} of {text.tokens_in_all:,} tokens count"


EVALUATOR = by_program(
    kind="bert_score",
    title="BERTScore",
    description="Compares the tokens of the answer and of the nearest reference by their vectors in context: "
    "precision, recall and F. It measures wording and the meaning of words, not whether an answer is "
    "right.",
    params=BertScoreParams,
    score=score,
    examples=(
        Example(
            name="the reference itself",
            answer="The cat sat on the mat.",
            case={"expected_output": "The cat sat on the mat."},
            params={"pass_mark": 0.99},
            verdict={
                "outcome": "scored",
                "passed": True,
                "details": {"model": "all-minilm-l6-v2-int8", "references": 1, "idf": False, "rescaled": False},
            },
        ),
        Example(
            name="rescaled, something else is below the mark",
            answer="The stock market fell sharply today.",
            case={"expected_output": "A man is playing a guitar."},
            params={"baseline": 0.2, "pass_mark": 0.5},
            verdict={"outcome": "scored", "passed": False, "details": {"rescaled": True}},
        ),
        Example(
            name="weighted by how rare a token is",
            answer="The cat sat on the mat.",
            params={
                "references": ["The dog sat on the mat.", "The cat sat on the mat."],
                "idf_texts": ["The dog sat on the mat.", "The cat sat on the mat."],
                "measure": "recall",
                "pass_mark": 0.99,
            },
            verdict={"outcome": "scored", "passed": True, "details": {"idf": True, "references": 2}},
        ),
        Example(
            name="no token weighs anything",
            answer="the cat",
            params={"references": ["the cat"], "idf_texts": ["the cat"]},
            verdict={"outcome": "errored"},
        ),
        Example(
            name="an empty answer",
            answer=" ",
            case={"expected_output": "42"},
            params={"pass_mark": 0.5},
            verdict={"outcome": "scored", "raw": 0.0, "passed": False, "reason": "The answer is empty."},
        ),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
