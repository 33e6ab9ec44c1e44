import { expectSound } from "./setup";
import { expect, test } from "./platform";

test("an installation without anything says what to do next, on every screen", async ({ page, platform }) => {
  test.skip((await platform.runs()).length > 0, "this platform has runs already");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [path, title] of [["/", "No runs yet"], ["/tasks", "No tasks yet"], ["/collections", "No collections yet"], ["/datasets", "No datasets yet"]] as const) {
        await page.goto(path);
        await expect(page.getByRole("heading", { name: title })).toBeVisible();
        await expectSound(page, `${title}, ${colorScheme}, ${width} px`);
      }
    }
  }
});

test("from the first start to the first result by clicks alone", async ({ page, platform }, { retry }) => {
  test.skip((await platform.runs()).length > 0, "this platform has runs already");
  // A second attempt finds what the first one has made, and gives its own another name.
  const attempt = `${retry + 1}`;
  const provider = `My models ${attempt}`;
  const collection = `Sums ${attempt}`;
  const csv = ["task_id,category,question,excellent", "1,sums,What is 17 + 25?,42", "2,sums,What is 8 + 9?,17", "3,sums,What is 6 + 7?,13"].join("\n").replaceAll(/^(?=\d)/gm, `sum-${attempt}-`);
  await page.goto("/");
  await expect(page.getByText("make demo")).toBeVisible();
  await page.getByRole("link", { name: "A provider" }).click();
  await page.getByRole("link", { name: "New provider" }).click();
  await page.getByLabel("Type").selectOption({ label: "OpenAI-compatible" });
  await page.getByLabel("Name (required)").fill(provider);
  await page.getByLabel("Base URL").fill(process.env.LLMBENCH_E2E_PROVIDER_URL ?? "");
  await page.getByRole("button", { name: "Add the provider" }).click();
  await expect(page.getByRole("link", { name: provider })).toBeVisible();

  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("main").getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByLabel("File to import").setInputFiles({ name: "sums.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("combobox", { name: "Put the tasks into a collection" }).fill(collection);
  await page.getByRole("button", { name: "Import 3 tasks" }).click();
  await page.getByRole("link", { name: "Run models on it" }).click();

  const targets = page.getByRole("group", { name: provider });
  await targets.getByRole("checkbox", { name: "mock-0ms", exact: true }).check();
  await targets.getByRole("checkbox", { name: "mock-50ms", exact: true }).check();
  await page.getByRole("combobox", { name: "Provider" }).selectOption(provider);
  await page.getByRole("combobox", { name: "Model" }).fill("mock-200ms");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("checkbox", { name: collection })).toBeChecked();
  await page.getByRole("button", { name: "Start the run" }).click();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expect(page.getByRole("group", { name: "Results by target" }).getByRole("row")).toHaveCount(3);
  await expect(page.getByText("6 of 6 items scored")).toBeVisible();
});
