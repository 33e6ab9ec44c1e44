"""The request bodies of `/api/playground`."""

from typing import Annotated, Final

from pydantic import ConfigDict, Field

from llmbench.contracts.case import Case
from llmbench.contracts.run_words import RunType
from llmbench.ids import new_id
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.runs.api.bodies import CostLimit, CreateRun, Params, TargetChoice, Timeout
from orchestrator.runs.api.endpoints import new_run
from orchestrator.runs.api.input import Input

MOST_TARGETS: Final = 4
_MAX_ATTEMPTS: Final = 2
_MAX_BACKOFF_S: Final = 20.0
_NAME_CHARACTERS: Final = 60
Text = Annotated[str, Field(max_length=200_000)]
Reference = Annotated[Text | None, Field(default=None, description="Read by the judge, if the answers are judged.")]


class AskPlayground(Input):
    """The request to ask one question of up to four targets, at once.

    `case_name` names the case of the question; the default is the word `question`. A comparison puts the answers next
    to those that other runs gave to the case of this name.
    """

    model_config = ConfigDict(**Input.model_config, validate_by_name=True, validate_by_alias=True)

    question: Text = Field(min_length=1)
    system_prompt: Text | None = None
    context: Text | None = Field(default=None, description="The context that the answer should rely on.")
    case_name: str = Field(default="question", min_length=1, max_length=255)
    category: str = Field(default="playground", min_length=1, max_length=255)
    expected_output: Reference = None
    excellent: Reference = None
    good: Reference = None
    pass_: Reference = Field(default=None, alias="pass")
    incorrect_answer_direction: Reference = None
    targets: list[TargetChoice] = Field(min_length=1, max_length=MOST_TARGETS)
    params: Params = Field(default_factory=Params, description="The default of every target.")
    timeout_s: Timeout = 300
    max_cost_usd: CostLimit | None = None

    def run(self) -> NewRun:
        """Return the run that asks the question. It has no evaluators, and its field `concurrent` is not yet set."""
        asked = CreateRun(
            name=f"Playground: {' '.join(self.question.split())[:_NAME_CHARACTERS]}",
            targets=self.targets,
            params=self.params,
            timeout_s=self.timeout_s,
            max_attempts=_MAX_ATTEMPTS,
            max_backoff_s=_MAX_BACKOFF_S,
            max_cost_usd=self.max_cost_usd,
            parallel_groups=MOST_TARGETS,
            # Do not ask providers for their models first. If a model does not exist, its answer fails just as quickly,
            # with the provider's own words.
            check_providers=False,
        )
        return new_run(asked, case=self._case(), type_=RunType.PLAYGROUND)

    def _case(self) -> Case:
        return Case(
            id=new_id(),
            task_id=self.case_name,
            category=self.category,
            question=self.question,
            system_prompt=self.system_prompt,
            context=self.context,
            expected_output=self.expected_output,
            excellent=self.excellent,
            good=self.good,
            pass_=self.pass_,
            incorrect_answer_direction=self.incorrect_answer_direction,
        )


class KeepRun(Input):
    """The request to keep a question of the playground as a run. Without `name`, the run keeps its name."""

    name: str | None = Field(default=None, min_length=1, max_length=255)
