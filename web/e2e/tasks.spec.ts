import { readFile } from "node:fs/promises";
import { expect, test } from "./platform";
import { storeTasks, unique } from "./setup";

const csv = (prefix: string) =>
  ["task_id,category,question,good", `${prefix}-1,sums,What is 1 + 1?,2`, `${prefix}-2,sums,,4`, `${prefix}-1,sums,Twice,`, `${prefix}-3,sums,What is 3 + 3?,6`].join("\n");

test("a file with bad rows is looked at, and its good rows are imported into a new collection", async ({ page }) => {
  const prefix = unique();
  await page.goto("/import");
  await page.getByLabel("File to import").setInputFiles({ name: "tasks.csv", mimeType: "text/csv", buffer: Buffer.from(csv(prefix)) });
  const bad = page.getByRole("table", { name: "Bad rows" });
  await expect(bad.getByRole("row")).toHaveCount(3);
  await expect(bad.getByRole("row").nth(1)).toContainText("prompt");
  await expect(bad.getByRole("row").nth(1)).toContainText(`${prefix}-2,sums,,4`);
  await expect(bad.getByRole("row").nth(2)).toContainText("is also on line 2");
  await expect(page.getByText("Recognised by the file’s name: CSV.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import 2 tasks" })).toBeDisabled();
  // The import is in reach before anything is scrolled.
  await expect(page.getByRole("button", { name: "Import 2 tasks" })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("2 rows are bad", { exact: false })).toBeVisible();
  // On a phone its foot is higher, and covers nothing that has the focus.
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 700 });
  const foot = page.getByRole("region", { name: "Import" });
  for (const field of await page.getByRole("group", { name: "Columns of the file" }).getByRole("combobox").all()) {
    await page.evaluate(() => scrollTo(0, 0));
    await field.focus();
    const [{ y, height }, above] = [(await field.boundingBox())!, (await foot.boundingBox())!.y];
    expect(y + height, "the field is above the foot").toBeLessThanOrEqual(above);
  }
  await page.setViewportSize(size);

  await page.getByLabel("Skip bad rows").check();
  await page.getByRole("combobox", { name: "Put the tasks into a collection" }).fill(`Imported ${prefix}`);
  await expect(page.getByText(`2 of them go into the new collection Imported ${prefix}.`)).toBeVisible();
  await page.getByRole("button", { name: "Import 2 tasks" }).click();
  await expect(page.getByRole("heading", { name: "2 tasks imported" })).toBeVisible();
  await page.getByRole("link", { name: "See the collection" }).click();
  await expect(page.getByRole("heading", { name: `Imported ${prefix}` })).toBeVisible();
  await page.getByRole("link", { name: "Show in the list of tasks" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);

  // The same file again changes nothing unless tasks are replaced.
  await page.getByRole("link", { name: "Import" }).click();
  await page.getByLabel("File to import").setInputFiles({ name: "tasks.csv", mimeType: "text/csv", buffer: Buffer.from(csv(prefix)) });
  await expect(bad).toContainText("exists already");
  await page.getByLabel("A task that exists already").selectOption({ label: "Leave the task as it is" });
  await expect(page.getByRole("region", { name: "What the file contains" })).toContainText("skipped2");
});

test("a thousand tasks are imported, and a run can be made of them", async ({ page }) => {
  const prefix = unique();
  const lines = Array.from({ length: 1000 }, (_, index) => JSON.stringify({ task_id: `${prefix}-${String(index).padStart(4, "0")}`, category: `${prefix} sums`, question: `What is ${index} + 25?`, excellent: String(index + 25) }));
  await page.goto("/import");
  await page.getByLabel("File to import").setInputFiles({ name: "thousand.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(lines.join("\n")) });
  await page.getByRole("combobox", { name: "Put the tasks into a collection" }).fill(`Thousand ${prefix}`);
  await page.getByRole("button", { name: "Import 1,000 tasks" }).click();
  await expect(page.getByRole("heading", { name: "1,000 tasks imported" })).toBeVisible();
  await page.getByRole("link", { name: "See the collection" }).click();
  await expect(page.getByText("1,000 tasks", { exact: true })).toBeVisible();
  await page.goto("/runs/new");
  await page.getByRole("checkbox", { name: `Thousand ${prefix}` }).check();
  await expect(page.getByRole("region", { name: "Before the start" })).toContainText("Tasks1,000");
});

test("a file that cannot be recognised or read says why, and is dropped in anew", async ({ page }) => {
  await page.goto("/import");
  const field = page.getByLabel("File to import");
  await field.setInputFiles({ name: "tasks.txt", mimeType: "text/plain", buffer: Buffer.from('{"task_id": "x"') });
  await expect(page.getByLabel("Format")).toHaveAccessibleDescription(/cannot be recognised from the file's name/);
  await page.getByLabel("Format").selectOption({ label: "JSON" });
  await expect(page.getByText("Unreadable file", { exact: false })).toBeVisible();
  await field.setInputFiles({ name: "large.csv", mimeType: "text/csv", buffer: Buffer.alloc(21 * 1024 * 1024, "a") });
  await expect(page.getByRole("alert").filter({ hasText: "20 MiB" })).toBeVisible();

  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.csv"));
    return data;
  }, csv(unique()));
  await page.dispatchEvent("main form, main label", "drop", { dataTransfer: dropped });
  await expect(page.getByText("dropped.csv")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import 2 tasks" })).toBeVisible();
});

test("pasted cells with headers of one's own are mapped, checked and imported; the next file with this header is read alike", async ({ page }) => {
  const prefix = unique();
  const rows = (from: number) => ["Frage\tAntwort\tFach\tNotiz", ...[0, 1].map((index) => `What is ${from + index} + 25?\t${from + index + 25}\t${prefix}\tx`)].join("\n");
  await page.goto("/import");
  await page.getByLabel("Or paste rows").fill(rows(1));
  await page.getByRole("button", { name: "Use these rows" }).click();
  await expect(page.getByText("is missing", { exact: false }).first()).toBeVisible();
  for (const [column, field] of [["Frage", "Question"], ["Antwort", "Expected answer"], ["Fach", "Category"], ["Notiz", "Leave it out"]] as const) await page.getByLabel(`${column} is`).selectOption({ label: field });
  await expect(page.getByText("All 2 cases have a right answer.", { exact: false })).toBeVisible();
  await expect(page.getByRole("group", { name: "The first cases" })).toContainText("What is 2 + 25?");
  await page.getByLabel("A task that exists already").selectOption({ label: "Replace the task" });
  await page.getByRole("button", { name: "Import 2 tasks" }).click();
  await expect(page.getByRole("heading", { name: /2 tasks imported/ })).toBeVisible();

  await page.getByRole("button", { name: "Import another file" }).click();
  await page.getByLabel("File to import").setInputFiles({ name: `${prefix}.tsv`, mimeType: "text/tab-separated-values", buffer: Buffer.from(rows(3)) });
  await expect(page.getByText("as they were when you last imported", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "A dataset", exact: true }).click();
  await page.getByRole("combobox", { name: /^Dataset/ }).fill(`Quiz ${prefix}`);
  await page.getByLabel("Publish it at once").check();
  await page.getByRole("button", { name: "Publish 2 cases" }).click();
  await expect(page.getByRole("heading", { name: `Quiz ${prefix}, version 1` })).toBeVisible();
  await page.getByRole("link", { name: "What is 4 + 25?" }).click();
  await expect(page.getByRole("dialog")).toContainText("29");
});

test("a large, an empty and a hostile file are bounded and inert", async ({ page }) => {
  await page.goto("/import");
  const field = page.getByLabel("File to import");
  const large = ["question,answer", ...Array.from({ length: 6_000 }, (_, index) => `"What is\n${index} + 25${" ".repeat(250)}?",${index + 25}`)].join("\n");
  await field.setInputFiles({ name: "large.csv", mimeType: "text/csv", buffer: Buffer.from(large) });
  await expect(page.getByText(/The first [\d,]+ rows are checked/)).toBeVisible();
  await page.getByRole("button", { name: "Check all rows" }).click();
  await expect(page.getByRole("button", { name: "Import 6,000 tasks" })).toBeEnabled();
  await field.setInputFiles({ name: "empty.csv", mimeType: "text/csv", buffer: Buffer.from("") });
  await expect(page.getByText("The file holds no tasks.", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
  const columns = Array.from({ length: 400 }, (_, index) => `"<img src=x onerror=""document.title='hacked'"">\u202E${index}"`);
  const hostile = [["question", ...columns].join(","), `"<script>document.title='hacked'</script>",`, `=1+1,${"x".repeat(100_000)}`].join("\n");
  await field.setInputFiles({ name: "<b>hostile</b>.csv", mimeType: "text/csv", buffer: Buffer.from(hostile) });
  await expect(page.getByRole("group", { name: "The first cases" })).toContainText("<script>document.title='hacked'</script>");
  await expect(page.getByRole("group", { name: "Columns of the file" }).getByRole("listitem")).toHaveCount(200);
  await expect(page.getByText("⟨U+202E⟩", { exact: false }).first()).toBeAttached();
  expect(await page.evaluate(() => [document.querySelectorAll("main img, main script, main b").length, document.documentElement.scrollWidth - document.documentElement.clientWidth])).toEqual([0, 0]);
  await expect(page).toHaveTitle("Import · llmbench");
});

test("three hundred tasks are searched, filtered, sorted, read on, exported and deleted", async ({ page, request }) => {
  const prefix = unique();
  const collection = await storeTasks(request, prefix, 300);
  await page.goto(`/tasks?collection=${collection.id}`);
  const rows = page.locator("tbody tr");
  await expect(page.getByText("50 of 300 tasks")).toBeVisible();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(rows).toHaveCount(100);
  await page.reload();
  await expect(rows).toHaveCount(100);

  await page.getByLabel("Category", { exact: true }).selectOption(`${prefix} law`);
  await page.getByRole("searchbox", { name: "Search tasks" }).fill(`${prefix}-01`);
  await expect(rows).toHaveCount(33);
  await page.getByRole("button", { name: "Task", exact: true }).click();
  await page.getByRole("button", { name: "Task", exact: true }).click();
  await expect(rows.first()).toContainText(`${prefix}-0198`);
  const view = page.url();
  await page.getByRole("link", { name: `${prefix}-0198` }).click();
  await expect(page.getByLabel("Task id")).toHaveValue(`${prefix}-0198`);
  await page.getByRole("link", { name: "Back to the list" }).click();
  await expect(rows.first()).toContainText(`${prefix}-0198`);
  expect(new URL(page.url()).search).toBe(new URL(view).search);

  for (const [format, begins] of [["CSV", "task_id,"], ["JSON for", ""], ["JSON Lines", "{"], ["YAML", "- "]] as const) {
    await page.getByRole("button", { name: "Export these" }).click();
    const wanted = page.getByRole("menuitem", { name: format === "JSON for" ? "JSON one document" : format });
    const [download] = await Promise.all([page.waitForEvent("download"), wanted.click()]);
    const text = await readFile(await download.path(), "utf8");
    expect(text.startsWith(begins) && text.includes(`${prefix}-0198`) && !text.includes(`${prefix}-0199`)).toBe(true);
  }

  await page.getByLabel("Choose all that are shown").check();
  await page.getByRole("region", { name: "Chosen tasks" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("delete");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No task matches" })).toBeVisible();
  await page.goto(`/tasks?collection=${collection.id}`);
  await expect(page.getByText("50 of 267 tasks")).toBeVisible();
  await page.getByLabel("Choose all that are shown").check();
  await page.getByRole("button", { name: "Choose all matches" }).click();
  await expect(page.getByText("267 chosen")).toBeVisible();
});

test("a task is written with the keyboard alone; its id is checked meanwhile; hostile text stays text", async ({ page, request }) => {
  const prefix = unique();
  await storeTasks(request, prefix, 2);
  await page.goto("/tasks/new");
  await page.getByLabel("Task id").focus();
  await page.keyboard.type(`${prefix}-0000`);
  await expect(page.getByText("Another task has this id.")).toBeVisible();
  await page.keyboard.type("-b");
  await expect(page.getByText("This id is free.")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.type(`${prefix} l`);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: /^Category/ })).toHaveValue(new RegExp(`^${prefix} l`));
  await page.getByLabel("Question").focus();
  await page.keyboard.type("Who may enter?");
  await page.getByRole("button", { name: "Add the task" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tasks$/);
  await page.goto(`/tasks?q=${prefix}`);
  await expect(page.getByRole("link", { name: `${prefix}-0000-b` })).toBeVisible();
  await expect(page.getByText("⟨U+202E⟩", { exact: false })).toBeVisible();
  expect(await page.evaluate(() => document.querySelectorAll("main img").length)).toBe(0);
  await expect(page).toHaveTitle("Tasks · llmbench");
});
