from dataclasses import replace
from uuid import UUID

from llmbench.contracts.run_words import ItemStatus
from orchestrator.results.api.export_names import export_name
from orchestrator.results.exports.base import formats
from orchestrator.results.exports.samples import LINES, RUN, Given
from orchestrator.results.ports.queries import ItemFilter

NAMED = RUN.model_copy(update={"name": "Nightly / sums"})


def name_of(**chosen: object) -> str:
    return export_name(NAMED, replace(ItemFilter(), **chosen))  # type: ignore[arg-type]  # the fields vary


def test_file_without_a_filter_has_the_name_of_the_run() -> None:
    assert name_of() == "Nightly-sums"
    assert export_name(RUN.model_copy(update={"name": "和"}), ItemFilter()) == "run"


def test_file_name_says_the_filter() -> None:
    [target] = RUN.targets
    assert name_of(statuses=[ItemStatus.FAILED]) == "Nightly-sums_failed"
    assert name_of(target_ids=[target.id], passed=False) == "Nightly-sums_small-t-0_not-passed"
    assert name_of(categories=["a b", "c"], score_min=2.5) == "Nightly-sums_a-b-c_score-from-2.5"
    assert name_of(text="../etc/passwd\r\n") == "Nightly-sums_text-etc-passwd"
    assert name_of(categories=["和"]) == "Nightly-sums_category"


def test_file_name_stays_short() -> None:
    assert len(name_of(text="long " * 100, categories=["word"] * 100)) <= 12 + 81


async def test_json_and_html_name_the_filter_in_their_head() -> None:
    source = Given(LINES, items=ItemFilter(categories=["<b>"], target_ids=[UUID(int=3)]))
    document = b"".join([chunk async for chunk in formats()["json"].write(RUN, source)]).decode()
    assert '"filter":{"target_id":["00000000-0000-0000-0000-000000000003"],"category":["<b>"]},"items":[' in document
    selected = replace(source, of_run=replace(source.of_run, is_whole=False))
    page = b"".join([chunk async for chunk in formats()["report-html"].write(RUN, selected)]).decode()
    assert "These answers are a selection (target: small, t=0; category: &lt;b&gt;)." in page
