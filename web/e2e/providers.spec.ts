import type { ProviderOut } from "../src/api/generated/config-api";
import { expect, test } from "./platform";
import { post, unique } from "./setup";

const mock = () => process.env.LLMBENCH_E2E_PROVIDER_URL ?? "";
const KEY = "sk-only-for-tests-0123456789-9f3c";

test("a provider is added, tested, changed and deleted by clicks", async ({ page }) => {
  const name = `Clicked ${unique()}`;
  await page.goto("/providers");
  await page.getByRole("link", { name: "New provider" }).click();
  await page.getByLabel("Type").selectOption({ label: "OpenAI-compatible" });
  await page.getByLabel("Name (required)").fill(name);
  await page.getByLabel("Base URL").fill(mock());
  await page.getByLabel("API key").fill(KEY);
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(/^It answers in \d+\sms · \d+ models?$/)).toBeVisible();
  await page.getByRole("searchbox", { name: "Search the models" }).fill("unparsed");
  await expect(page.getByRole("list", { name: "Models" }).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Add the provider" }).click();

  const card = page.getByRole("listitem").filter({ hasText: name });
  await expect(card).toContainText("Authorization: ••••••••9f3c");
  await card.getByRole("button", { name: "Test connection" }).click();
  await expect(card.getByText("It answers")).toBeVisible();
  await card.getByRole("button", { name: `Models of ${name}` }).click();
  await expect(page.getByRole("dialog").getByRole("list", { name: "Models" })).toContainText("mock-0ms");
  expect(page.url()).toContain("models=");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // The secret is kept while it is left alone, and never comes back to the page.
  await card.getByRole("link", { name }).click();
  await expect(page.getByLabel("API key")).toHaveValue("••••••••9f3c");
  await page.getByText("Options").click();
  await page.getByRole("button", { name: "Add top_k" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(card).toContainText("top_k");
  await expect(card).toContainText("••••••••9f3c");
  expect(await page.content()).not.toContain(KEY);

  // Where nothing listens, the error says so; what is not saved asks before it goes.
  await card.getByRole("link", { name }).click();
  await page.getByLabel("Base URL").fill("http://127.0.0.1:9");
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("must be entered again", { exact: false }).first()).toBeVisible();
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByLabel("API key").fill(KEY);
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(/Nothing listens at http:\/\/127\.0\.0\.1:9/)).toBeVisible();
  await page.getByRole("link", { name: "All providers" }).click();
  await page.getByRole("button", { name: "Leave" }).click();

  await card.getByRole("button", { name: `More about ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("delete");
  await page.getByRole("button", { name: "Delete the provider" }).click();
  await expect(card).toHaveCount(0);
});

test("a taken name is told when the field is left, a bad URL at its field", async ({ page, request }) => {
  const { name } = await post<ProviderOut>(request, "/api/providers", { name: `Taken ${unique()}`, type: "OLLAMA" });
  await page.goto("/providers/new");
  await page.getByLabel("Name (required)").fill(name);
  await page.getByLabel("Base URL").fill("ftp://somewhere");
  await expect(page.getByText("Another provider has this name.")).toBeVisible();
  await page.getByLabel("Name (required)").fill(`${name} too`);
  await page.getByRole("button", { name: "Add the provider" }).click();
  await expect(page.getByLabel("Base URL")).toHaveAccessibleDescription(/http:\/\/ or https:\/\//);
});

test("a change made elsewhere is not overwritten", async ({ page, request }) => {
  const stored = await post<ProviderOut>(request, "/api/providers", { name: `Shared ${unique()}`, type: "OLLAMA" });
  await page.goto(`/providers/${stored.id}`);
  await page.getByLabel("Base URL").fill("http://127.0.0.1:1");
  await request.put(`/api/providers/${stored.id}`, { data: { name: `${stored.name}, by others`, type: "OLLAMA" } });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This provider was changed elsewhere.")).toBeVisible();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByLabel("Name (required)")).toHaveValue(`${stored.name}, by others`);
});

test("a provider that a run used cannot be deleted, and the run is named", async ({ page, platform }) => {
  const run = await platform.start({ name: "Uses its provider", models: ["mock-0ms"], judgeModel: "mock-0ms-judge", tasks: 1 });
  await platform.reaches(run.id, "FINISHED");
  const name = run.judge!.provider_name;
  await page.goto(`/providers?q=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: `More about ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("delete");
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").getByRole("link", { name: "Uses its provider" }).click();
  await expect(page).toHaveURL(new RegExp(run.id));
});
