/** Check each screen with data: no violation of axe, nothing wider than its window. */

import type { DocumentOut, ProviderOut, TaskPage } from "../src/api/generated/config-api";
import { exampleUrl } from "../src/lib/screen";
import { screens } from "./every-screen";
import { look } from "./look";
import { test } from "./platform";
import { send, storeDataset, storeTasks, unique } from "./setup";

/** Sample ids for the parameters of paths. */
const ids: Record<string, string> = {};

test.beforeAll(async ({ request, platform }) => {
  const { id: collectionId } = await storeTasks(request, unique(), 12);
  const tasks = (await (await request.get(`/api/tasks?collection_id=${collectionId}&limit=1`)).json()) as TaskPage;
  const { dataset, version } = await storeDataset(request, unique(), 12);
  const document = await send<DocumentOut>(request, "/v1/documents", `Handbook ${unique()}.md`, "# Leave\n\nEverybody has twenty-five days of leave a year.\n");
  const run = await platform.start({ name: `Every screen ${unique()}`, models: ["mock-0ms", "mock-1ms"], tasks: 4 });
  await platform.reaches(run.id, "FINISHED");
  const { targets } = await platform.run(run.id);
  const schedule = await platform.schedule({ name: `Every screen ${unique()}` });
  Object.assign(ids, {
    collectionId,
    taskId: tasks.items[0]!.id,
    datasetId: dataset.dataset_id,
    versionNumber: String(version.version_number),
    documentId: document.document_id,
    runId: run.id,
    scheduleId: schedule.id,
    providerId: targets[0]!.provider_id satisfies ProviderOut["id"] | null,
  });
});

for (const screen of screens) {
  test(`${screen.name} is accessible`, async ({ page }) => {
    await page.goto(exampleUrl(screen, ids));
    await page.locator(screen.shows).first().waitFor();
    await look(page, screen.name);
  });
}
