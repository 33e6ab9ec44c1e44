import { expect, test } from "./platform";

test("a server that is away is named on every page, which keeps its shell and comes back by itself", async ({ page, platform }) => {
  const run = await platform.start({ name: "Left alone", models: ["mock-0ms"], tasks: 2 });
  await platform.reaches(run.id, "FINISHED");
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("");
  const banner = page.getByRole("alert", { name: "Connection to the server" });
  await expect(banner).toHaveCount(0);

  await page.context().setOffline(true);
  await expect(banner).toContainText("llmbench does not answer");
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("The server does not answer");

  // The code of this page is not loaded yet.
  await page.getByRole("link", { name: "Data", exact: true }).click();
  await expect(page.getByText("It opens automatically once the server answers.")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Left alone" })).toBeVisible();
  await page.goForward();

  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Tasks", exact: true })).toBeVisible();
  await expect(banner).toHaveCount(0);
});
