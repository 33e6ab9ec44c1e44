"""Test into which clusters answers are put for the intervals: by document, by conversation, by case, or by the values
of a metadata key.
"""

from typing import Any
from uuid import UUID

import pytest
from recounted_figures import assert_same, compare
from run_versions import a_case, insert_version
from run_world import World, scored
from sqlalchemy import text

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.judge_answer import JudgeAnswer
from orchestrator.results.adapters.cluster_sums import of_verdicts


async def by_document(command: JudgeAnswer) -> Verdict:
    """Score an answer by the length of its document's name, so that all answers about one document have the same
    score."""
    return scored(len(str(command.case.metadata.get("document", command.case.task_id))) % 11)


async def finished(world: World, cases: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    world.judge = by_document
    version = str(await insert_version(world, cases))
    run_id = await world.start(collection_ids=[], dataset_version_ids=[version], **more)
    return await world.until_status(run_id, "FINISHED")


def documents(*names: str, cases: int = 3) -> list[dict[str, Any]]:
    """Return `cases` cases about each of the named documents. The documents alternate."""
    return [a_case(f"{name}-{at}", document=name, topic=f"topic {at % 2}") for at in range(cases) for name in names]


async def test_results_about_one_document_are_one_cluster(world: World) -> None:
    run = await finished(world, documents("a", "bb", "ccc", cases=10))
    assert (run["cluster_by"], run["cluster_level"]) == (None, "document")
    assert (run["totals"]["scored"], run["totals"]["clusters"]) == (30, 3)
    assert {figures["clusters"] for figures in (*run["results"], *run["evaluators"])} == {3}
    # Three documents with means of .1, .2 and .3 are weaker evidence than thirty independent cases. The interval is 0.2
    # ± 4.30 * 0.0577.
    interval = run["totals"]["mean_score_interval"]
    assert interval == {"low": 0, "high": pytest.approx(0.2 + 4.3027 * 0.1 / 3**0.5, abs=1e-4)}
    rate = run["totals"]["pass_rate_interval"]
    assert rate["high"] > 0.5, "no case passed, and three documents cannot tell much"


async def test_cases_of_a_single_document_are_clustered_by_conversation(world: World) -> None:
    """Cases are clustered by conversation if all of them are about one document. A single cluster would not show how
    much the scores vary."""
    talks = [
        a_case(f"talk-{talk}-{turn}", conversation_id=f"talk {talk}", turn=turn, document="only")
        for talk in range(2)
        for turn in (1, 2)
    ]
    run = await finished(world, [*talks, a_case("alone", document="only")])
    assert (run["cluster_level"], run["totals"]["clusters"]) == ("conversation", 3)


async def test_conversation_that_names_two_documents_belongs_to_neither(world: World) -> None:
    talk = [a_case(f"talk-{turn}", conversation_id="talk", turn=turn, document=f"{turn}") for turn in (1, 2)]
    run = await finished(world, [*talk, *documents("1", "2")])
    assert (run["cluster_level"], run["totals"]["clusters"]) == ("document", 3)


async def test_document_id_takes_precedence_over_its_name(world: World) -> None:
    cases = [a_case(f"case-{at}", document="same name", document_id=at % 2) for at in range(4)]
    run = await finished(world, cases)
    assert (run["cluster_level"], run["totals"]["clusters"]) == ("document", 2)


async def test_invalid_document_names_form_no_clusters(world: World) -> None:
    odd: list[Any] = ["", ["a"], {"a": 1}, True, "x" * 256]
    run = await finished(world, [a_case(f"case-{at}", document=value) for at, value in enumerate(odd)])
    assert (run["cluster_level"], run["totals"]["clusters"]) == ("case", 5)


async def test_cluster_key_of_a_run_is_chosen_and_can_be_changed(world: World) -> None:
    run = await finished(world, documents("a", "bb", "ccc"), cluster_by="topic")
    assert (run["cluster_by"], run["cluster_level"], run["totals"]["clusters"]) == ("topic", "metadata", 2)
    run_id = UUID(run["id"])
    for key, level, clusters in ((None, "document", 3), ("topic", "metadata", 2), ("document", "metadata", 3)):
        async with world.engine.begin() as connection:
            counted = await connection.scalar(text("SELECT count(*) FROM counted_block"))
        changed = await world.http.patch(f"/api/runs/{run_id}", json={"cluster_by": key, "name": f"by {key}"})
        assert (changed.status_code, changed.json()["name"]) == (200, f"by {key}")
        assert (changed.json()["cluster_by"], changed.json()["cluster_level"]) == (key, level)
        after = (await world.http.get(f"/api/runs/{run_id}")).json()
        assert after["totals"]["clusters"] == clusters
        assert {evaluator["clusters"] for evaluator in after["evaluators"]} == {clusters}
        assert after["totals"]["mean_score"] == pytest.approx(run["totals"]["mean_score"])
        await compare(world, run_id)
        async with world.engine.begin() as connection:
            assert await connection.scalar(text("SELECT count(*) FROM counted_block")) == counted


async def test_cluster_spread_over_several_blocks_is_counted_once(world: World) -> None:
    """Statistics are stored by block, which is a range of a few cases. The documents alternate, so each document occurs
    in every block, but counts as one cluster."""
    run = await finished(world, documents("a", "bb", "ccc", cases=4))
    run_id = UUID(run["id"])
    async with world.engine.begin() as connection:
        for statement in (
            "UPDATE run SET block_cases = 2 WHERE id = :run_id",
            "DELETE FROM run_block WHERE run_id = :run_id",
            "INSERT INTO run_block (run_id, block) SELECT id, generate_series(0, 5) FROM run WHERE id = :run_id",
        ):
            await connection.execute(text(statement), {"run_id": run_id})
    for key, clusters in (("topic", 2), (None, 3)):
        await world.http.patch(f"/api/runs/{run_id}", json={"cluster_by": key})
        after = (await world.http.get(f"/api/runs/{run_id}")).json()
        assert after["totals"]["clusters"] == clusters
        await compare(world, run_id)
    assert_same(after["totals"], run["totals"])
    async with world.engine.connect() as connection:
        assert await connection.scalar(text("SELECT count(DISTINCT block) FROM block_cluster")) == 6


@pytest.mark.parametrize(
    ("cases", "key", "message"),
    [
        (
            [*documents("a", "b"), a_case("none"), a_case("odd", shade=["x"], topic="x")],
            "shade",
            "8 of 8 cases have no 'shade' in their metadata that is a text, a number or a boolean of at most 255 "
            "characters (a-0, b-0, a-1 …)",
        ),
        ([a_case("a", topic="x", other=1), a_case("b", topic="", other=2)], "topic", "(b); all of them have: other"),
        ([a_case("a", topic="x"), a_case("b", topic="x")], "topic", "all cases have the same 'topic'"),
    ],
)
async def test_unsuitable_cluster_key_is_refused(
    world: World, cases: list[dict[str, Any]], key: str, message: str
) -> None:
    version = str(await insert_version(world, cases))
    body = world.body(collection_ids=[], dataset_version_ids=[version])
    refused = await world.http.post("/api/runs", json=body | {"cluster_by": key})
    assert refused.status_code == 422
    assert [error["field"] for error in refused.json()["errors"]] == ["cluster_by"]
    assert message in refused.json()["errors"][0]["message"]
    assert (await world.http.get("/api/runs")).json()["items"] == []
    run_id = await world.start(collection_ids=[], dataset_version_ids=[version])
    run = await world.until_status(run_id, "FINISHED")
    again = await world.http.patch(f"/api/runs/{run_id}", json={"cluster_by": key, "name": "Another"})
    assert (again.status_code, again.json()["errors"]) == (422, refused.json()["errors"])
    assert (await world.http.get(f"/api/runs/{run_id}")).json()["name"] == run["name"]


async def test_cluster_key_is_refused_for_tasks_of_collections(world: World) -> None:
    refused = await world.http.post("/api/runs", json=world.body(cluster_by="topic"))
    assert refused.status_code == 422
    assert "cases have no 'topic' in their metadata" in refused.json()["detail"]


async def test_tasks_without_a_document_are_separate_clusters(world: World) -> None:
    world.judge = by_document
    version = str(await insert_version(world, documents("a")))
    run = await world.until_status(await world.start(dataset_version_ids=[version]), "FINISHED")
    assert (run["cluster_level"], run["totals"]["clusters"]) == ("document", run["counts"]["items"] - 2)
    await world.http.patch(f"/api/runs/{run['id']}", json={"cluster_by": None})
    assert (await world.http.get(f"/api/runs/{run['id']}")).json()["totals"] == run["totals"]


@pytest.mark.parametrize("count", [9_999, 10_000, 990_000, 1_000_000])
async def test_counts_that_are_multiples_of_ten_thousand_are_read(world: World, count: int) -> None:
    # asyncpg reads a numeric in steps of 10,000, so a sum of 990,000 is Decimal("9.9E+5").
    sums = (
        "clusters",
        "nn",
        "xx",
        "xn",
        "verdicts",
        "passed",
        *(f"pass_{name}" for name in ("clusters", "nn", "xx", "xn")),
    )
    columns = ", ".join(f"sum({count}::bigint) AS {name}" for name in sums)
    async with world.engine.connect() as connection:
        row = (await connection.execute(text(f"SELECT {columns}"))).mappings().one()
    read = of_verdicts(row)
    assert (read.n, read.x, read.count) == (count, count, count)
