/** Each role sees the screens that it may see, is offered no action that it may not use, and reads why elsewhere. */

import type { Browser, Page } from "@playwright/test";
import type { ApiKeyCreated, Role } from "../../src/api/generated/identity";
import { exampleUrl } from "../../src/lib/screen";
import { screens } from "../every-screen";
import { furnish } from "../furnished";
import { look } from "../look";
import { expect, Platform, test } from "../platform";
import { unique } from "../setup";
import { ask, asOwner, invite, join, required, sessionOf } from "./people";

/** Buttons and links that change something, by the beginning of their names. Menus leave entries out by themselves. */
const ACTIONS = /^(New (?!\d)|Import|Upload|Delete|Edit|Publish|Deprecate|Run models|Add (?!a column)|Write |Create(?!d)|Save|Test connection|Try |Ask another|Pause$|Resume|Start )/;
/** The other screens are led to by links of their own, or are for people who have not signed in. */
const INSIDE = screens.filter(({ bare, right }) => !bare && right !== undefined);

let ids: Record<string, string> = {};
let link: (role: Role) => Promise<string>;

test.beforeAll(async ({ browser, playwright }) => {
  const page = await (await browser.newContext()).newPage();
  await asOwner(page);
  const { key } = await ask<ApiKeyCreated>(page, "POST", "/api/api-keys", { name: `furnish ${unique()}` });
  const program = await playwright.request.newContext({ baseURL: required("LLMBENCH_E2E_URL"), extraHTTPHeaders: { Authorization: `Bearer ${key}` } });
  ids = await furnish(program, new Platform(program));
  link = (role) => invite(page, role);
});

/** Return the page of a new person, and the requests that the server has refused for lack of rights. */
async function newPerson(browser: Browser, role: Role): Promise<{ page: Page; refused: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  await join(page, await link(role), `${role[0]!.toUpperCase()}${unique()}`);
  return { page, refused };
}

for (const role of ["viewer", "annotator", "member"] as const) {
  test(`a ${role} sees every screen that the role allows, and asks for nothing else`, async ({ browser }) => {
    const { page, refused } = await newPerson(browser, role);
    const { allowed = [] } = await sessionOf(page.request);
    for (const screen of INSIDE) {
      await page.goto(exampleUrl(screen, ids));
      if (!allowed.includes(screen.right!)) {
        await expect(page.getByRole("heading", { name: "Your role does not allow this", level: 2 }), screen.name).toBeVisible();
        continue;
      }
      await expect(page.locator(screen.shows).first(), screen.name).toBeVisible();
      if (role === "member") continue;
      for (const kind of ["button", "link"] as const) {
        const offered = await page.getByRole("main").getByRole(kind, { name: ACTIONS, disabled: false }).allTextContents();
        expect(offered, `${kind}s on ${screen.name}`).toEqual([]);
      }
    }
    expect(refused).toEqual([]);
    await page.context().close();
  });
}

test("an annotator lands on what there is to do, and the navigation shows nothing else", async ({ browser }) => {
  const { page } = await newPerson(browser, "annotator");
  await expect(page).toHaveURL(/\/tasks$/);
  const linksOf = (navigation: string) => page.getByRole("navigation", { name: navigation }).getByRole("link");
  await expect(linksOf("Main")).toHaveText(["Data", "Settings"]);
  await expect(linksOf("Data")).toHaveText(["Tasks", "Datasets", "To label"]);
  await page.goto("/runs");
  await look(page, "a screen that the role does not allow");
  await page.getByRole("main").getByRole("link", { name: "Tasks" }).click();
  await expect(page).toHaveURL(/\/tasks$/);
  await page.context().close();
});

test("a viewer reads a task whose fields cannot be changed", async ({ browser }) => {
  const { page } = await newPerson(browser, "viewer");
  await page.goto(exampleUrl(screens.find(({ name }) => name === "task")!, ids));
  await expect(page.getByRole("note")).toContainText("not to change it");
  await expect(page.getByLabel("Question (required)")).toBeDisabled();
  await look(page, "a task of a viewer");
  await page.goto(exampleUrl(screens.find(({ name }) => name === "provider")!, ids));
  await expect(page.getByLabel("Name (required)")).toBeDisabled();
  await look(page, "a provider of a viewer");
  await page.context().close();
});
