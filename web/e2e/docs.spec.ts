/** Check the documentation at `/docs`: pages, search, links, pictures, diagrams and the reference of the HTTP APIs. */

import type { Page } from "@playwright/test";
import { expect, test } from "./platform";
import { expectSound } from "./setup";

const PAGES = ["/docs/", "/docs/project/architecture.html", "/docs/generated/lifecycle.html", "/docs/how-to/datasets.html", "/docs/decisions/"];

/** Return the other hosts that the page contacts. */
function foreignRequests(page: Page): string[] {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && host !== new URL(process.env.LLMBENCH_E2E_URL ?? "").host) foreign.push(request.url());
  });
  return foreign;
}

test("a page is found by its words, and links lead to pages, files and the application", async ({ page }) => {
  const foreign = foreignRequests(page);
  await page.goto("/docs");
  await expect(page).toHaveURL(/\/docs\/$/);
  await expect(page.getByRole("heading", { level: 1, name: "llmbench" })).toBeVisible();
  await page.getByLabel("Search", { exact: true }).fill("advisory lo");
  const results = page.getByRole("list", { name: "Search results" });
  const result = results.getByRole("link", { name: /One consumer per model group/ }).first();
  await expect(result).toBeVisible();
  await expectSound(page, "search results");
  await result.click();
  await expect(page).toHaveURL(/\/docs\/decisions\/0002-/);

  await page.getByLabel("Search", { exact: true }).fill("xyzzy");
  await expect(page.getByText("Nothing found.")).toBeVisible();

  const contents = page.getByRole("navigation", { name: "Documentation" });
  await contents.getByRole("link", { name: "Architecture" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Architecture" })).toBeVisible();
  await page.locator("main").getByRole("link", { name: "docs/decisions" }).first().click();
  await expect(page).toHaveURL(/\/docs\/decisions\/$/);
  // A file that is not a page is shown verbatim.
  await page.goto("/docs/generated/messages.html");
  await page.locator('main a[href$=".json.html"]').first().click();
  await expect(page.locator("main pre")).toContainText('"type"');
  await page.getByRole("link", { name: "Open llmbench" }).click();
  await expect(page).not.toHaveURL(/\/docs/);
  expect(foreign).toEqual([]);
});

test("no link of the documentation leads nowhere", async ({ request }) => {
  const seen = new Map<string, string>([["/docs/", ""]]);
  const missing: string[] = [];
  for (const [path, from] of seen) {
    const response = await request.get(path);
    if (!response.ok()) missing.push(`${path} from ${from}`);
    if (!(response.headers()["content-type"] ?? "").startsWith("text/html") || path.startsWith("/docs/api")) continue;
    for (const [, target = ""] of (await response.text()).matchAll(/(?:href|src)="(\/docs\/[^"#]*)/g)) {
      if (target !== "" && !seen.has(target)) seen.set(target, path);
    }
  }
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(60);
});

for (const path of PAGES) {
  test(`${path} is readable in both themes, on a desk and on a phone`, async ({ page }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(path);
        await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
        await expectSound(page, `${path}, ${colorScheme}, ${width} px`);
      }
    }
    await page.getByRole("button", { name: "Contents" }).click();
    await expect(page.getByRole("navigation", { name: "Documentation" })).toBeVisible();
    await expectSound(page, `${path}, contents`);
  });
}

test("pictures and diagrams are drawn", async ({ page }) => {
  await page.goto("/docs/");
  const picture = page.locator("main img").first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.goto("/docs/generated/lifecycle.html");
  const diagram = page.getByRole("img", { name: "Run" });
  await expect(diagram).toContainText("QUEUED");
  expect((await diagram.boundingBox())?.width).toBeGreaterThan(100);
});

for (const path of ["/docs/api", "/docs/api/"]) {
  test(`${path} shows the operations of the HTTP APIs`, async ({ page }) => {
    const foreign = foreignRequests(page);
    await page.goto(path);
    // The page draws only the operations near the window.
    for (const operation of ["/api/providers", "/v1/benchmarks/compare"]) {
      await page.getByPlaceholder("Filter by tag or path").fill(operation);
      await expect(page.getByText(operation, { exact: true }).first()).toBeVisible();
    }
    expect(foreign).toEqual([]);
  });
}
