/** People look after their accounts: second factor, password, sessions; admins reset passwords and keep service accounts. */

import { createHmac } from "node:crypto";
import { look } from "../look";
import { expect, test } from "../platform";
import { unique } from "../setup";
import { PASSWORD, asOwner, fill, invite, join, signIn } from "./people";

const STEP_S = 30;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Return the code of a time step as an app makes it (RFC 6238). */
function codeOf(secret: string, step: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

test("a second factor is set up, asked for, replaced by a recovery code, and removed", async ({ page, browser }) => {
  await asOwner(page);
  const link = await invite(page, "member");
  const name = `Mia${unique()}`;
  const email = `${name.toLowerCase()}@example.org`;
  const own = await (await browser.newContext()).newPage();
  await join(own, link, name);
  await own.getByRole("button", { name }).click();
  await own.getByRole("menuitem", { name: "Your account" }).click();
  await expect(own.getByRole("list", { name: "Your sessions" })).toContainText("this one");
  await look(own, "an account");
  await own.getByLabel("Your password (required)").fill("wrong password");
  await own.getByRole("button", { name: "Set it up" }).click();
  await expect(own.getByText("The password is wrong.")).toBeVisible();
  await fill(own, { "Your password": PASSWORD }, "Set it up");
  const secret = (await own.getByText(/^[A-Z2-7]{32}$/).textContent())!;
  await expect(own.getByRole("img", { name: /QR code/ })).toBeVisible();
  await look(own, "a second factor that is being set up");
  // The server accepts a step before and after the present one. The step is taken when the form is sent.
  await fill(own, { Code: codeOf(secret, Math.floor(Date.now() / 1000 / STEP_S)) }, "Put it into use");
  const codes = (await own.getByText(/^\w{4}-\w{4}-\w{4}-\w{4}/).textContent())!.split("\n");
  expect(codes).toHaveLength(10);
  await look(own, "recovery codes", own.getByRole("dialog"));
  await own.getByRole("button", { name: "I have kept it" }).click();
  await expect(own.getByText("10 recovery codes left")).toBeVisible();
  await own.getByRole("button", { name }).click();
  await own.getByRole("menuitem", { name: "Sign out" }).click();

  await fill(own, { "E-mail address": email, Password: PASSWORD }, "Sign in");
  await expect(own.getByLabel("Code (required)")).toBeVisible();
  await look(own, "a sign-in with a code");
  await fill(own, { Code: codes[0]! }, "Sign in");
  await expect(own.getByRole("button", { name })).toBeVisible();
  await own.goto("/settings/account");
  await expect(own.getByText("9 recovery codes left")).toBeVisible();
  await own.getByRole("button", { name: "Remove the second factor" }).click();
  await fill(own, { "Your password": PASSWORD, Code: codes[1]! }, "Remove it");
  await expect(own.getByRole("button", { name: "Set it up" })).toBeVisible();
  await own.context().close();
});

test("a changed password ends the other sessions, and the list ends single ones", async ({ page, browser }) => {
  await asOwner(page);
  const link = await invite(page, "viewer");
  const name = `Kim${unique()}`;
  const email = `${name.toLowerCase()}@example.org`;
  const own = await (await browser.newContext()).newPage();
  await join(own, link, name);
  const other = await (await browser.newContext()).newPage();
  await signIn(other, email);
  await own.goto("/settings/account");
  const sessions = own.getByRole("list", { name: "Your sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  await sessions.first().getByRole("button", { name: /^End the session/ }).click();
  await expect(sessions).toHaveCount(1);
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn(other, email);

  await fill(own, { "Current password": PASSWORD, "New password": "short" }, "Change the password");
  await expect(own.getByText("Use at least 10 characters.")).toBeVisible();
  await fill(own, { "New password": "another password" }, "Change the password");
  await expect(own.getByText("The password is changed")).toBeVisible();
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
  // The next change works with the new session's token.
  await own.getByRole("button", { name }).click();
  await own.getByRole("menuitem", { name: "Sign out" }).click();
  // Signing out leads to the page of sign-in by itself.
  await expect(own.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn(own, email, "another password");
  await own.context().close();
  await other.context().close();
});

test("an admin's link sets a new password once", async ({ page, browser }) => {
  await asOwner(page);
  const link = await invite(page, "member");
  const name = `Lou${unique()}`;
  const email = `${name.toLowerCase()}@example.org`;
  const own = await (await browser.newContext()).newPage();
  await join(own, link, name);
  await page.reload();
  await page.getByRole("button", { name: `Reset the password of ${name}` }).click();
  await look(page, "the reset of a password", page.getByRole("dialog"));
  await page.getByRole("button", { name: "Make the link" }).click();
  const reset = (await page.getByText("/reset-password#").textContent())!;
  await page.getByRole("button", { name: "I have kept it" }).click();
  await own.goto(reset);
  await expect(own).toHaveURL(/reset-password$/);
  await look(own, "a new password");
  await fill(own, { "New password": "a newer password" }, "Set the password");
  await expect(own.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn(own, email, "a newer password");
  await own.goto(reset);
  await fill(own, { "New password": "a third password" }, "Set the password");
  await expect(own.getByText("This link was used, has expired, or never existed.")).toBeVisible();
  await own.context().close();
});

test("a service account gets a key of its own", async ({ page }) => {
  await asOwner(page);
  const name = `Pipeline ${unique()}`;
  await page.goto("/settings/service-accounts");
  await page.getByRole("button", { name: "New service account" }).click();
  await page.getByLabel("Role").selectOption("viewer");
  await look(page, "a new service account", page.getByRole("dialog"));
  await fill(page, { Name: name }, "Make the account");
  await expect(page.getByRole("list", { name: "Service accounts" })).toContainText(name);
  await look(page, "service accounts");
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "New API key" }).click();
  await page.getByLabel("Acts for").selectOption({ label: `${name} (viewer)` });
  await fill(page, { Name: `key of ${name}` }, "Make the key");
  await page.getByRole("button", { name: "I have kept it" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: `key of ${name}` })).toContainText(name);
});

test("an owner without a second factor cannot require one", async ({ page }) => {
  await asOwner(page);
  await page.goto("/settings/members");
  await page.getByLabel("Everybody needs a second factor").click();
  await expect(page.getByText("Set up a second factor of your own")).toBeVisible();
  await expect(page.getByLabel("Everybody needs a second factor")).not.toBeChecked();
});
