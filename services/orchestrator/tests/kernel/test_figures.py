"""Test that the figures of a call (`CallFigures`: times, tokens, cost) are the same everywhere: in its answer, in the
item's row, and in the exports.
"""

from run_records import an_item

from llmbench.contracts.outcome import FIGURES, Answered, CallFigures, Cost, Timings, Usage
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ITEM_STATE, values_of
from orchestrator.results.exports import csv, parquet, record

KNOWN = CallFigures(
    time_ms=40,
    first_token_ms=10,
    first_content_ms=20,
    prompt_tokens=5,
    completion_tokens=9,
    reasoning_tokens=3,
    usage_source="estimated",
    tokens_per_second=7.5,
    finish_reason="stop",
    cost_usd=0.25,
    cached=True,
)


def test_figures_of_an_answer_come_from_its_usage_times_and_cost() -> None:
    answered = Answered(
        preview="42",
        finish_reason="stop",
        usage=Usage(prompt_tokens=5, completion_tokens=9, reasoning_tokens=3, source="estimated"),
        timings=Timings(total_ms=40, first_token_ms=10, first_content_ms=20, tokens_per_second=7.5),
        cost=Cost(usd=0.25, source="own_price"),
        cached=True,
    )
    assert answered.figures == KNOWN
    assert answered.model_copy(update={"cost": None}).figures.cost_usd is None


def test_item_row_and_saved_values_have_every_figure() -> None:
    item = an_item(figures=KNOWN)
    assert item.row().model_dump(include=set(FIGURES)) == KNOWN.model_dump()
    saved = values_of(item, ITEM_STATE)
    assert tuple(saved) == ITEM_STATE
    assert {name: saved[name] for name in FIGURES} == KNOWN.model_dump()


def test_every_figure_is_a_column_of_items_and_exports() -> None:
    for columns in (t.item.c.keys(), csv.COLUMNS.values(), parquet.COLUMNS, record.COLUMNS):
        assert set(FIGURES) <= set(columns)
