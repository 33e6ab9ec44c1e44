"""Semantic similarity: the cosine between the vector of the answer and that of the nearest reference.

The embedding model is local or a provider's. A provider's model is configured as the evaluator's judge, and is called
through the inference gateway like a judge model.
"""

from typing import Annotated

from pydantic import AfterValidator, Field

from judge.domain.cannot_score import CannotScore
from judge.domain.cosine import cosine
from judge.domain.emptiness import reason_empty
from judge.domain.references import references
from judge.embeddings.base import Embedded, Embedding
from judge.embeddings.by_provider import ByProvider
from judge.embeddings.registry import local_embedding, local_model, name_schema
from judge.evaluators.base import ANSWER_LIMIT_CHARS, Ask, Evaluator, Example, ReferenceParams, Reply
from llmbench.contracts.answer_scored import Scored, Verdict
from llmbench.contracts.embedding import EmbeddingRequest, Embeddings
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import reaches

PROVIDER = "provider"
_LEAST, _MOST = -1, 1


def _installed(name: str) -> str:
    if name != PROVIDER:
        try:
            local_model(name)
        except ValueError as error:
            raise ValueError(f"{error}; or choose {PROVIDER!r}") from None
    return name


class SimilarityParams(ReferenceParams):
    embedding: Annotated[str, AfterValidator(_installed)] = Field(
        default="all-minilm-l6-v2-int8",
        validate_default=True,
        json_schema_extra=name_schema(PROVIDER),
        description="The embedding model: a local one, or `provider` for the model of the evaluator's judge.",
    )
    pass_mark: float | None = Field(
        default=None,
        ge=_LEAST,
        le=_MOST,
        description="The lowest cosine that passes; without it, no answer passes or fails.",
    )


async def score(task: JudgeAnswer, params: SimilarityParams, ask: Ask) -> Verdict:
    nothing = reason_empty(task.answer, task.case)
    if nothing is not None:
        return _scored(_LEAST, params, nothing, decided_by="program")
    if len(task.answer) > ANSWER_LIMIT_CHARS:
        raise CannotScore(
            f"The answer has {len(task.answer):,} characters; semantic_similarity scores answers of at most "
            f"{ANSWER_LIMIT_CHARS:,}."
        )
    known = references(task.case, params.references)
    embed, model = _embedding(task, params, ask)
    # Embed the references separately, because their vectors are reused for every answer to the case.
    embedded = await embed("references", known)
    [answer] = await embed("answer", [task.answer])
    similarities = [cosine(answer.vector, reference.vector) for reference in embedded]
    best = max(range(len(similarities)), key=similarities.__getitem__)
    nearest = "reference" if len(known) == 1 else f"nearest of {len(known)} references"
    cuts = {"answer": _cut(answer), "reference": _cut(embedded[best])}
    sentence = "".join(f" Of the {which} only {words}." for which, words in cuts.items() if words)
    return _scored(
        similarities[best],
        params,
        f"Cosine {similarities[best]:.3f} to the {nearest}, by {model}.{sentence}",
        decided_by="embedding",
        model=model,
        dimensions=len(answer.vector),
        reference=best,
        references=len(known),
        cut={which: words for which, words in cuts.items() if words},
    )


def _embedding(task: JudgeAnswer, params: SimilarityParams, ask: Ask) -> tuple[Embedding, str]:
    if params.embedding != PROVIDER:
        return local_embedding(params.embedding), params.embedding

    async def fetch(part: str, request: EmbeddingRequest) -> str:
        return (await ask(part, request)).text

    lane = task.lane
    return ByProvider(fetch, model=lane.model, options=lane.params.options), lane.model


def _cut(embedded: Embedded) -> str | None:
    if embedded.tokens is None or embedded.tokens == embedded.tokens_in_all:
        return None
    return f"the first {embedded.tokens:,} of {embedded.tokens_in_all:,} tokens count"


def _scored(value: float, params: SimilarityParams, reason: str, **details: object) -> Scored:
    return Scored(
        raw=value,
        scale_min=_LEAST,
        scale_max=_MOST,
        normalised=(value - _LEAST) / (_MOST - _LEAST),
        passed=None if params.pass_mark is None else reaches(value, params.pass_mark),
        reason=reason,
        details=details,
    )


def _vectors(*vectors: tuple[float, ...]) -> Reply:
    return Reply(Embeddings.of(vectors).model_dump_json())


EVALUATOR = Evaluator(
    kind="semantic_similarity",
    title="Semantic similarity",
    description="Measures how close the answer's meaning is to the nearest reference's: the cosine of their vectors, "
    "by a local embedding model or a provider's. It does not recognise negation, or whether an answer is "
    "right.",
    params=SimilarityParams,
    score=score,
    needs_judge=False,
    embeds_by_judge=lambda params: params.embedding == PROVIDER,
    scale_min=_LEAST,
    scale_max=_MOST,
    schema_name="semantic_similarity",
    examples=(
        Example(
            name="the same in other words, by the model that runs here",
            answer="France's capital city is Paris.",
            case={"expected_output": "Paris is the capital of France."},
            params={"pass_mark": 0.8},
            verdict={
                "outcome": "scored",
                "passed": True,
                "details": {"model": "all-minilm-l6-v2-int8", "dimensions": 384, "references": 1, "cut": {}},
            },
        ),
        Example(
            name="something else",
            answer="The stock market fell sharply today.",
            case={"expected_output": "A man is playing a guitar."},
            params={"pass_mark": 0.8},
            verdict={"outcome": "scored", "passed": False},
        ),
        Example(
            name="by a provider's model: references and answer are two calls",
            answer="42",
            case={"expected_output": "43", "excellent": "forty-two"},
            params={"embedding": PROVIDER},
            replies=(_vectors((0.0, 1.0), (3.0, 4.0)), _vectors((4.0, 3.0))),
            verdict={
                "outcome": "scored",
                "raw": 0.96,
                "normalised": 0.98,
                "passed": None,
                "details": {"reference": 1, "references": 2, "dimensions": 2},
            },
            parts=("references.1", "answer.1"),
        ),
        Example(
            name="a vector without a direction is like none",
            answer="42",
            params={"embedding": PROVIDER, "references": ["43"]},
            replies=(_vectors((1.0, 0.0)), _vectors((0.0, 0.0))),
            verdict={"raw": 0.0, "normalised": 0.5},
            parts=("references.1", "answer.1"),
        ),
        Example(
            name="vectors of two models are no score",
            answer="42",
            params={"embedding": PROVIDER, "references": ["43"]},
            replies=(_vectors((1.0, 0.0)), _vectors((1.0, 0.0, 0.0))),
            verdict={"outcome": "errored"},
            parts=("references.1", "answer.1"),
        ),
        Example(
            name="what was remembered holds no vectors",
            answer="42",
            params={"embedding": PROVIDER, "references": ["43"]},
            replies=(Reply("42"),),
            verdict={"outcome": "errored"},
            parts=("references.1",),
        ),
        Example(
            name="an empty answer is like nothing, and costs no call",
            answer=" \n",
            params={"embedding": PROVIDER, "references": ["43"]},
            verdict={"outcome": "scored", "raw": -1.0, "normalised": 0.0, "reason": "The answer is empty."},
        ),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
