"""The command `llmbench evaluate`: score existing outputs, either one from the command line, or all of a file or a
dataset version."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AllowPartial, AsJson, Detach, MinPassRate, MinScore, Url

if TYPE_CHECKING:
    from llmbench_cli.runs.run_file import Thresholds
    from llmbench_cli.runs.session import Session

MAX_BYTES = 48 * 1024 * 1024
_PATH = "/v1/evaluations"

File = Annotated[
    Path | None,
    typer.Argument(
        exists=True,
        dir_okay=False,
        readable=True,
        metavar="[FILE]",
        help="Outputs as .jsonl or .csv, to score them all.",
    ),
]


@asks("providers:read", "runs:create", "runs:read")
def evaluate(  # noqa: PLR0913  # one parameter per option
    file: File = None,
    *,
    input_: Annotated[str | None, typer.Option("--input", "-i", help="The prompt of one output.")] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="The output to score; `-` reads stdin.")] = None,
    expected: Annotated[str | None, typer.Option(help="The expected output.")] = None,
    context: Annotated[str | None, typer.Option(help="The context that the output should rely on.")] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", "-m", help="faithfulness, relevance, rubric …; may be repeated.")
    ] = None,
    evaluator: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluator", "-e", help='As JSON, with parameters: {"kind": "contains", "params": {"text": "42"}}.'
        ),
    ] = None,
    judge: Annotated[str | None, typer.Option(help="The judge model, if a metric needs one.")] = None,
    provider: Annotated[
        str | None, typer.Option(help="The judge's provider by name or id, if several have a model of that name.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The source of the outputs: their label in results.")] = None,
    dataset_version: Annotated[
        str | None,
        typer.Option(
            help="The id of a dataset version whose cases the file's outputs are for, or which has its own outputs."
        ),
    ] = None,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", help="Map a column of the file: answer=expected_output. May be repeated."),
    ] = None,
    sample: Annotated[float, typer.Option(min=0, max=1, help="The share of the outputs that is scored.")] = 1.0,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed samples the same cases.")] = None,
    webhook: Annotated[str | None, typer.Option(help="A URL to call when all are scored.")] = None,
    detach: Detach = False,
    min_score: MinScore = None,
    min_pass_rate: MinPassRate = None,
    allow_partial: AllowPartial = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Score one output (--input and --output), or all outputs of a file or of a dataset version.

    The model that made the outputs is not called. Exit codes are those of `llmbench run`.
    """
    from llmbench_cli.runs.run_file import Thresholds
    from llmbench_cli.runs.session import Session, in_session, merged

    many = file is not None or dataset_version is not None
    if many == (input_ is not None or output is not None) or (output is None) != (input_ is None):
        raise typer.BadParameter("give either --input and --output, or a FILE or --dataset-version")
    if file is not None and file.stat().st_size > MAX_BYTES:
        raise typer.BadParameter(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MiB; send it in parts")
    body: dict[str, Any] = {
        "metrics": metric or [],
        "evaluators": [_evaluator(text) for text in evaluator or []],
        "metadata": {"model_name": model} if model else {},
    }
    thresholds = merged(Thresholds(), min_score=min_score, min_pass_rate=min_pass_rate, allow_partial=allow_partial)

    async def work(session: Session) -> int:
        config = await _judge(session, judge, provider)
        if not many:
            answer = typer.get_text_stream("stdin").read() if output == "-" else output
            single = {"input": input_, "output": answer, "expected_output": expected, "context": context}
            return await _one(session, body | single | {"config": config}, thresholds, as_json=as_json)
        config |= {"sample_rate": sample, **({"seed": seed} if seed is not None else {})}
        batch = body | {"config": config, "dataset_version_id": dataset_version, "webhook_url": webhook}
        batch |= {"map": map_} if map_ else {}
        return await _many(session, batch, file, thresholds, detach=detach, as_json=as_json)

    raise typer.Exit(in_session(url, work))


async def _one(session: "Session", body: dict[str, Any], thresholds: "Thresholds", *, as_json: bool) -> int:
    from llmbench_cli.console import terminal
    from llmbench_cli.runs.evaluation_view import show_evaluation, verdict
    from llmbench_cli.runs.follow import follow
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.runs.progress_view import RunView
    from llmbench_cli.runs.start import start

    found = await start(session.client, _PATH, body, notify=print_note)
    id_ = session.run_id = found["evaluation_id"]
    if found["status"] == "pending":
        with RunView(terminal(stderr=True)) as view:
            await follow(session.client, id_, view)
        found = await session.client.get(f"{_PATH}/{id_}")
    if as_json:
        print_json(found)
    else:
        show_evaluation(found, session.page(id_))
    code, reason = verdict(found, thresholds)
    if reason:
        print_note(f"✗ {reason}")
    return code


async def _many(
    session: "Session",
    body: dict[str, Any],
    file: Path | None,
    thresholds: "Thresholds",
    *,
    detach: bool,
    as_json: bool,
) -> int:
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.import_report import show_refusal
    from llmbench_cli.runs.output import print_note
    from llmbench_cli.runs.session import go_on
    from llmbench_cli.runs.start import start

    try:
        made = await start(session.client, f"{_PATH}/batch", body, notify=print_note, file=file)
    except Refused as refused:
        if "bad_rows" not in refused.problem:
            raise
        hint = "Correct the file, and send it again."
        show_refusal(terminal(stderr=True), refused.problem, file=str(file), hint=hint, done="evaluated")
        return ExitCode.FAILED
    for warning in made.get("warnings", []):
        print_note(f"! {warning}")
    if made["webhook_secret"]:
        print_note(f"The webhook is signed with {made['webhook_secret']}, which is shown only now.")
    run = await session.client.get(f"/api/runs/{made['job_id']}")
    return await go_on(session, run, detach=detach, as_json=as_json, thresholds=thresholds)


async def _judge(session: "Session", model: str | None, provider: str | None) -> dict[str, Any]:
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs.names import Named

    if provider is None:
        return {} if model is None else {"evaluator_model": model}
    if model is None:
        raise CommandFailed("name the provider's model with --judge")
    known = await Named.read(session.client, "/api/providers", "provider")
    id_ = known.id(provider)
    if id_ is None:
        raise CommandFailed(known.lacking(provider))
    return {"judge": {"provider_id": id_, "model": model}}


def _evaluator(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"--evaluator is no JSON: {error}") from None
