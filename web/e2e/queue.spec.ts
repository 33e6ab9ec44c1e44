import { look } from "./look";
import { expect, test } from "./platform";

test("a run is queued behind the active one, moved up, cancelled, and starts by itself", async ({ page, platform }) => {
  await platform.hold("mock-0ms-first", 0);
  const active = await platform.start({ name: "Already there", models: ["mock-0ms-first"], tasks: 2 });
  const { provider, collection } = await platform.prepare({ tasks: 2 });
  await page.goto("/runs/new");
  await page.getByRole("group", { name: provider.name }).getByRole("checkbox", { name: "mock-0ms", exact: true }).check();
  await page.getByRole("combobox", { name: "Provider" }).selectOption(provider.name);
  await page.getByRole("combobox", { name: "Model" }).fill("mock-200");
  await expect(page.getByRole("option", { name: "mock-200ms" })).toBeVisible();
  // Enter takes the first match. A click would wait until the list rests, which moves while models are listed above it.
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: collection.name }).check();
  await expect(page.getByRole("link", { name: "Already there" })).toHaveAttribute("href", `/runs/${active.id}`);
  await look(page, "a run that will wait in the queue");
  await page.getByRole("spinbutton", { name: "Priority" }).fill("2");
  await page.getByRole("button", { name: "Queue the run" }).click();
  await expect(page.getByText(/^Number 1 in the queue/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Move to the front" })).toBeDisabled();
  const first = new URL(page.url()).pathname;
  platform.ends(first.split("/").at(-1) ?? "");

  const body = {
    judge: { provider_id: provider.id, model: "mock-0ms-judge" },
    collection_ids: [collection.id],
    targets: [{ provider_id: provider.id, model: "mock-0ms" }],
    check_providers: false,
    queue: true,
  };
  const second = await platform.create({ ...body, name: "Behind it" });
  await platform.create({ ...body, name: "Not needed", priority: -3 });
  await page.goto("/runs");
  const queue = page.getByRole("region", { name: "Queue" });
  const rows = queue.getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("Behind it");
  await expect(rows.nth(2)).toContainText("Priority -3");
  await look(page, "the list of runs with a queue");
  await queue.getByRole("button", { name: "Move Behind it up" }).click();
  await expect(rows.nth(0)).toContainText("Behind it");
  await expect(queue.getByRole("button", { name: "Move Behind it up" })).toBeDisabled();

  await queue.getByRole("button", { name: "Cancel Not needed" }).click();
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await expect(rows).toHaveCount(2);

  await page.goto(first);
  await expect(page.getByText(/^Number 2 in the queue/)).toBeVisible();
  await look(page, "a queued run");
  await platform.hold("mock-0ms-first", null);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await platform.reaches(second.id, "FINISHED");
});
