/** Take a picture of a page, and keep it in docs/screens. */

import { expect, type Page } from "@playwright/test";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../docs/screens/", import.meta.url));
const QUALITY = 78;
const MOST_BYTES = 150_000;

export const SIZES = [
  { width: 1440, height: 960 },
  { width: 390, height: 844 },
] as const;

/** WebP: a third of the bytes of a PNG with the same sharp text. `whole` takes the part below the window, too. */
export async function take(page: Page, name: string, { whole = false } = {}): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY, captureBeyondViewport: whole, ...(whole && { clip: await wholePage(page) }) });
  mkdirSync(FOLDER, { recursive: true });
  const bytes = Buffer.from(data, "base64");
  expect(bytes.length, `the bytes of ${name}`).toBeLessThan(whole ? 3 * MOST_BYTES : MOST_BYTES);
  writeFileSync(`${FOLDER}${name}.webp`, bytes);
}

const wholePage = (page: Page) => page.evaluate(() => ({ x: 0, y: 0, width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight, scale: 1 }));
