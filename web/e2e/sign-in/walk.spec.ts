/** People sign in, join, work with their rights, and leave: on a real platform with LLMBENCH_AUTH=on. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ApiKeyCreated, OrganisationOut } from "../../src/api/generated/identity";
import { look } from "../look";
import { expect, test } from "../platform";
import { unique } from "../setup";
import { OWNER, PASSWORD, ask, asOwner, fill, invite, join, required, sessionOf, signIn } from "./people";

const run = promisify(execFile);

/** Run a command of llmbench with an API key. Return what it prints, and its exit code. */
async function command(key: string, ...words: string[]): Promise<{ code: number; output: string }> {
  const [program, ...first] = JSON.parse(required("LLMBENCH_E2E_COMMAND")) as [string, ...string[]];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", LLMBENCH_URL: required("LLMBENCH_E2E_URL"), LLMBENCH_API_KEY: key };
  try {
    const { stdout, stderr } = await run(program, [...first, ...words], { env });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

test("the first start's link makes the owner, once", async ({ page }) => {
  const { first_owner_needed } = await sessionOf(page.request);
  const link = required("LLMBENCH_E2E_FIRST_OWNER");
  if (first_owner_needed) {
    await page.goto("/sign-in");
    await expect(page.getByText("Nobody owns this platform yet")).toBeVisible();
    await page.goto(link);
    await expect(page).toHaveURL(/first-owner$/);
    await look(page, "the first owner");
    await page.getByRole("button", { name: "Create the account" }).click();
    await expect(page.getByText("Enter: organisation.")).toBeVisible();
  }
  await asOwner(page);
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await look(page, "the runs of a person");
  await page.goto(link);
  await fill(page, { Organisation: "Mine", "Your name": "Eve", "E-mail address": "eve@example.org", Password: PASSWORD }, "Create the account");
  await expect(page.getByText("This link was used, has expired, or never existed.")).toBeVisible();
});

test("a wrong password is refused, the right one leads back, and signing out ends the session", async ({ page, context }) => {
  await asOwner(page);
  await page.getByRole("button", { name: "Ada" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await context.cookies()).toEqual([]);
  await look(page, "sign in");

  await page.goto("/datasets?q=leave");
  await expect(page).toHaveURL(/sign-in\?next=/);
  await fill(page, { "E-mail address": OWNER, Password: "wrong password" }, "Sign in");
  await expect(page.getByText("The e-mail address or the password is wrong.")).toBeVisible();
  await look(page, "a refused sign-in");
  await fill(page, { Password: PASSWORD }, "Sign in");
  await expect(page).toHaveURL(/\/datasets\?q=leave$/);
});

test("an invited person joins by a link that works once", async ({ page, browser }) => {
  await asOwner(page);
  const link = await invite(page, "member");
  await expect(page.getByRole("list", { name: "Open invitations" }).getByRole("listitem").first()).toContainText("member");
  const name = `Bob${unique()}`;
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other).toHaveURL(/invitation$/);
  await look(other, "an invitation");
  await join(other, link, name);
  await other.getByRole("button", { name }).click();
  await expect(other.getByRole("menuitem", { name: "Members" })).toBeVisible();
  await expect(other.getByRole("menuitem", { name: "API keys" })).toHaveCount(0);
  await other.context().close();

  const again = await (await browser.newContext()).newPage();
  await again.goto(link);
  await fill(again, { "Your name": "Eve", "E-mail address": `eve${unique()}@example.org`, Password: PASSWORD }, "Join");
  await expect(again.getByText("This link was used, has expired, or never existed.")).toBeVisible();
  await again.context().close();
  await page.reload();
  await expect(page.getByRole("list", { name: "Members", exact: true })).toContainText(name);
  await look(page, "members");
});

test("a role that changes takes effect, and the audit log says who did it", async ({ page, browser }) => {
  await asOwner(page);
  const name = `Joan${unique()}`;
  const other = await (await browser.newContext()).newPage();
  await join(other, await invite(page, "member"), name);
  await page.reload();
  await page.getByLabel(`Role of ${name}`).selectOption("viewer");
  await expect.poll(async () => (await sessionOf(other.request)).role).toBe("viewer");
  await other.context().close();
  await page.goto("/settings/audit-log");
  await expect(page.getByRole("listitem").filter({ hasText: '{"role":"viewer"}' }).first()).toContainText("Ada");
  await look(page, "the audit log");
});

test("a key is shown once, works for commands, and stops when it is revoked", async ({ page }) => {
  await asOwner(page);
  const name = `ci ${unique()}`;
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "New API key" }).click();
  await look(page, "a new key", page.getByRole("dialog"));
  await fill(page, { Name: name }, "Make the key");
  const key = await page.getByText(/^llmb_/).textContent();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await expect(page.getByText(key!)).toHaveCount(0);
  expect(await command(key!, "list")).toMatchObject({ code: 0 });
  await page.reload();
  const entry = page.getByRole("listitem").filter({ hasText: name });
  await expect(entry).toContainText("last used");
  await look(page, "keys");
  await entry.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete it" }).click();
  await expect(entry).toHaveCount(0);
  const refused = await command(key!, "list");
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("LLMBENCH_API_KEY");
  expect(refused.output).not.toContain(key!);
});

test("a removed member loses the live connection and the session at once", async ({ page, browser }) => {
  await asOwner(page);
  const name = `Leo${unique()}`;
  const other = await (await browser.newContext()).newPage();
  const link = await invite(page, "viewer");
  const opened = other.waitForEvent("websocket");
  await join(other, link, name);
  const socket = await opened;
  const closed = socket.isClosed() ? Promise.resolve() : socket.waitForEvent("close");
  await page.reload();
  await page.getByRole("button", { name: `Remove ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete it" }).click();
  await expect(page.getByRole("button", { name: `Remove ${name}` })).toHaveCount(0);
  await closed;
  await expect(other.getByRole("heading", { name: "Sign in" }), "without a click").toBeVisible();
  await fill(other, { "E-mail address": `${name.toLowerCase()}@example.org`, Password: PASSWORD }, "Sign in");
  await expect(other.getByRole("heading", { name: "You belong to no organisation", level: 2 })).toBeVisible();
  await look(other, "a person of no organisation");
  await other.context().close();
});

test("a person of two organisations changes between them, and sees the data of one", async ({ page }) => {
  await asOwner(page);
  const name = `Second ${unique()}`;
  const made = await ask<OrganisationOut>(page, "POST", "/api/organisations", { name, slug: unique() });
  const task = `only-here-${unique()}`;
  await ask(page, "POST", "/api/tasks", { task_id: task, question: "What is 1 + 1?", category: "sums", excellent: "2" });
  await page.goto(`/tasks?q=${task}`);
  await expect(page.getByText(task)).toBeVisible();
  await page.getByRole("button", { name: "Ada" }).click();
  await page.getByRole("menuitem", { name: `Change to ${name}` }).click();
  await expect(page.getByRole("heading", { name: "No runs yet" })).toBeVisible();
  expect((await sessionOf(page.request)).organisation?.id).toBe(made.id);
  await page.goto("/tasks");
  await expect(page.getByRole("heading", { name: "No tasks yet" })).toBeVisible();
  await page.getByRole("button", { name: "Ada" }).click();
  await look(page, "the account menu", page.getByRole("menu"));
  await page.getByRole("menuitem", { name: "Change to Engines" }).click();
  // Leaving the page at once would cancel the change.
  await expect.poll(async () => (await sessionOf(page.request)).organisation?.name).toBe("Engines");
  // The change loads a page of its own, which would interrupt the next one.
  await expect(page.getByRole("heading", { name: "No tasks yet" })).toBeHidden();
  await page.goto(`/tasks?q=${task}`);
  await expect(page.getByText(task)).toBeVisible();
});

test("everybody in an organisation that is closed moves to another one at once", async ({ page, browser }) => {
  await asOwner(page);
  const name = `Closing ${unique()}`;
  const made = await ask<OrganisationOut>(page, "POST", "/api/organisations", { name, slug: unique() });
  const idle = await (await browser.newContext()).newPage();
  await signIn(idle, OWNER);
  for (const one of [page, idle]) {
    await ask(one, "POST", "/api/auth/organisation", { id: made.id });
    const opened = one.waitForEvent("websocket");
    await one.goto("/runs");
    await opened;
    await expect(one.getByRole("heading", { name: "No runs yet" })).toBeVisible();
  }
  await page.goto("/settings/organisation");
  await page.getByRole("button", { name: "Close the organisation…" }).click();
  await page.getByLabel(/^Type/).fill("close");
  await look(page, "the question before an organisation is closed", page.getByRole("dialog").or(page.getByRole("alertdialog")));
  await page.getByRole("button", { name: "Close it" }).click();
  for (const one of [page, idle]) {
    await expect.poll(async () => (await sessionOf(one.request)).organisation?.name, "without a click").toBe("Engines");
    await expect(one).toHaveURL(/\/runs$/);
    await expect(one.getByRole("button", { name: "Ada" })).toBeVisible();
  }
  await idle.context().close();
});

test("what a program may do follows the scopes of its key", async ({ page, playwright }) => {
  await asOwner(page);
  const { key } = await ask<ApiKeyCreated>(page, "POST", "/api/api-keys", { name: `narrow ${unique()}`, scopes: ["tasks:read"] });
  const program = await playwright.request.newContext({ baseURL: required("LLMBENCH_E2E_URL"), extraHTTPHeaders: { Authorization: `Bearer ${key}` } });
  expect((await program.get("/api/tasks")).status()).toBe(200);
  expect((await program.get("/api/runs")).status()).toBe(403);
  await program.dispose();
});
