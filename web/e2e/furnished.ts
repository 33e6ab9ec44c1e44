/** Store one of each thing, so that every screen has something to show. */

import { expect, type APIRequestContext } from "@playwright/test";
import type { DocumentOut, PresetIn, PresetOut, PromptIn, PromptOut, PromptVersionIn, TaskPage } from "../src/api/generated/config-api";
import type { AskPlayground, CalibrationOut, CaseSetIn, CreateBaseline, CreateJudgeCheck, ItemPage, JudgeCheckDetail, Overrule, RunSummary } from "../src/api/generated/orchestrator";
import type { CalibrationIn } from "../src/api/calibrations";
import type { Platform } from "./platform";
import { post, send, storeAnnotationTask, storeDataset, storeSuite, storeTasks, unique } from "./setup";

/** Return sample ids for the parameters of the screens' paths. */
export async function furnish(request: APIRequestContext, platform: Platform): Promise<Record<string, string>> {
  const { id: collectionId } = await storeTasks(request, unique(), 12);
  const tasks = (await (await request.get(`/api/tasks?collection_id=${collectionId}&limit=1`)).json()) as TaskPage;
  const { dataset, version } = await storeDataset(request, unique(), 12);
  const document = await send<DocumentOut>(request, "/v1/documents", `Handbook ${unique()}.md`, "# Leave\n\nEverybody has twenty-five days of leave a year.\n");
  const run = await platform.start({ name: `Every screen ${unique()}`, models: ["mock-0ms", "mock-1ms"], tasks: 4 });
  await platform.reaches(run.id, "FINISHED");
  const { targets } = await platform.run(run.id);
  const question = await post<RunSummary>(request, "/api/playground", { question: "What is 17 + 25?", targets: ["mock-0ms", "mock-1ms"].map((model) => ({ provider_id: targets[0]!.provider_id!, model })) } satisfies AskPlayground);
  await platform.reaches(question.id, "FINISHED");
  const schedule = await platform.schedule({ name: `Every screen ${unique()}` });
  const suite = await storeSuite(request, unique());
  const prompt = await post<PromptOut>(request, "/api/prompts", { name: `Brief answers ${unique()}`, description: "For models that explain too much.", user_template: "{{question}}\nAnswer {{tone}}.", variables: [{ name: "tone", default: "in one sentence" }] } satisfies PromptIn);
  await post(request, `/api/prompts/${prompt.id}/versions`, { system_template: "You answer questions about {{category}}.", user_template: "{{#context}}Context: {{context}}\n\n{{/context}}{{question}}\nAnswer {{tone}}.", variables: [{ name: "tone", default: "in one word", description: "How to answer." }], notes: "Shorter, and with the context where there is one." } satisfies PromptVersionIn);
  const preset = await post<PresetOut>(request, "/api/evaluation-presets", { name: `Careful ${unique()}`, description: "For small machines.", settings: { max_concurrent_calls: 2 } } satisfies PresetIn);
  await post(request, "/api/baselines", { subject: { kind: "preset", id: preset.id }, run_id: run.id, note: "What customers have." } satisfies CreateBaseline);
  const annotation = await storeAnnotationTask(request, unique(), 12);
  const { items } = (await (await request.get(`/api/runs/${run.id}/items?limit=100`)).json()) as ItemPage;
  const labels = items.flatMap(({ id }, at) => ["Ada", "Bo"].map((annotator, place) => ({ item_id: id, label: (at * 3 + place) % 11, annotator })));
  const calibration = await post<CalibrationOut>(request, "/api/calibrations", { run_id: run.id, labels } satisfies CalibrationIn);
  for (const model of ["mock-0ms-judge", "mock-1ms-judge"]) {
    const cases: CaseSetIn["cases"] = [{ id: "terse", category: "terse", question: "What is the capital of Australia?", first: "Canberra.", second: "Sydney, of course, is the capital.", right: "first" }];
    const check = await post<JudgeCheckDetail>(request, "/api/judge-checks", { judge: { provider_id: targets[0]!.provider_id!, model }, set: { name: "Capitals", cases }, check_providers: false } satisfies CreateJudgeCheck);
    await platform.reaches(check.id, "FINISHED");
  }
  // Without sign-in a person gives a name.
  const { auth } = (await (await request.get("/api/auth/session")).json()) as { auth: string };
  const by = auth === "off" ? { by: "Ada" } : {};
  const overruled = await request.put(`/api/runs/${run.id}/items/${items[0]!.id}/overrulings/${(await platform.run(run.id)).evaluators[0]!.revision_id}`, { data: { score: 3, reason: "It is wrong.", ...by } satisfies Overrule });
  expect(overruled.ok(), await overruled.text()).toBe(true);
  const draft = await platform.draft(`Every draft ${unique()}`, 4);
  return {
    promptId: prompt.id,
    presetId: preset.id,
    annotationId: annotation.task_id,
    calibrationId: calibration.id,
    experimentId: await platform.experiment(`Every screen ${unique()}`, 12),
    draftId: draft.experiment_id,
    suiteId: suite.id,
    collectionId,
    taskId: tasks.items[0]!.id,
    datasetId: dataset.dataset_id,
    versionNumber: String(version.version_number),
    documentId: document.document_id,
    runId: run.id,
    questionId: question.id,
    scheduleId: schedule.id,
    providerId: targets[0]!.provider_id!,
  };
}
