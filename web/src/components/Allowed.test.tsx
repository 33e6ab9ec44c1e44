import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { SessionOut } from "@/api/generated/identity";
import { session } from "@/lib/rights";
import { renderAt } from "@/testing/render";
import { Allowed } from "./Allowed";
import { Button, ButtonLink, IconButton } from "./Button";
import { Menu } from "./Menu";
import { TextField } from "./Field";

const VIEWER: SessionOut = { auth: "on", signed_in: true, first_owner_needed: false, role: "viewer", allowed: ["tasks:read"] };

function Page() {
  return (
    <>
      <Button right="tasks:create">Write one</Button>
      <IconButton icon="trash" right="tasks:delete" label="Delete it" />
      <ButtonLink to="/" right="tasks:read">Read them</ButtonLink>
      <Menu label="More" icon="more" entries={[{ label: "Look", right: "tasks:read" }, { label: "Change", right: "tasks:update" }]} />
      <Menu label="Changes" icon="more" entries={[{ label: "Change", right: "tasks:update" }]} />
      <Allowed right="tasks:create">Only for writers</Allowed>
      <Allowed right="tasks:update" readOnly><TextField label="Question" value="1 + 1" onChange={() => undefined} /></Allowed>
    </>
  );
}

beforeEach(() => session.set(null));

test("without sign-in everything is offered", async () => {
  session.set({ auth: "off", signed_in: false, first_owner_needed: false });
  renderAt("/", [{ path: "/", Component: Page }]);
  expect(screen.getByRole("button", { name: "Write one" })).toBeVisible();
  expect(await screen.findByRole("button", { name: "Changes" })).toBeVisible();
  expect(screen.getByLabelText("Question")).toBeEnabled();
  expect(screen.queryByRole("note")).toBeNull();
});

test("a role is offered what it may do, and reads the rest with a reason", async () => {
  session.set(VIEWER);
  renderAt("/", [{ path: "/", Component: Page }]);
  expect(screen.queryByRole("button", { name: /Write one|Delete it|Changes/ })).toBeNull();
  expect(screen.queryByText("Only for writers")).toBeNull();
  expect(screen.getByRole("link", { name: "Read them" })).toBeVisible();
  expect(screen.getByLabelText("Question")).toBeDisabled();
  expect(screen.getByRole("note")).toHaveTextContent("not to change it");
  await userEvent.click(await screen.findByRole("button", { name: "More" }));
  expect((await screen.findAllByRole("menuitem")).map((entry) => entry.textContent)).toEqual(["Look"]);
});
