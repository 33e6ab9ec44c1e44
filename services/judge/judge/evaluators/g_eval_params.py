"""What G-Eval can be told: its criterion, how a score comes about, and what the judge writes first."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from judge.domain.criteria import BUILT_IN, SCALE_MAX, SCALE_MIN, Criterion, Source
from judge.evaluators.repeating import RepeatParams

_LEVEL = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class GEvalParams(RepeatParams):
    criterion: Literal["faithfulness", "groundedness", "relevance", "coherence", "fluency", "safety", "custom"] = Field(
        default="relevance", description="A criterion that comes with llmbench, or one of your own."
    )
    name: str | None = Field(default=None, min_length=1, max_length=80, description="Of a criterion of your own.")
    description: str | None = Field(
        default=None, min_length=1, max_length=2000, description="What a criterion of your own means."
    )
    anchors: tuple[_LEVEL, _LEVEL, _LEVEL, _LEVEL, _LEVEL] | None = Field(
        default=None, description="What the levels 1 to 5 of a criterion of your own mean, from 1 up."
    )
    steps: tuple[_LEVEL, ...] = Field(
        default=(), max_length=10, description="How to come to a score by a criterion of your own."
    )
    generate_steps: bool = Field(
        default=False, description="The judge model writes the steps, once for all cases, instead of you."
    )
    shows: tuple[Source, ...] = Field(
        default=(), max_length=2, description="What a criterion of your own looks at beside question and answer."
    )
    mode: Literal["auto", "samples", "single"] = Field(
        default="auto",
        description="`auto`: weighted by log-probabilities, else sampled. `samples`: sampled. `single`: one verdict.",
    )
    samples: int = Field(default=5, ge=2, le=20, description="Verdicts of which a sampled score is the mean.")
    pass_mark: float = Field(default=3, ge=SCALE_MIN, le=SCALE_MAX, description="From which score an answer passes.")
    order: Literal["reason_first", "score_first"] = Field(
        default="reason_first",
        exclude_if=lambda order: order == "reason_first",
        description="What the judge writes first. Probabilities that are read after a reason are nearly certain of one "
        "score; `score_first` keeps their spread. Scores of the two are never mixed.",
    )

    @model_validator(mode="after")
    def _one_criterion(self) -> "GEvalParams":
        own = {"name": self.name, "description": self.description, "anchors": self.anchors}
        if self.criterion == "custom":
            if lacking := [field for field, value in own.items() if value is None]:
                raise ValueError(f"{lacking[0]}: a criterion of your own needs it")
            if self.steps and self.generate_steps:
                raise ValueError("generate_steps: the steps are given already")
        elif given := [
            field
            for field, value in {
                **own,
                "steps": self.steps,
                "shows": self.shows,
                "generate_steps": self.generate_steps,
            }.items()
            if value
        ]:
            raise ValueError(f"{given[0]}: only for a criterion of your own (criterion: custom)")
        return self

    @property
    def score_first(self) -> bool:
        return self.order == "score_first"

    def chosen(self) -> Criterion:
        if self.criterion != "custom":
            return BUILT_IN[self.criterion]
        assert self.name is not None
        assert self.description is not None
        assert self.anchors is not None
        return Criterion(
            name=self.name, description=self.description, steps=self.steps, anchors=self.anchors, shows=self.shows
        )
