"""Test that ids are safe on NATS for any model name, and that ids of calls are deterministic."""

import re
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from llmbench.ids import call_id, group_token, new_id
from llmbench.messaging.streams import lane_durable

MODEL = st.text(st.characters(exclude_categories=["Cs"]))
SAFE = re.compile(r"[a-z0-9-]+")


@given(provider_id=st.uuids(), model=MODEL)
def test_group_token_is_safe_in_subjects_and_durable_names(provider_id: UUID, model: str) -> None:
    token = group_token(provider_id, model)
    assert SAFE.fullmatch(token)
    assert len(token) <= 90
    assert len(lane_durable(token)) <= 255
    assert token == group_token(provider_id, model)
    assert token.startswith(provider_id.hex)


@given(provider_id=st.uuids(), models=st.lists(MODEL, min_size=2, max_size=2, unique=True))
def test_two_models_never_share_a_token(provider_id: UUID, models: list[str]) -> None:
    assert group_token(provider_id, models[0]) != group_token(provider_id, models[1])


def test_group_token_contains_the_readable_model_name() -> None:
    provider = UUID("0193a000-0000-7000-8000-0000000000aa")
    assert "-qwen2-5-coder-7b-instruct-" in group_token(provider, "qwen2.5-coder:7b-Instruct")
    assert "-model-" in group_token(provider, "模型")


@given(owner=st.uuids(), dispatch=st.integers(0, 10_000), part=st.text(max_size=20))
def test_call_id_is_determined_by_owner_dispatch_and_part(owner: UUID, dispatch: int, part: str) -> None:
    id_ = call_id(owner, dispatch=dispatch, part=part)
    assert id_ == call_id(owner, dispatch=dispatch, part=part)
    assert id_ != call_id(owner, dispatch=dispatch + 1, part=part)
    assert id_ != call_id(owner, dispatch=dispatch, part=part + "x")
    assert id_ != call_id(uuid4(), dispatch=dispatch, part=part)


def test_formula_of_call_ids_has_not_changed() -> None:
    """The ids of calls must stay the same, because existing databases hold paid calls under these ids. With another
    formula, all of them would be paid again."""
    assert str(call_id(UUID(int=1), dispatch=1)) == "b55d0f28-decd-5a8c-bda3-2474a565f0de"
    assert str(call_id(UUID(int=1), dispatch=2, part="warm-up")) == "e54efdb6-6cfb-5363-94ac-de9ce8e03389"


def test_new_ids_are_version_7_and_sorted() -> None:
    ids = [new_id() for _ in range(1000)]
    assert {id_.version for id_ in ids} == {7}
    assert ids == sorted(ids)
    assert len(set(ids)) == 1000
