"""Test that the filters which limit an evaluator to some cases select the same cases in Python and in PostgreSQL."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from llmbench.db.engine import open_engine
from orchestrator.kernel.domain.limits import Limits, contains

ATOMS = st.sampled_from([None, True, False, 0, 1, 1.5, "a", "b", ""])
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=3)
PAIRS = [
    ({"checks": [{"kind": "contains"}]}, {"checks": [{}]}, True),
    ({"checks": []}, {"checks": [{}]}, False),
    ({}, {"checks": [{}]}, False),
    ({"metadata": {"tags": ["a", "b"]}}, {"metadata": {"tags": ["b"]}}, True),
    ({"metadata": {"tags": "b"}}, {"metadata": {"tags": ["b"]}}, False),
    ({"n": 1}, {"n": 1.0}, True),
    ({"n": 1}, {"n": True}, False),
    ({"n": [[1, 2], 3]}, {"n": [[2]]}, True),
]


@pytest.mark.parametrize(("whole", "part", "fits"), PAIRS)
def test_limits_apply_to_a_case_that_contains_them(
    whole: dict[str, object], part: dict[str, object], fits: bool
) -> None:
    assert contains(whole, part) is fits
    assert Limits(only=part).apply_to(whole) is fits
    assert Limits(unless=part).apply_to(whole) is not fits


@given(OBJECTS)
def test_value_contains_itself_and_the_empty_object(value: dict[str, object]) -> None:
    assert contains(value, value)
    assert contains(value, {})


async def test_postgres_containment_equals_the_python_filter(postgres_url: str) -> None:
    drawn = [(whole, part) for whole, part, _ in PAIRS]

    @given(OBJECTS, OBJECTS)
    def draw(whole: dict[str, object], part: dict[str, object]) -> None:
        drawn.append((whole, part))
        drawn.append((whole, {name: value for name, value in whole.items() if name in part}))

    draw()
    query = text("SELECT CAST(:whole AS jsonb) @> CAST(:part AS jsonb)")
    async with open_engine(postgres_url, application_name="test") as engine, engine.connect() as connection:
        for whole, part in drawn:
            values = {"whole": json.dumps(whole), "part": json.dumps(part)}
            assert (await connection.execute(query, values)).scalar_one() is contains(whole, part), (whole, part)
