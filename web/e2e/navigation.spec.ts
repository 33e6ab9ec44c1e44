import { look } from "./look";
import { expect, test } from "./platform";

const AREAS = {
  Runs: ["Runs", "Schedules", "Trends"],
  Suites: ["Suites", "Presets"],
  Data: ["Tasks", "Collections", "Datasets", "Documents"],
  Settings: ["Providers", "Usage"],
};

test("the navigation leads to every list, also on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto("/runs");
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("link")).toHaveText(Object.keys(AREAS));
  for (const [area, entries] of Object.entries(AREAS)) {
    await main.getByRole("link", { name: area }).click();
    await expect(main.getByRole("link", { name: area })).toHaveAttribute("aria-current", "true");
    for (const entry of entries) {
      const links = page.getByRole("navigation", { name: area, exact: true });
      if (entries.length > 1) {
        await links.getByRole("link", { name: entry, exact: true }).click();
        await expect(links.getByRole("link", { name: entry, exact: true })).toHaveAttribute("aria-current", "page");
        const bounds = await links.getByRole("link", { name: entry, exact: true }).boundingBox();
        expect(bounds!.x + bounds!.width, `the right edge of ${entry}`).toBeLessThanOrEqual(390);
      } else await expect(links).toHaveCount(0);
      await expect(page.getByRole("heading", { level: 1, name: entry, exact: true })).toBeVisible();
    }
  }
  const bounds = await main.getByRole("link", { name: "Settings" }).boundingBox();
  expect(bounds!.x + bounds!.width, "the right edge of the last area").toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { level: 1, name: "Schedules" })).toBeVisible();
  await look(page, "the navigation of runs");
});
