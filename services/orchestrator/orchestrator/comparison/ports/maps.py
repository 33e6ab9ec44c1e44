"""The schemas of the two charts of a comparison. One chart has the mean score of each target in each category. The
other counts how often each pair of scores occurs, one score by the baseline and one by another target."""

from typing import Final

from pydantic import BaseModel, Field

BINS: Final = 20
"""Scores are counted in steps of a twentieth of the scale."""
MOST_CATEGORIES: Final = 200


class ScoreBin(BaseModel):
    """The bin of a case by its two scores: the number of the bin of the baseline's score, and that of the other
    column's score (`here`). A bin is one twentieth of the scale, so a score of 0.5 is in bin 10."""

    baseline: int = Field(ge=0, le=BINS)
    here: int = Field(ge=0, le=BINS)


class ScorePair(BaseModel):
    """The cases of one bin. `baseline` and `here` are the mean scores (0…1) of these cases in the baseline and in the
    other column."""

    bin: ScoreBin
    baseline: float
    here: float
    cases: int


class ScorePairs(BaseModel):
    """The scores of cases in the baseline and in another column, counted by bins. `cases` counts the cases that are
    scored in both columns."""

    cases: int
    pairs: list[ScorePair]


class ComparedCategory(BaseModel):
    """The mean score (0…1) of each column (a target of a run) over the `shared` cases of one category, which are scored
    in every compared column.

    `cases` counts all cases of the category. `spread` is the highest mean minus the lowest. A score is null if the
    column is not comparable with the baseline, or if no case is shared.
    """

    category: str
    cases: int
    shared: int
    spread: float | None
    scores: list[float | None]


class CategoryMap(BaseModel):
    """The mean scores of each column (a target of a run) by category. The category in which the columns differ most
    comes first. `total` counts all categories; `categories` has at most 200 of them.

    `compared` says for each column whether it was scored by the same evaluators, with the same weights, as the
    baseline. Any other column has no scores here."""

    compared: list[bool]
    total: int
    categories: list[ComparedCategory]
