/** Write pictures of the main screens, in both themes and two sizes, to docs/screens. `tools/screens` creates their data. */

import { expect, test, type Page } from "@playwright/test";
import { screens } from "../e2e/every-screen";
import { exampleUrl } from "../src/lib/screen";
import { SIZES, take } from "./take";

const done = process.env.LLMBENCH_PICTURES_DONE;
const live = process.env.LLMBENCH_PICTURES_LIVE;
const dataset = process.env.LLMBENCH_PICTURES_DATASET;
const annotation = process.env.LLMBENCH_PICTURES_ANNOTATION;
const prompt = process.env.LLMBENCH_PICTURES_PROMPT ?? "";
const question = process.env.LLMBENCH_PICTURES_QUESTION ?? "";
const ids = { annotationId: annotation ?? "", runId: done ?? "", datasetId: dataset ?? "", versionNumber: "1", promptId: prompt, questionId: question };

interface Picture {
  name: string;
  path: string;
  /** Waits until the screen is ready. */
  ready: (page: Page) => Promise<unknown>;
}

const SCREENS: readonly Picture[] = screens
  .filter(({ picture }) => picture)
  .map((screen) => ({ name: screen.name, path: exampleUrl(screen, ids), ready: (page) => page.locator(screen.shows).first().waitFor() }));

/** States of screens that need user actions. */
const STATES: readonly Picture[] = [
  {
    name: "dataset-upload",
    path: `/import?to=dataset&dataset=${dataset}`,
    ready: async (page) => {
      const lines = ["id,prompt,expected_output,ground_truth.confidence,difficulty", "tip,What is a 15 % tip on 40 dollars?,6 dollars,0.9,easy", "rent,,600,0.9,easy", "tax,What is 8 % of 250?,20,1.9,easy", "tip,What is 20 % of 80?,16,0.9,2"];
      await page.getByLabel("File to import").setInputFiles({ name: "everyday-sums.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\n")) });
      await page.getByRole("table", { name: "Bad rows" }).waitFor();
    },
  },
  {
    name: "dataset-sample",
    path: `/datasets/${dataset}/versions/1?show=sample`,
    ready: async (page) => {
      await page.getByLabel("Sampling method").selectOption("stratified");
      await page.getByRole("combobox", { name: "Field of the metadata" }).fill("category");
      await page.keyboard.press("Tab");
      await page.getByLabel("Seed").fill("7");
      await page.getByRole("button", { name: "Draw a sample" }).click();
      await page.getByRole("list", { name: "Strata" }).waitFor();
    },
  },
  {
    name: "annotation-label",
    path: `/annotation/${annotation}/label`,
    ready: async (page) => {
      await page.getByRole("button", { name: "Mei Tanaka" }).click();
      await page.getByRole("region", { name: "Questions" }).waitFor();
      await page.keyboard.press("2");
      await page.getByText("Draft saved").waitFor();
    },
  },
  { name: "annotation-decide", path: `/annotation/${annotation}/decide`, ready: (page) => page.getByRole("list", { name: "Labels" }).waitFor() },
  { name: "evaluators", path: `/runs/${done}`, ready: (page) => to(page, "Results by evaluator", page.getByRole("group", { name: "Results by evaluator" })) },
  { name: "compare", path: `/runs/${done}`, ready: compared },
  {
    name: "compare-case",
    path: `/runs/${done}`,
    ready: async (page) => {
      await compared(page);
      await page.locator('main a[href*="case="]').first().click();
      await page.getByRole("dialog").getByRole("region", { name: "Answers" }).waitFor();
    },
  },
  { name: "heat-map", path: `/runs/${done}/breakdown?by=heatmap`, ready: (page) => to(page, "Breakdown", page.getByRole("table", { name: "Task by model" }).getByRole("link").first()) },
  { name: "histograms", path: `/runs/${done}/breakdown?by=spread`, ready: (page) => to(page, "Breakdown", page.getByRole("group", { name: "Scores of cedar-8b" })) },
  { name: "trade-offs", path: `/runs/${done}/breakdown?by=tradeoffs`, ready: (page) => to(page, "Breakdown", page.getByRole("group", { name: /^Score by cost/ })) },
  { name: "items", path: `/runs/${done}/items?passed=false`, ready: (page) => to(page, "Items", page.getByRole("table", { name: "Items" }).getByRole("link").first()) },
  {
    name: "item",
    path: `/runs/${done}/items?q=compounded`,
    ready: async (page) => {
      await page.getByRole("table", { name: "Items" }).getByRole("link").nth(1).click();
      await page.getByText("Judge reply").waitFor();
      await expect(page.getByRole("status", { name: "Loading the item" })).toHaveCount(0);
    },
  },
];

async function compared(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByRole("region", { name: "Columns" }).getByRole("listitem").first().waitFor();
  await page.locator('main a[href*="case="]').first().waitFor();
}

async function to(page: Page, section: string, shown: { waitFor: () => Promise<void> }): Promise<void> {
  await shown.waitFor();
  await page.getByRole("region", { name: section, exact: true }).evaluate((box) => window.scrollTo(0, box.getBoundingClientRect().top + window.scrollY - 16));
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of SIZES) {
    test.describe(`${colorScheme}, ${viewport.width} px`, () => {
      test.use({ colorScheme, viewport });

      for (const { name, path, ready } of [...SCREENS, ...STATES]) {
        test(name, async ({ page }) => {
          await page.goto(path);
          await ready(page);
          await take(page, `${name}-${colorScheme}-${viewport.width}`);
        });
      }

      test("run-live", async ({ page, request }) => {
        expect((await request.post(`/api/runs/${live}/resume`)).ok()).toBe(true);
        await page.goto(`/runs/${live}`);
        await expect(page.getByText("Running", { exact: true })).toBeVisible();
        // Wait for a rate and the estimate of the end.
        await expect(page.getByText(/left in/).first()).toBeVisible({ timeout: 30_000 });
        await take(page, `run-live-${colorScheme}-${viewport.width}`);
        expect((await request.post(`/api/runs/${live}/pause`)).ok()).toBe(true);
        await expect(page.getByText("Paused", { exact: true })).toBeVisible();
      });
    });
  }
}
