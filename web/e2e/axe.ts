import type { Page } from "@playwright/test";
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

/** No violation; what axe cannot decide (text under a stretched link, for instance) is printed. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.evaluate(source);
  const { violations, incomplete } = await page.evaluate(() => window.axe.run());
  for (const one of incomplete) console.log(`${name}: axe is undecided on ${one.id} (${one.nodes.length} nodes)`);
  const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect(found, `axe on ${name}`).toEqual([]);
}
