/** A judge is measured against the labels of an annotation task, and the run shows what that makes of its figures. */

import type { AnnotationTaskIn, AnnotationTaskOut, NextItem } from "../src/api/generated/config-api";
import { look } from "./look";
import { expect, test } from "./platform";
import { post, unique } from "./setup";

const ANSWERS = 14;
const PEOPLE = ["Ada", "Ben <i>B</i>"] as const;

test("labels of a completed task measure the judge of a run, correct its pass rate, and plan further labels", async ({ page, request, platform }) => {
  const prefix = unique();
  const run = await platform.start({ name: `Judged ${prefix}`, models: ["mock-0ms"], tasks: ANSWERS });
  await platform.reaches(run.id, "FINISHED");

  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText("not measured against people yet", { exact: false })).toBeVisible();

  const task = await post<AnnotationTaskOut>(request, "/v1/annotations/tasks", {
    name: `Ratings ${prefix}`,
    run: { run_id: run.id },
    instructions: "Rate the answer.",
    annotation_schema: { type: "rating", scale: { min: 1, max: 5 } },
    required_annotations_per_item: PEOPLE.length,
    sampling_config: { audit_share: 0.8, seed: 1 },
  } satisfies AnnotationTaskIn);
  const path = `/v1/annotations/tasks/${task.task_id}`;
  await post(request, `${path}/activate`, {});
  for (const [place, name] of PEOPLE.entries()) {
    const { annotator_id: annotator } = await post<{ annotator_id: string }>(request, "/v1/annotations/annotators", { name: `${name} ${prefix}` });
    for (let number = 0; number < ANSWERS; number += 1) {
      const { item_id: item } = (await (await request.get(`${path}/next?annotator_id=${annotator}`)).json()) as NextItem;
      await post(request, `${path}/items/${item}?annotator_id=${annotator}`, { labels: { label: 1 + ((number + place) % 5) } });
    }
  }

  await page.goto(`/annotation/${task.task_id}`);
  await expect(page.getByRole("button", { name: "Make the version" })).toBeDisabled();
  await page.getByRole("combobox", { name: "Accepted labels" }).click();
  await page.getByRole("option", { name: "5", exact: true }).click();
  await page.keyboard.press("Escape");
  await look(page, "a task about answers");
  await page.getByRole("button", { name: "Make the version" }).click();
  await expect(page.getByText("No answer belongs to a case of a dataset", { exact: false })).toBeVisible();
  await page.getByRole("link", { name: "Compare a judge with these labels" }).click();
  await expect(page.getByRole("combobox", { name: "Annotation task" })).toHaveValue(`Ratings ${prefix}`);
  await look(page, "a new calibration");
  await page.getByRole("button", { name: "Measure the judge" }).click();
  const measures = page.getByRole("region", { name: "Judge and people" });
  await expect(measures.getByRole("row", { name: /Krippendorff/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Corrected figures" })).toContainText("the judge says");
  const worst = page.getByRole("region", { name: "Where the judge is most wrong" });
  await worst.locator("summary").first().click();
  await expect(worst.getByText(`Ben <i>B</i> ${prefix}`, { exact: false }).first()).toBeVisible();
  await page.getByLabel("Precise to ± percent").fill("45");
  await expect(page.getByRole("region", { name: "Plan labels" }).getByRole("status")).toContainText("People label");
  await look(page, "a calibration");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(`Against Ada ${prefix}`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: `Against Ada ${prefix}` })).toBeVisible();
  await page.getByRole("link", { name: "All calibrations" }).click();
  await expect(page.getByRole("link", { name: `Against Ada ${prefix}` })).toBeVisible();
  await look(page, "the calibrations");
  await page.getByRole("link", { name: `Against Ada ${prefix}` }).click();
  await worst.locator("summary").first().click();

  await worst.getByRole("link", { name: "Open the item" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/runs/${run.id}/items\\?item=`));
  await page.goto(`/runs/${run.id}`);
  const judged = page.getByRole("region", { name: "Judged against people" });
  await expect(judged.getByRole("table", { name: "Corrected pass rates" })).toContainText("mock-0ms");
  await look(page, "a run whose judge is measured");
  await judged.getByRole("link", { name: "Calibration" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("delete");
  await page.getByRole("button", { name: "Delete the calibration" }).click();
  await expect(page).toHaveURL(/\/calibrations$/);
});

test("a file with bad rows is refused with their lines, and hostile words are inert", async ({ page, platform }) => {
  const run = await platform.start({ name: `Filed ${unique()}`, models: ["mock-0ms"], tasks: 2 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/calibrations/new?run=${run.id}`);
  await page.locator("input[type=file]").setInputFiles({ name: "labels.csv", mimeType: "text/csv", buffer: Buffer.from("case,label\n<img src=x onerror=alert(1)>,9\nnone,lovely\n") });
  await page.getByRole("button", { name: "Measure the judge" }).click();
  const rows = page.getByRole("list", { name: "Bad rows" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("Line 2, case: '<img src=x onerror=alert(1)>' is no case of the run");
});
