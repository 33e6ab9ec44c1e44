import { expect, test } from "./platform";
import { look } from "./look";

test("a question is answered live by two models, judged on request, and kept as a run and a task", async ({ page, platform }) => {
  const held = "mock-0ms-asked";
  const { provider } = await platform.prepare({ tasks: 1 });
  // The first call loads the model.
  await platform.hold(held, 1);
  const frames: { sent: string[]; received: string[] } = { sent: [], received: [] };
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => frames.sent.push(String(payload)));
    socket.on("framereceived", ({ payload }) => frames.received.push(String(payload)));
  });
  await page.goto("/playground");
  await page.getByRole("textbox", { name: "Question" }).fill("What is 17 + 25?");
  await page.getByRole("button", { name: "Add a model" }).click();
  const models = page.getByRole("list", { name: "Models" }).getByRole("listitem");
  for (const [index, model] of [held, "mock-1s-tokens200"].entries()) {
    const one = models.nth(index);
    await one.getByLabel("Provider").selectOption({ label: provider.name });
    await one.getByRole("combobox", { name: "Model" }).fill(model);
    await page.getByRole("option", { name: model }).first().click();
  }
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(page).toHaveURL(/run=/);
  const runId = new URL(page.url()).searchParams.get("run")!;
  platform.ends(runId);
  const topic = `/topic/run/${runId}/answer`;
  await expect.poll(() => frames.sent.some((frame) => frame.includes(topic))).toBe(true);
  const answers = page.getByRole("list", { name: "Answers" });
  await expect(answers.getByRole("heading")).toHaveCount(2);
  await look(page, "a question that is being answered");

  // The local model is in use meanwhile, and the refusal names the question.
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("'Playground: What is 17 + 25?' is active");
  await platform.hold(held, null);
  await expect(page.getByText("Answered")).toBeVisible({ timeout: 60_000 });
  await expect(answers).toContainText("Answer-");
  expect(frames.received.some((frame) => frame.includes(topic))).toBe(true);

  await page.getByRole("button", { name: "Judge the answers" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Provider").selectOption({ label: provider.name });
  await dialog.getByRole("combobox", { name: "Model" }).fill("mock-50ms");
  await page.getByRole("option", { name: "mock-50ms", exact: true }).first().click();
  await dialog.getByRole("button", { name: "Judge", exact: true }).click();
  await expect(answers.getByRole("list", { name: "Scores" })).toHaveCount(2, { timeout: 60_000 });
  await look(page, "judged answers of a question");

  await page.getByRole("button", { name: "Keep as a task" }).click();
  await dialog.getByRole("textbox", { name: "Task id" }).fill("asked-in-the-playground");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Keep as a run" }).click();
  await expect(page.getByRole("button", { name: "Keep as a run" })).toHaveCount(0);
  await page.getByRole("link", { name: "Open as a run" }).click();
  await expect(page.getByRole("heading", { name: "Playground: What is 17 + 25?" })).toBeVisible();
});
