/** Act as people on a platform with LLMBENCH_AUTH=on: through the screens, or with the session's cookie. */

import type { APIRequestContext, Page } from "@playwright/test";
import type { Role, SessionOut } from "../../src/api/generated/identity";
import { expect } from "../platform";

export const PASSWORD = "correct horse battery";
export const OWNER = "ada@example.org";

export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}: run these tests with \`python -m tests.browser --project=sign-in\`.`);
  return value;
}

export async function sessionOf(request: APIRequestContext): Promise<SessionOut> {
  return (await request.get("/api/auth/session")).json() as Promise<SessionOut>;
}

/** Send a change as the person whose cookie the page has. */
export async function ask<T>(page: Page, method: "POST" | "PATCH" | "DELETE", path: string, data?: unknown): Promise<T> {
  const { csrf_token } = await sessionOf(page.request);
  const response = await page.request.fetch(path, { method, data, headers: { "X-CSRF-Token": csrf_token ?? "" } });
  expect(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`).toBe(true);
  return (response.status() === 204 ? undefined : await response.json()) as T;
}

/** Fill the fields of a form by their labels, and send it. */
export async function fill(page: Page, values: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(`${label} (required)`).fill(value);
  await page.getByRole("button", { name: button }).click();
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/sign-in");
  await fill(page, { "E-mail address": email, Password: password }, "Sign in");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** Enter as the owner. The first time it takes the link that the platform's start has printed. */
export async function asOwner(page: Page): Promise<void> {
  const { first_owner_needed } = await sessionOf(page.request);
  if (!first_owner_needed) return signIn(page, OWNER);
  await page.goto(required("LLMBENCH_E2E_FIRST_OWNER"));
  await fill(page, { Organisation: "Engines", "Your name": "Ada", "E-mail address": OWNER, Password: PASSWORD }, "Create the account");
  await expect(page.getByRole("button", { name: "Ada" })).toBeVisible();
}

/** Return a link that makes one person a member, as an owner's screen shows it. */
export async function invite(page: Page, role: Role): Promise<string> {
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByLabel("Role", { exact: true }).selectOption(role);
  await page.getByRole("button", { name: "Make the link" }).click();
  const link = await page.getByText("/invitation#").textContent();
  await page.getByRole("button", { name: "I have kept it" }).click();
  return link!;
}

/** Join by a link as a new person. */
export async function join(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await fill(page, { "Your name": name, "E-mail address": `${name.toLowerCase()}@example.org`, Password: PASSWORD }, "Join");
  await expect(page.getByRole("button", { name })).toBeVisible();
}
