"""Define the parameters of G-Eval, and check that they are consistent."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from judge.domain.criteria import BUILT_IN, SCALE_MAX, SCALE_MIN, Criterion, Source
from judge.evaluators.repeating import RepeatParams

_LEVEL = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class GEvalParams(RepeatParams):
    criterion: Literal["faithfulness", "groundedness", "relevance", "coherence", "fluency", "safety", "custom"] = Field(
        default="relevance", description="A built-in criterion, or `custom` for your own."
    )
    name: str | None = Field(default=None, min_length=1, max_length=80, description="The name of your own criterion.")
    description: str | None = Field(
        default=None, min_length=1, max_length=2000, description="The definition of your own criterion."
    )
    anchors: tuple[_LEVEL, _LEVEL, _LEVEL, _LEVEL, _LEVEL] | None = Field(
        default=None, description="The meaning of the levels 1 to 5 of your own criterion, from 1 up."
    )
    steps: tuple[_LEVEL, ...] = Field(
        default=(), max_length=10, description="The steps by which the judge scores your own criterion."
    )
    generate_steps: bool = Field(
        default=False, description="The judge model writes the steps itself, once for all cases."
    )
    shows: tuple[Source, ...] = Field(
        default=(),
        max_length=2,
        description="The fields of a case, besides question and answer, that your own criterion needs.",
    )
    mode: Literal["auto", "samples", "single"] = Field(
        default="auto",
        description="`auto`: weighted by log-probabilities if available, else sampled. `samples`: always sampled. "
        "`single`: one verdict.",
    )
    samples: int = Field(default=5, ge=2, le=20, description="The number of verdicts whose mean is a sampled score.")
    pass_mark: float = Field(default=3, ge=SCALE_MIN, le=SCALE_MAX, description="The lowest score that passes.")
    order: Literal["reason_first", "score_first"] = Field(
        default="reason_first",
        exclude_if=lambda order: order == "reason_first",
        description="The order of the judge's output. After a reason, the model's probabilities favour a single "
        "score; `score_first` keeps their spread. Scores of the two orders are never mixed.",
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
