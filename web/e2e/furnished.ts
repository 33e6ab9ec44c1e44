/** Store one of each thing, so that every screen has something to show. */

import type { APIRequestContext } from "@playwright/test";
import type { DocumentOut, PresetIn, PresetOut, PromptIn, PromptOut, PromptVersionIn, TaskPage } from "../src/api/generated/config-api";
import type { AskPlayground, CreateBaseline, RunSummary } from "../src/api/generated/orchestrator";
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
  const draft = await platform.draft(`Every draft ${unique()}`, 4);
  return {
    promptId: prompt.id,
    presetId: preset.id,
    annotationId: annotation.task_id,
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
