/** People label, disagree and decide by keyboard, in windows of their own. */

import type { Page } from "@playwright/test";
import type { AnnotationTaskPage } from "../src/api/generated/config-api";
import { look } from "./look";
import { expect, test } from "./platform";
import { storeAnnotationTask, storeDataset, unique } from "./setup";

const ITEMS = 30;
const PEOPLE = ["Ada", "Ben", "Chi"] as const;

/** Say who labels in this window. */
async function begin(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("textbox").fill(name);
  await page.keyboard.press("Enter");
}

/** Label all items by keyboard. Ada and Ben find each good; Chi finds every tenth bad, and says why. */
async function labelAll(page: Page, isChi: boolean): Promise<void> {
  for (let number = 1; number <= ITEMS; number += 1) {
    await expect(page.getByText(`Item ${number}`, { exact: true })).toBeVisible();
    const question = (await page.getByRole("region", { name: "Question", exact: true }).textContent()) ?? "";
    const isBad = isChi && Number(/What is (\d+)/.exec(question)![1]) % 10 === 0;
    await page.keyboard.press(isBad ? "2" : "1");
    if (isBad) {
      // The second question is asked only now; Enter goes into its text.
      await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: "Why?" })).toBeFocused();
      await page.keyboard.type("A round number");
      await page.keyboard.press("Control+Enter");
    } else await page.keyboard.press("Enter");
  }
  await expect(page.getByRole("heading", { name: "Nothing is left for you" })).toBeVisible();
}

test("three people label thirty items by keyboard, one decides what they disagree on, and the labels become a version", async ({ page, browser, request }) => {
  const prefix = unique();
  const { dataset } = await storeDataset(request, prefix, ITEMS);

  await page.goto("/annotation/new");
  await page.getByLabel("Name", { exact: false }).first().fill(`Sense ${prefix}`);
  await page.getByRole("combobox", { name: "Dataset" }).fill(dataset.name);
  await page.getByRole("option", { name: dataset.name }).click();
  await expect(page.getByLabel("Version")).toContainText("30 cases");
  await page.getByLabel("What people read first").fill("# Sense\n\nSay whether the **question** makes sense. <b>no markup</b>");
  await expect(page.getByRole("region", { name: "Preview of the instructions" })).toContainText("<b>no markup</b>");
  await page.getByRole("button", { name: "Another question" }).click();
  const second = page.getByRole("group", { name: "Question 2" });
  await second.getByLabel("Type").selectOption("text");
  await second.getByLabel("Question", { exact: true }).fill("Why?");
  await second.getByLabel("Ask only if").selectOption("verdict");
  await second.getByLabel("is one of").fill("bad");
  await page.getByRole("button", { name: "Create the draft" }).click();
  await page.getByRole("button", { name: "Activate" }).click();
  await expect(page.getByRole("link", { name: "Label", exact: true })).toBeVisible();
  const { tasks } = (await (await request.get(`/v1/annotations/tasks?q=${prefix}`)).json()) as AnnotationTaskPage;
  const path = `/annotation/${tasks[0]!.task_id}`;

  const windows = await Promise.all(PEOPLE.map(async () => (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()));
  for (const [place, window] of windows.entries()) await begin(window, `${path}/label`, `${PEOPLE[place]} ${prefix}`);
  await Promise.all(windows.map((window, place) => labelAll(window, PEOPLE[place] === "Chi")));
  for (const window of windows) await window.context().close();

  await page.goto(path);
  await expect(page.getByRole("definition").filter({ hasText: "30 of 30" })).toBeVisible();
  await expect(page.getByRole("region", { name: "People" }).getByRole("row")).toHaveCount(4);

  await page.getByRole("link", { name: "Decide" }).click();
  await expect(page.getByRole("list", { name: "Labels" })).toBeVisible();
  await look(page, "an item to decide");
  for (let left = 3; left > 0; left -= 1) {
    await expect(page.getByText(`${left} item${left === 1 ? "" : "s"}`, { exact: true })).toBeVisible();
    await expect(page.getByRole("list", { name: "Labels" })).toContainText("A round number");
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
  }
  await expect(page.getByRole("heading", { name: "No disagreement is left" })).toBeVisible();

  await page.getByRole("link", { name: "Back to the task" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV of the consensus" }).click();
  const lines = (await (await (await download).createReadStream()).toArray()).join("").trim().split("\n");
  expect(lines.filter((line) => line.includes(",verdict,good,"))).toHaveLength(ITEMS);
  await page.getByRole("button", { name: "Make the version" }).click();
  await page.getByRole("link", { name: "version 2" }).click();
  await expect(page).toHaveURL(/versions\/2$/);
  await expect(page.getByRole("table", { name: "Cases" })).toBeVisible();
});

test("a reload keeps the draft, a second tab follows the first, and a paused task says so", async ({ page, request }) => {
  const prefix = unique();
  const task = await storeAnnotationTask(request, prefix, 4, { name: `<img src=x onerror=alert(1)> ${prefix}` });
  const path = `/annotation/${task.task_id}/label`;
  await begin(page, path, `Dee ${prefix}`);
  await expect(page.getByText("Item 1", { exact: true })).toBeVisible();
  await look(page, "an item to label");
  await page.keyboard.press("2");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("radio", { name: "Bad" })).toBeChecked();

  // A tab that is opened from this one has its annotator, and its own copy of everything else.
  const opened = page.context().waitForEvent("page");
  await page.evaluate((href) => window.open(href, "_blank"), path);
  const other = await opened;
  await expect(other.getByText("Item 1", { exact: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Item 2", { exact: true })).toBeVisible();
  await expect(other.getByText("You labelled that item in another tab.", { exact: false })).toBeVisible();
  await expect(other.getByText("Item 2", { exact: true })).toBeVisible();
  await other.close();

  await page.keyboard.press("u");
  await expect(page.getByText("Item 1", { exact: true })).toBeVisible();
  await expect(page.getByRole("radio", { name: "Bad" })).toBeChecked();
  await page.keyboard.press("s");
  await page.keyboard.type("Not my field");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Item 2", { exact: true })).toBeVisible();

  expect((await request.post(`/v1/annotations/tasks/${task.task_id}/pause`)).ok()).toBe(true);
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "There is nothing to label now" })).toBeVisible();
  expect((await request.post(`/v1/annotations/tasks/${task.task_id}/activate`)).ok()).toBe(true);
  await page.getByRole("button", { name: "Look again" }).click();
  await expect(page.getByText("Item 3", { exact: true })).toBeVisible();
});

test("a person from outside labels one task by a link, and a revoked link says so", async ({ page, browser, request }) => {
  const prefix = unique();
  const task = await storeAnnotationTask(request, prefix, 2, { required_annotations_per_item: 1 });
  await page.goto(`/annotation/${task.task_id}`);
  await page.getByLabel("Name of the person").fill(`Guest ${prefix}`);
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();

  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(link);
  await expect(guest.getByText("Item 1", { exact: true })).toBeVisible();
  await expect(guest).toHaveURL(/\/annotate$/);
  await look(guest, "an invited person");
  for (const place of [1, 2]) {
    await expect(guest.getByText(`Item ${place}`, { exact: true })).toBeVisible();
    await guest.keyboard.press("1");
    await guest.keyboard.press("Enter");
  }
  await expect(guest.getByRole("heading", { name: "Nothing is left for you" })).toBeVisible();

  await page.getByRole("button", { name: `Revoke the link of Guest ${prefix}` }).click();
  await expect(page.getByRole("list", { name: "Invitations" })).toContainText("Revoked");
  await guest.reload();
  await expect(guest.getByRole("heading", { name: "Link revoked", level: 2 })).toBeVisible();
  await context.close();
});
