import type { Locator, Page } from "@playwright/test";
import type axe from "axe-core";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "./platform";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
  interface Window {
    axe: typeof axe;
  }
}

export interface Looked {
  coloursOnly?: boolean;
  /** The new part; the rest of the page was checked before it opened. */
  within?: Locator;
}

/** Expect no violation. Results that axe cannot decide (text under a stretched link, for instance) are printed. */
export async function expectAccessible(page: Page, name: string, { coloursOnly = false, within = page.locator("html") }: Looked = {}): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations, incomplete } = await within.evaluate((part, only) => window.axe.run(part, { resultTypes: ["violations", "incomplete"], ...(only && { runOnly: ["color-contrast"] }) }), coloursOnly);
  for (const one of incomplete) console.log(`${name}: axe is undecided on ${one.id} (${one.nodes.length} nodes)`);
  const problems = violations.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target.join(" ")} (${node.any[0]?.message ?? node.failureSummary})`).join(", ")}`);
  expect(problems, `axe on ${name}`).toEqual([]);
}
