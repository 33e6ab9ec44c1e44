import { expect, test } from "./platform";
import { unique } from "./setup";

const TEXT = "# Leave\n\nEverybody has twenty-five days of leave a year.\f# Illness\n\nA certificate is due on the third day.\n";

test("a document is added, read, and has a run write questions; what does not hold becomes no draft", async ({ page, platform }) => {
  const { provider } = await platform.prepare({ tasks: 1 });
  const name = `Handbook ${unique()}.md`;
  await page.goto("/documents");
  await page.getByLabel("Document", { exact: true }).setInputFiles({ name, mimeType: "text/markdown", buffer: Buffer.from(TEXT) });
  await page.getByRole("button", { name: "Add the document" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const pages = page.getByRole("list", { name: "Pages" });
  await expect(pages.getByRole("listitem")).toContainText(["twenty-five days", "A certificate"]);

  await page.getByRole("combobox", { name: "Provider" }).selectOption({ label: provider.name });
  await page.getByRole("combobox", { name: "Model" }).fill("mock-0ms");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Start the run" }).click();
  // The mock writes no valid questions: the page says so and creates no draft.
  await page.getByRole("button", { name: "Create a draft" }).click();
  await expect(page.getByRole("alert")).toContainText("No conversation is supported by the document");

  await page.goto("/documents");
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expect(page.getByText(`${name} is deleted.`)).toBeVisible();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});
