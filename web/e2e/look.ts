/** Check a page in both themes, on a desktop and on a phone. */

import type { Locator, Page } from "@playwright/test";
import { expect } from "./platform";
import { expectSound } from "./setup";

const SIZES = [1440, 390] as const;

/** Expect the page, or the part of it within `within`, to be accessible and no wider than its window. */
export async function look(page: Page, name: string, within?: Locator): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // Colours in transition between themes belong to neither.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    // A theme changes only colours, and they are the same on a phone.
    for (const width of colorScheme === "light" ? SIZES : SIZES.slice(0, 1)) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await expectSound(page, `${name}, ${colorScheme}, ${width} px`, { coloursOnly: colorScheme === "dark", within });
    }
  }
  await page.setViewportSize({ width: SIZES[0], height: 900 });
}
