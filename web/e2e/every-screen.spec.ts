/** Check each screen with data: no violation of axe, nothing wider than its window. */

import { exampleUrl } from "../src/lib/screen";
import { screens } from "./every-screen";
import { furnish } from "./furnished";
import { look } from "./look";
import { test } from "./platform";

/** Sample ids for the parameters of paths. */
const ids: Record<string, string> = {};

test.beforeAll(async ({ request, platform }) => {
  Object.assign(ids, await furnish(request, platform));
});

for (const screen of screens) {
  test(`${screen.name} is accessible`, async ({ page }) => {
    await page.goto(exampleUrl(screen, ids));
    await page.locator(screen.shows).first().waitFor();
    await look(page, screen.name);
  });
}
