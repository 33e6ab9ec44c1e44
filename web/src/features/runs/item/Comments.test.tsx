import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { CommentOut } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { server } from "@/testing/server";
import Comments from "./Comments";

const comment = (id: string, more: Partial<CommentOut> = {}): CommentOut => ({ id, text: "<b>Wrong</b>", given_name: "Bo", created_at: "2020-03-01T12:00:00Z", own: false, ...more });

test("comments are listed with author and time, one is added, and only one's own is deleted", async () => {
  const user = userEvent.setup();
  let comments = [comment("1")];
  const sent: unknown[] = [];
  server.use(
    http.get("*/api/runs/run/items/item/comments", () => HttpResponse.json({ items: comments })),
    http.post("*/api/runs/run/items/item/comments", async ({ request }) => {
      sent.push(await request.json());
      comments = [...comments, comment("2", { text: "It is right.", given_name: "Ada", own: true })];
      return HttpResponse.json(comments[1], { status: 201 });
    }),
    http.delete("*/api/runs/run/items/item/comments/2", () => {
      comments = comments.slice(0, 1);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAt("/", [{ path: "/", element: <Comments runId="run" itemId="item" /> }]);
  const region = within(await screen.findByRole("region", { name: "Comments" }));
  expect(region.getByRole("listitem")).toHaveTextContent(/^Bo, Mar 1.*<b>Wrong<\/b>$/);
  expect(region.queryByRole("button", { name: /^Delete/ })).toBeNull();
  expect(region.getByRole("button", { name: "Comment" })).toBeDisabled();
  await user.type(region.getByLabelText("Your comment"), "It is right.");
  // The name is kept from test to test, as it is in an open page.
  await user.clear(region.getByLabelText("Your name"));
  await user.type(region.getByLabelText("Your name"), "Ada");
  await user.click(region.getByRole("button", { name: "Comment" }));
  await user.click(await region.findByRole("button", { name: /Delete ?the comment of Ada/ }));
  await waitFor(() => expect(region.getAllByRole("listitem")).toHaveLength(1));
  expect(sent).toEqual([{ text: "It is right.", by: "Ada" }]);
  expect(region.getByLabelText("Your comment")).toHaveValue("");
});
