"""Convert promptfoo's assertions (https://www.promptfoo.dev/docs/configuration/expected-outputs).

Assertions that a program can decide become checks of the case. Assertions that a model has to decide become evaluators
of the run. All other assertions are reported as not imported.
"""

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from config_api.files.yaml_text import resolved
from config_api.transfer.promptfoo_text import NotRenderable, render
from llmbench.contracts.check import CASE_CHECKS
from llmbench.files.json_text import NotJson, after_space, value_at

MARK: Final = "promptfoo"
"""The field of a task's metadata that lists the evaluators which the task's assertions need."""
RUBRIC: Final = "rubric"

_GRADED: Final = {
    "llm-rubric": "{}",
    "g-eval": "{}",
    "model-graded-closedqa": "{}",
    "factuality": "Agrees with: {}",
    "model-graded-factuality": "Agrees with: {}",
}
_CARRIED: Final = {"type", "value", "weight"}
_WITH_THRESHOLD: Final = {"similar", "levenshtein", "rouge-n", "bleu", "latency", "cost"}
_DEEPEST: Final = 3

Texts = Mapping[str, str]


class _NotCarried(ValueError):
    """Raised when an assertion cannot become a check; the message gives the reason."""


@dataclass
class Asserted:
    """The result of converting a test's assertions.

    `wanted` and `unwanted` describe good and bad answers; a judge gets these texts. `accepted` are reference answers.
    `marks` name the run's evaluators that the assertions need. `lost` lists what cannot be imported.
    """

    checks: list[dict[str, Any]] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def asserted(
    assertions: object, variables: Texts, templates: Mapping[str, Any], *, threshold: object, most: int
) -> Asserted:
    """Convert the assertions of a test.

    `variables` are the test's variables. `templates` are the file's `assertionTemplates`. `threshold` is the test's
    own: the share of its assertions that an answer has to fulfil. `most` is the maximum number of characters of a text
    after its variables are filled in.
    """
    result = Asserted()
    result.checks = _Reading(result, variables, templates, most).checks(assertions, _DEEPEST)
    share = _number(threshold)
    if share is not None and result.marks:
        result.lost.append("the threshold of a test with assertions that a model decides")
    elif share is not None and result.checks:
        result.checks = [_set_of(result.checks, share)]
    return result


def _set_of(checks: list[dict[str, Any]], share: float | None, weight: float = 1) -> dict[str, Any]:
    params: dict[str, Any] = {"checks": checks}
    if share is not None:
        params["pass_share"] = min(1.0, max(0.0, share))
    return _check(CASE_CHECKS, params, weight=weight)


def _check(kind: str, params: dict[str, Any], *, weight: float = 1, negate: bool = False) -> dict[str, Any]:
    check: dict[str, Any] = {"kind": kind, "params": params}
    if weight != 1:
        check["weight"] = weight
    return check | ({"negate": True} if negate else {})


@dataclass
class _Reading:
    result: Asserted
    variables: Texts
    templates: Mapping[str, Any]
    most: int

    def checks(self, assertions: object, deepest: int) -> list[dict[str, Any]]:
        checks: list[dict[str, Any]] = []
        for given in assertions if isinstance(assertions, list) else []:
            assertion = self._dereferenced(given)
            if assertion is None:
                self.result.lost.append(f"the assertion {_named(given)}")
            elif assertion.get("type") == "assert-set":
                checks += self._set(assertion, deepest)
            else:
                checks += self._one(assertion)
        return checks

    def _dereferenced(self, given: object) -> Mapping[str, Any] | None:
        """Return the assertion or, if it refers to a template, that template. Return `None` if there is no such
        template, or if the result has no type."""
        if isinstance(given, dict) and isinstance(ref := given.get("$ref"), str):
            template = self.templates.get(ref.rpartition("/")[2])
            given = template if isinstance(template, dict) else None
        return given if isinstance(given, dict) and isinstance(given.get("type"), str) else None

    def _set(self, assertion: Mapping[str, Any], deepest: int) -> list[dict[str, Any]]:
        if deepest == 0:
            self.result.lost.append(f"an assert-set nested more than {_DEEPEST} deep")
            return []
        self.result.lost += [
            f"{name} of an assert-set" for name in assertion if name not in {"type", "assert", "threshold", "weight"}
        ]
        checks = self.checks(assertion.get("assert"), deepest - 1)
        weight = self._weight(assertion)
        return [_set_of(checks, _number(assertion.get("threshold")), weight)] if checks else []

    def _one(self, assertion: Mapping[str, Any]) -> list[dict[str, Any]]:
        full_type = str(assertion["type"])
        type_ = full_type.removeprefix("not-")
        negate = type_ != full_type
        checks: list[dict[str, Any]] = []
        try:
            value = self._rendered(assertion.get("value"))
            if assertion.get("transform") is not None:
                raise _NotCarried("with a transform")
            if type_ in _GRADED or (type_ == "similar" and negate):
                self._graded(type_, value, negate=negate)
            elif type_ == "similar":
                self._similar(assertion, value)
            elif type_ in _CHECKS:
                kind, params = _CHECKS[type_](value, _number(assertion.get("threshold")))
                checks = [_check(kind, params, weight=self._weight(assertion), negate=negate)]
            else:
                raise _NotCarried("")
        except _NotCarried as why:
            self.result.lost.append(f"the assertion {full_type[:80]}{f' {why}' if str(why) else ''}")
            return []
        carried = _CARRIED | ({"threshold"} if type_ in _WITH_THRESHOLD else set())
        self.result.lost += [
            f"{str(name)[:80]} of the assertion {full_type[:80]}" for name in assertion if name not in carried
        ]
        if not checks and "weight" in assertion:
            self.result.lost.append(f"weight of the assertion {full_type[:80]}")
        return checks

    def _weight(self, assertion: Mapping[str, Any]) -> float:
        weight = _number(assertion.get("weight"))
        return 1 if weight is None or weight < 0 else weight

    def _graded(self, type_: str, value: Any, *, negate: bool) -> None:
        texts = value if isinstance(value, list) else [value]
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            raise _NotCarried("without a text as its value")
        words = _GRADED.get(type_, "Means the same as: {}")
        (self.result.unwanted if negate else self.result.wanted).append(words.replace("{}", "; ".join(texts)))
        self._mark(RUBRIC)

    def _similar(self, assertion: Mapping[str, Any], value: Any) -> None:
        texts = value if isinstance(value, list) else [value]
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            raise _NotCarried("without a text as its value")
        threshold = _number(assertion.get("threshold"))
        self.result.accepted += texts
        self._mark(f"similar {0.75 if threshold is None else threshold:g}")

    def _mark(self, mark: str) -> None:
        if mark not in self.result.marks:
            self.result.marks.append(mark)

    def _rendered(self, value: Any) -> Any:
        """Return the value with the test's variables filled in. Raises `_NotCarried` if a text cannot be rendered."""
        if isinstance(value, dict):
            return {str(name): self._rendered(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._rendered(each) for each in value]
        if not isinstance(value, str):
            return value
        if value.startswith("file://"):
            raise _NotCarried("whose value lies in another file")
        if "{" not in value or (value.lstrip()[:1] == "{" and "{{" not in value):
            return value
        try:
            return render(value, self.variables, most=self.most)
        except NotRenderable as error:
            raise _NotCarried(f"whose value {error}") from None


def evaluator_of(mark: str) -> dict[str, Any]:
    """Return the run's evaluator that a mark names. A mark is a text in the metadata of each case that needs this
    evaluator, and the evaluator applies only to these cases."""
    only = {"metadata": {MARK: [mark]}}
    if mark == RUBRIC:
        return {"kind": "rubric", "only": only}
    return {"kind": "semantic_similarity", "name": mark, "params": {"pass_mark": float(mark.split()[1])}, "only": only}


def _named(given: object) -> str:
    name = given.get("$ref") or given.get("type") if isinstance(given, dict) else given
    return str(name)[:80]


def _number(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None
    return number if number is not None and math.isfinite(number) else None


# Each function below converts one type of assertion: its value and threshold become an evaluator's kind and parameters.

_Checked = tuple[str, dict[str, Any]]


def _text(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise _NotCarried("without a text as its value")


def _texts(value: Any) -> list[str]:
    """Return an assertion's value as a list of texts. The value is a list of texts, or a text of one line, which is
    split at its commas. Raises `_NotCarried` for any other value, and for an empty list."""
    texts = next(csv.reader([value], skipinitialspace=True)) if isinstance(value, str) and "\n" not in value else value
    if not isinstance(texts, list) or not texts:
        raise _NotCarried("without texts as its value")
    return [_text(each).strip() for each in texts]


def _equals(value: Any, _: float | None) -> _Checked:
    if isinstance(value, dict | list):
        return "json_schema", {"json_schema": {"const": resolved(value)}, "strict": True}
    return "exact_match", {"references": [_text(value)]}


def _contains(mode: str | None, *, ignore_case: bool) -> Callable[[Any, float | None], _Checked]:
    def made(value: Any, _: float | None) -> _Checked:
        texts = [_text(value)] if mode is None else _texts(value)
        params: dict[str, Any] = {"texts": texts, "ignore_case": ignore_case}
        return "contains", params | ({"mode": mode} if mode == "all" else {})

    return made


def _json(*, strict: bool) -> Callable[[Any, float | None], _Checked]:
    def made(value: Any, _: float | None) -> _Checked:
        params: dict[str, Any] = {"strict": True} if strict else {}
        schema = _schema(value)
        return "json_schema", params | ({"json_schema": schema} if schema else {})

    return made


def _schema(value: Any) -> dict[str, Any]:
    if isinstance(value, str) and value.strip():
        try:
            value, _ = value_at(value, after_space(value, 0))
        except NotJson:
            raise _NotCarried("whose schema is no JSON") from None
        if isinstance(value, dict):
            return value
    elif isinstance(value, dict):
        schema: dict[str, Any] = resolved(value)
        return schema
    elif value is None:
        return {}
    raise _NotCarried("whose schema is not an object")


def _limit(kind: str, name: str, *, integer: bool) -> Callable[[Any, float | None], _Checked]:
    def made(_: Any, threshold: float | None) -> _Checked:
        if threshold is None:
            raise _NotCarried("without a threshold")
        return kind, {name: int(threshold) if integer else threshold}

    return made


def _levenshtein(value: Any, threshold: float | None) -> _Checked:
    return "levenshtein", {"references": [_text(value)], "max_edits": 5 if threshold is None else int(threshold)}


def _overlap(kind: str, usual: float) -> Callable[[Any, float | None], _Checked]:
    def made(value: Any, threshold: float | None) -> _Checked:
        texts = [_text(each) for each in value] if isinstance(value, list) and value else [_text(value)]
        return kind, {"references": texts, "pass_mark": usual if threshold is None else threshold}

    return made


_CHECKS: Final[Mapping[str, Callable[[Any, float | None], _Checked]]] = {
    "equals": _equals,
    "contains": _contains(None, ignore_case=False),
    "contains-any": _contains("any", ignore_case=False),
    "contains-all": _contains("all", ignore_case=False),
    "icontains": _contains(None, ignore_case=True),
    "icontains-any": _contains("any", ignore_case=True),
    "icontains-all": _contains("all", ignore_case=True),
    "starts-with": lambda value, _: ("starts_with", {"texts": [_text(value)]}),
    "regex": lambda value, _: ("regex", {"pattern": _text(value)}),
    "is-json": _json(strict=True),
    "is-valid-json": _json(strict=True),
    "json-schema": _json(strict=True),
    "contains-json": _json(strict=False),
    "latency": _limit("latency", "max_ms", integer=True),
    "cost": _limit("cost", "max_usd", integer=False),
    "levenshtein": _levenshtein,
    "rouge-n": _overlap("rouge_1", 0.75),
    "bleu": _overlap("bleu", 0.5),
}
