"""Write one JSON document: the run and its items."""

from collections.abc import AsyncIterator

from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, records, to_json
from orchestrator.results.ports.queries import ExportSource
from orchestrator.results.ports.schemas import RunSummary


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        yield f'{{"run":{to_json(run.model_dump(mode="json"))},"items":['
        separator = "\n"
        async for record in records(source):
            yield separator + to_json(record)
            separator = ",\n"
        yield "\n]}\n"

    async for chunk in chunked(parts()):
        yield chunk


FORMAT = ExportFormat(
    name="json",
    title="JSON",
    description="One document with the run and every field of its items.",
    media_type="application/json",
    extension="json",
    write=write,
    example=(
        '{"run":{"id":"00000000-0000-0000-0000-000000000001","type":"BENCHMARK","name":"Sums","description":null,"tags":["nightly"],"baseline_run_id":null,"warnings":[],"cluster_by":null,"cluster_level":"case","max_cost_usd":null,"cost_usd":0.00012,"unpriced_calls":0,"status":"FINISHED","phase":"JUDGING","outcome":"partial","status_reason":null,"judge":{"provider_id":"00000000-0000-0000-0000-000000000005","provider_name":"Mock","model":"judge","params":{"temperature":0.0,"top_p":null,"max_tokens":null,"seed":null,"stop":null,"system_prompt":null,"options":{},"response_schema":null}},"evaluators":[{"name":"rubric","title":"Rubric","kind":"rubric","revision_id":"00000000-0000-0000-0000-000000000004","judge_provider_id":"00000000-0000-0000-0000-000000000005","judge_model":"judge","weight":1.0,"required":true,"pass_threshold":null,"scale_min":0.0,"scale_max":10.0,"whole":true,"primary":true,"member":false,"panel":null,"only":null,"unless":null},{"name":"the sum","title":"Contains","kind":"contains","revision_id":"00000000-0000-0000-0000-000000000006","judge_provider_id":null,"judge_model":null,"weight":0.0,"required":true,"pass_threshold":null,"scale_min":0.0,"scale_max":1.0,"whole":true,"primary":true,"member":false,"panel":null,"only":null,"unless":null}],"targets":[{"id":"00000000-0000-0000-0000-000000000003","label":"small, t=0","provider_id":"00000000-0000-0000-0000-000000000005","provider_name":"Mock","model":"small","params":{"temperature":0.0,"top_p":null,"max_tokens":null,"seed":null,"stop":null,"system_prompt":null,"options":{},"response_schema":null},"epochs":1,"timeout_s":60.0,"max_attempts":3,"use_cache":false}],"collections":[],"dataset_versions":[],"counts":{"items":2,"answered":1,"judged":1,"failed":1},"show_choices":true,"created_at":"2026-01-01T12:00:00.000Z","started_at":"2026-01-01T12:00:00.000Z","reopened_at":null,"finished_at":"2026-01-01T12:00:00.000Z","took_s":0.0,"mean_score":0.3},"items":[\n'
        '{"id":"00000000-0000-0000-0000-00000000000a","position":0,"task_id":"sum-1","category":"arithmetic","subcategory":null,"target_id":"00000000-0000-0000-0000-000000000003","target_label":"small, t=0","model":"small","epoch":1,"status":"COMPLETED","attempts":1,"score":3.0,"score_normalised":0.3,"passed":false,"reason":"The sum is wrong.","failure":null,"time_ms":412,"first_token_ms":35,"first_content_ms":35,"prompt_tokens":31,"completion_tokens":22,"reasoning_tokens":null,"usage_source":"reported","tokens_per_second":58.3,"finish_reason":"stop","cost_usd":0.00012,"cached":false,"score_revision_id":"00000000-0000-0000-0000-000000000004","conversation_id":null,"turn":null,"answer_kind":"text","system_prompt":null,"case":{"id":"00000000-0000-0000-0000-000000000014","task_id":"sum-1","category":"arithmetic","subcategory":null,"question":"What is 17 + 25?","excellent":"42","good":null,"pass":null,"incorrect_answer_direction":null,"system_prompt":null,"context":null,"conversation":[],"conversation_id":null,"turn":null,"expected_output":null,"ground_truth":null,"metadata":{},"checks":[]},"answer":"=HYPERLINK(\\"http://x\\")\\n<b>41</b>","reasoning":null,"notes":["temperature 0.0 was not sent: the model refuses it and uses its own default."],"redactions":0,"scores":[{"evaluator":"rubric","evaluator_revision_id":"00000000-0000-0000-0000-000000000004","judge_model":"judge","status":"SCORED","outcome":"scored","raw":3.0,"normalised":0.3,"passed":false,"reason":"The sum is wrong.","error":null,"extraction":null},{"evaluator":"the sum","evaluator_revision_id":"00000000-0000-0000-0000-000000000006","judge_model":null,"status":"SCORED","outcome":"scored","raw":0.0,"normalised":0.0,"passed":false,"reason":"\'42\' is not in it.","error":null,"extraction":{"answer":null,"answer_rule":"contained","reference":"=“42”","reference_rule":"any of the texts"}}]},\n'
        '{"id":"00000000-0000-0000-0000-00000000000b","position":1,"task_id":"sum-2","category":"arithmetic","subcategory":null,"target_id":"00000000-0000-0000-0000-000000000003","target_label":"small, t=0","model":"small","epoch":1,"status":"FAILED","attempts":1,"score":null,"score_normalised":null,"passed":null,"reason":null,"failure":{"phase":"BENCHMARKING","kind":"timed_out","message":"no answer within 60 s","retryable":true,"cause":"timed_out"},"time_ms":null,"first_token_ms":null,"first_content_ms":null,"prompt_tokens":null,"completion_tokens":null,"reasoning_tokens":null,"usage_source":null,"tokens_per_second":null,"finish_reason":null,"cost_usd":null,"cached":false,"score_revision_id":null,"conversation_id":null,"turn":null,"answer_kind":null,"system_prompt":null,"case":{"id":"00000000-0000-0000-0000-000000000015","task_id":"sum-2","category":"arithmetic","subcategory":null,"question":"And 40 + 2?","excellent":"42","good":null,"pass":null,"incorrect_answer_direction":null,"system_prompt":null,"context":null,"conversation":[],"conversation_id":null,"turn":null,"expected_output":null,"ground_truth":null,"metadata":{},"checks":[]},"answer":null,"reasoning":null,"notes":[],"redactions":0,"scores":[]}\n'
        "]}\n"
    ),
)
