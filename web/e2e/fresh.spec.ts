import { expectAccessible } from "./axe";
import { expect, test } from "./platform";

test("an installation without runs says what to do next", async ({ page, platform }) => {
  test.skip((await platform.runs()).length > 0, "this platform has runs already");
  await page.goto("/");
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByRole("heading", { name: "No runs yet" })).toBeVisible();
  await expect(page.getByText("make demo")).toBeVisible();
  await expectAccessible(page, "the empty list");
});
