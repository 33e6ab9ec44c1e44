"""Citations: check whether the answer cites documents, and whether each cited document exists."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from judge.domain.citations import Citation, citations, citations_from_fields
from judge.domain.extraction import Extraction
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.case import Case
from llmbench.contracts.judge_answer import JudgeAnswer

_SHOWN = 20
Document = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class CitationsParams(Params):
    documents: tuple[Document, ...] = Field(
        default=(),
        max_length=1000,
        description="The documents that exist, in addition to those of each case (its metadata's `documents` and "
        "those it has to cite). Without any, no citation can be invalid.",
    )
    require: Literal["any", "all"] = Field(
        default="any",
        description="`any`: the answer has to cite a known document. `all`: it has to cite every document that the "
        "case's ground truth cites.",
    )
    required: bool | None = Field(
        default=None,
        description="True: an answer without citation fails. Unset: it fails unless the case's metadata has "
        "`citation_required: false`.",
    )


def score(task: JudgeAnswer, params: CitationsParams) -> Scored:
    due = task.case.ground_truth.citations if task.case.ground_truth else ()
    known = tuple(dict.fromkeys((*params.documents, *_documents(task.case), *due)))
    # Prefer the citations in the service's own field, even an empty list: the text may merely mention file names.
    found = citations(task.answer, known) if task.citations is None else citations_from_fields(task.citations, known)
    invalid = [each.document for each in found if known and each.known is None]
    cited = {each.known or each.document for each in found}
    lacking = [document for document in due if document not in cited] if params.require == "all" else []
    details: dict[str, Any] = {
        "citations_found": [_shown(each) for each in found[:_SHOWN]],
        "found_in": "text" if task.citations is None else "fields",
        "invalid": [name[:300] for name in invalid[:_SHOWN]],
        "not_cited": lacking[:_SHOWN],
        "known_documents": len(known),
        "extraction": Extraction(
            answer=", ".join(dict.fromkeys(each.document for each in found[:_SHOWN])) or None,
            answer_rule="text" if task.citations is None else "fields",
            reference=", ".join((due or known)[:_SHOWN]) or None,
            reference_rule="ground truth" if due else "known documents" if known else None,
        ),
    }
    if invalid:
        reason = f"It cites {invalid[0]}, which is not a known document."
        return scored(0, passed=False, reason=reason, status="INVALID", **details)
    if not found or lacking:
        needed = params.required if params.required is not None else task.case.metadata.get("citation_required", True)
        reason = f"It does not cite {lacking[0]}." if lacking else "It cites nothing."
        passed = not needed
        return scored(float(passed), passed=passed, reason=reason, status="MISSING", **details)
    names = ", ".join(dict.fromkeys(each.document for each in found[:5]))
    return scored(1, passed=True, reason=f"It cites {names}.", status="PRESENT", **details)


def _shown(citation: Citation) -> dict[str, Any]:
    shown = {"document": citation.document[:300], "section": (citation.section or "")[:200]}
    return shown if citation.relevance is None else shown | {"relevance_score": citation.relevance}


def _documents(case: Case) -> tuple[str, ...]:
    named = case.metadata.get("documents")
    return tuple(str(name)[:300] for name in named[:1000] if name) if isinstance(named, list) else ()


EVALUATOR = by_program(
    kind="citations",
    title="Citations",
    description="The answer cites a source (PRESENT), none (MISSING), or one that does not exist (INVALID). "
    "Citations come from the service's own fields if it has such (HTTP_JSON), else from the text: links "
    "to documents, document names in brackets or after “Source:”, and [1] for known documents.",
    params=CitationsParams,
    score=score,
    schema_version="3",
    examples=(
        Example(
            name="present, with its section",
            answer="Two weeks ahead [HR_Policy_2026.md, Time Off].",
            params={"documents": ["HR_Policy_2026.md"]},
            verdict={
                "outcome": "scored",
                "raw": 1.0,
                "passed": True,
                "details": {
                    "status": "PRESENT",
                    "citations_found": [{"document": "HR_Policy_2026.md", "section": "Time Off"}],
                },
            },
        ),
        Example(
            name="a number of the known documents",
            answer="Two weeks ahead [2].",
            case={"metadata": {"documents": ["Travel.md", "HR Policy.md"]}},
            verdict={
                "details": {"status": "PRESENT", "citations_found": [{"document": "HR Policy.md", "section": ""}]}
            },
        ),
        Example(
            name="invalid",
            answer="See Handbook_2019.pdf for that.",
            params={"documents": ["HR_Policy_2026.md"]},
            verdict={"raw": 0.0, "passed": False, "details": {"status": "INVALID"}},
        ),
        Example(
            name="a list in code is no citation",
            answer="Like this:\n```python\nfor day in [1, 2]:\n    rest(day)\n```\nor `take([1])`, days = [1, 2].",
            params={"documents": ["HR_Policy_2026.md", "Travel.md"]},
            verdict={"raw": 0.0, "details": {"status": "MISSING"}},
        ),
        Example(
            name="a document that has something",
            answer="It follows from HR_Policy_2026.md's section 3.2 that two weeks are enough.",
            params={"documents": ["HR_Policy_2026.md"]},
            verdict={
                "raw": 1.0,
                "details": {
                    "status": "PRESENT",
                    "citations_found": [{"document": "HR_Policy_2026.md", "section": "section 3.2"}],
                },
            },
        ),
        Example(
            name="missing",
            answer="Two weeks ahead.",
            params={"documents": ["HR_Policy_2026.md"]},
            verdict={"raw": 0.0, "passed": False, "details": {"status": "MISSING"}},
        ),
        Example(
            name="in the service's own fields, whatever the text says",
            answer="Two weeks ahead, as the old Handbook_2019.pdf had it.",
            citations=({"document": "hr_policy_2026", "section": "Time Off", "relevance": 0.87},),
            params={"documents": ["HR_Policy_2026.md"]},
            verdict={
                "raw": 1.0,
                "details": {
                    "status": "PRESENT",
                    "found_in": "fields",
                    "citations_found": [{"document": "hr_policy_2026", "section": "Time Off", "relevance_score": 0.87}],
                },
            },
        ),
        Example(
            name="missing in the service's own fields",
            answer="Source: HR_Policy_2026.md",
            citations=(),
            verdict={"raw": 0.0, "passed": False, "details": {"status": "MISSING", "found_in": "fields"}},
        ),
        Example(
            name="missing where none is required",
            answer="Hello!",
            case={"metadata": {"citation_required": False}},
            verdict={"raw": 1.0, "passed": True, "details": {"status": "MISSING"}},
        ),
        Example(
            name="not every document that is due",
            answer="Source: a.md",
            case={"ground_truth": {"answer": "x", "citations": ["a.md", "b.md"]}},
            params={"require": "all"},
            verdict={"raw": 0.0, "reason": "It does not cite b.md."},
        ),
    ),
)
