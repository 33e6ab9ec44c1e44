/** A colleague without an account reads the report of a run with a link, and nothing else. */

import type { ApiKeyCreated } from "../../src/api/generated/identity";
import { look } from "../look";
import { expect, Platform, test } from "../platform";
import { unique } from "../setup";
import { ask, asOwner, required } from "./people";

test("a link shows the report of a run without sign-in, opens nothing else, and ends when it is revoked", async ({ page, browser, playwright }) => {
  await asOwner(page);
  const { key } = await ask<ApiKeyCreated>(page, "POST", "/api/api-keys", { name: `share ${unique()}` });
  const program = await playwright.request.newContext({ baseURL: required("LLMBENCH_E2E_URL"), extraHTTPHeaders: { Authorization: `Bearer ${key}` } });
  const platform = new Platform(program);
  const name = `Shared ${unique()}`;
  const run = await platform.start({ name, models: ["mock-0ms"], tasks: 3 });
  await platform.reaches(run.id, "FINISHED");

  await page.goto(`/runs/${run.id}`);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("menuitem", { name: /^Share a read-only link/ }).click();
  const dialog = page.getByRole("dialog", { name: "Share a read-only link" });
  await dialog.getByLabel("The link works for").selectOption("30 days");
  await dialog.getByRole("button", { name: "Make a link" }).press("Enter");
  const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
  await expect(dialog.getByRole("listitem")).toContainText("never opened");
  await look(page, "a link to a report", dialog);

  const context = await browser.newContext();
  const colleague = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  colleague.on("request", (request) => asked.push(request.url()));
  colleague.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await colleague.goto(link);
  await expect(colleague.getByRole("heading", { name, level: 2 })).toBeVisible();
  await expect(colleague).toHaveURL(/\/shared-report$/);
  await look(colleague, "a shared report before it is opened");
  await colleague.getByRole("button", { name: "Open the report" }).click();
  await expect(colleague.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(colleague.getByRole("article")).toHaveCount(3);
  // The report has its styles: a policy that forbids them would leave the table without lines.
  await expect(colleague.getByRole("cell").first()).toHaveCSS("border-bottom-style", "solid");
  expect(complaints, "errors, refusals of the Content-Security-Policy among them").toEqual([]);
  const token = new URL(link).hash.slice(1);
  expect(asked.filter((url) => new URL(url).pathname.startsWith("/api/") && url.includes(token)), "no address has the token").toEqual([]);
  for (const path of [`/api/runs/${run.id}`, `/api/runs/${run.id}/export?format=report-html`, "/api/runs"]) {
    expect((await context.request.get(path, { headers: { "Llmbench-Report-Link": token } })).status(), path).toBe(401);
  }

  await dialog.getByRole("button", { name: /^Revoke the link/ }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(0);
  await expect(dialog.getByLabel("Link", { exact: true })).toHaveCount(0);
  await colleague.goBack();
  await expect(colleague.getByRole("heading", { name: "The link does not work", level: 2 })).toBeVisible();
  await look(colleague, "a link that does not work");
  await context.close();
  await program.dispose();
});
