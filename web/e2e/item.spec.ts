import { expectAccessible } from "./axe";
import { look } from "./look";
import { expect, test } from "./platform";
import { post, unique } from "./setup";

test("an item opens from the table, and its link works", async ({ page, platform }) => {
  const run = await platform.start({ name: "Item by item", models: ["mock-0ms"], tasks: 3 });
  await platform.reaches(run.id, "FINISHED");
  const [first, second] = await platform.items(run.id);
  await page.goto(`/runs/${run.id}/items`);
  await page.getByRole("table", { name: "Items" }).getByRole("link", { name: first!.task_id }).click();
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeVisible();
  await expect(panel.getByText("What is 0 + 25?").first()).toBeVisible();
  await expect(panel.getByText("Judge reply")).toBeVisible();

  await page.keyboard.press("j");
  await expect(panel.getByText("What is 1 + 25?").first()).toBeVisible();
  const link = page.url();
  expect(link).toContain(`item=${second!.id}`);
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeHidden();
  expect(page.url()).not.toContain("item=");

  const opener = page.getByRole("table", { name: "Items" }).getByRole("link", { name: first!.task_id });
  await page.goto(`/runs/${run.id}/items`);
  await opener.press("Enter");
  await expect(panel.getByRole("heading", { name: "Answer" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opener, "focus is back where it was").toBeFocused();

  await page.goto(link);
  await expect(panel.getByText("What is 1 + 25?").first()).toBeVisible();
  await expectAccessible(page, "the item panel");

  // Another answer to the same question is a run of its own.
  const actions = panel.getByRole("list", { name: "Actions" });
  await expect(actions.getByRole("link", { name: "Edit its task" })).toHaveAttribute("href", /^\/tasks\//);
  await actions.getByRole("button", { name: "Answer it again" }).click();
  const question = page.getByRole("alertdialog", { name: "Answer it again?" });
  await look(page, "the question before asking again", question);
  await question.getByRole("button", { name: "Ask again" }).click();
  await expect(page).toHaveURL(/\/playground\?run=/);
  const again = new URL(page.url()).searchParams.get("run") ?? "";
  platform.ends(again);
  await expect(page.getByRole("region", { name: "Result" }).getByRole("status")).toContainText("Answered");
  await expect(page.getByRole("textbox", { name: /^Question/ })).toHaveValue("What is 1 + 25?");
  expect((await platform.run(again)).targets[0]?.model).toBe("mock-0ms");
  expect((await platform.items(run.id)).map((one) => one.attempts), "the first run stays as it is").toEqual([1, 1, 1]);
});

test("a comment with hostile text is kept as text beside its item, and its author deletes it", async ({ page, platform }) => {
  const run = await platform.start({ name: "Commented", models: ["mock-0ms"], tasks: 1 });
  await platform.reaches(run.id, "FINISHED");
  const [item] = await platform.items(run.id);
  const hostile = "<img src=x onerror=\"document.title='hacked'\"> [a link](javascript:alert(1)) \u202egnp.exe";
  const shown = hostile.replace("\u202e", "⟨U+202E⟩");
  await page.goto(`/runs/${run.id}/items?item=${item!.id}`);
  const comments = page.getByRole("dialog").getByRole("region", { name: "Comments" });
  await comments.getByRole("textbox", { name: "Your comment" }).fill(hostile);
  await comments.getByRole("textbox", { name: "Your name" }).fill("<b>Ada</b>");
  await comments.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(comments.getByRole("listitem")).toContainText(shown);
  await expect(comments.getByRole("textbox", { name: "Your comment" })).toHaveValue("");
  await look(page, "an item with a comment");

  await page.goto(`/runs/${run.id}/read?item=${item!.id}`);
  const answers = page.getByRole("list", { name: "Answers" });
  await answers.getByText("Comments", { exact: true }).click();
  await expect(answers.getByRole("region", { name: /^Comments on/ }).getByRole("listitem")).toContainText(shown);
  await look(page, "comments in the reading mode");

  await page.goto(`/runs/${run.id}/items?item=${item!.id}`);
  await expect(comments.getByRole("listitem")).toContainText(shown);
  await expect(comments.locator("img, b, a, script")).toHaveCount(0);
  await expect(page).toHaveTitle(/Commented/);
  await comments.getByRole("button", { name: "Delete the comment of <b>Ada</b>" }).click();
  await expect(comments.getByRole("listitem")).toHaveCount(0);
  await page.reload();
  await expect(comments.getByRole("textbox", { name: "Your comment" })).toBeVisible();
  await expect(comments.getByRole("listitem")).toHaveCount(0);
});

test("an answer is compared with the reference that is chosen, or with another target’s answer, and the link keeps the choice", async ({ page, platform, request }) => {
  const prefix = unique();
  const { provider } = await platform.prepare({ tasks: 0 });
  await platform.script(`mock-0ms-${prefix}-a`, [{ when: ["capital"], say: "Paris is the capital" }]);
  await platform.script(`mock-0ms-${prefix}-b`, [{ when: ["capital"], say: "Lyon is the capital" }]);
  const task = await post<{ id: string }>(request, "/api/tasks", { task_id: prefix, category: "geography", question: "What is the capital of France?", excellent: "Paris is the capital of France", good: "Paris" });
  const collection = await post<{ id: string }>(request, "/api/collections", { name: `Collection ${prefix}`, task_ids: [task.id] });
  const target = (name: string, label: string) => ({ provider_id: provider.id, model: `mock-0ms-${prefix}-${name}`, label });
  const run = await platform.create({ name: "Compared answers", judge: { provider_id: provider.id, model: "mock-0ms-judge" }, targets: [target("a", "first"), target("b", "second 🚀")], collection_ids: [collection.id], check_providers: false });
  await platform.reaches(run.id, "FINISHED");
  const [item] = (await platform.items(run.id)).filter((one) => one.target_label === "first");
  await page.goto(`/runs/${run.id}/items?item=${item!.id}`);
  const answer = page.getByRole("dialog").getByRole("region", { name: "Answer" });
  await expect(answer.getByText("Paris is the capital", { exact: true })).toBeVisible();
  await page.keyboard.press("d");
  await expect(answer.getByText("Compared with the reference “Excellent”.")).toBeVisible();
  const against = answer.getByRole("combobox", { name: "Against" });
  await expect(against.getByRole("option")).toHaveText(["Nearest reference", "Reference: Excellent", "Reference: Good", "second 🚀"]);
  await against.selectOption({ label: "Reference: Good" });
  await expect(answer.getByText("Compared with the reference “Good”.")).toBeVisible();
  await expect(answer.getByRole("deletion")).toHaveCount(0);

  await against.selectOption({ label: "second 🚀" });
  await expect(answer.getByText("Compared with the answer of second 🚀.")).toBeVisible();
  await expect(answer.getByRole("deletion")).toHaveText("Lyon");
  await expect(answer.getByRole("insertion")).toHaveText("Paris");
  await expectAccessible(page, "an answer and its differences");
  await page.reload();
  await expect(answer.getByRole("deletion")).toHaveText("Lyon");
  await page.keyboard.press("d");
  await expect(answer.getByText("Paris is the capital", { exact: true })).toBeVisible();
  await expect(against).toHaveCount(0);

  // A reference that this case lacks: the reading view says what it compares with instead.
  await page.goto(`/runs/${run.id}/read?item=${item!.id}&as=diff&against=reference%20Pass`);
  await expect(page.getByRole("combobox", { name: "Against" })).toHaveValue("reference");
  await expect(page.getByText("Compared with the reference “Excellent”.")).toHaveCount(2);
});
