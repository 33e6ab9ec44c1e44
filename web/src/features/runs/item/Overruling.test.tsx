import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { OverrulingOut } from "@/api/generated/orchestrator";
import { formatDate } from "@/lib/format";
import { renderAt } from "@/testing/render";
import { scoreOut } from "@/testing/samples";
import { server } from "@/testing/server";
import Overruling from "./Overruling";

const ADA: OverrulingOut = {
  evaluator: "rubric", evaluator_revision_id: "r", number: 1, judge_score: 8, score: 3, reason: "<b>Wrong</b>.", given_name: "Ada", created_at: "2020-03-01T12:00:00Z", holds: true,
};
let changes: OverrulingOut[];
let sent: unknown[];

beforeEach(() => {
  changes = [];
  sent = [];
  server.use(
    http.get("*/api/runs/run/items/item/overrulings", () => HttpResponse.json({ items: changes })),
    http.put("*/api/runs/run/items/item/overrulings/r", async ({ request }) => {
      sent.push(await request.json());
      changes = [ADA, ...changes];
      return HttpResponse.json({ items: changes });
    }),
    http.delete("*/api/runs/run/items/item/overrulings/r", ({ request }) => {
      sent.push(new URL(request.url).searchParams.get("by"));
      changes = [{ ...ADA, number: 2, score: null, reason: null }, { ...ADA, holds: false }];
      return HttpResponse.json({ items: changes });
    }),
  );
});

const show = () => renderAt("/", [{ path: "/", element: <Overruling runId="run" itemId="item" score={scoreOut({ kind: "rubric", evaluator: "rubric", judge_model: "judge", raw: 8, scale_max: 10 })} name="rubric" /> }]);

test("a person overrules the score with a reason, and withdraws it", async () => {
  const user = userEvent.setup();
  show();
  await user.click(await screen.findByRole("button", { name: /Overrule ?the score of rubric/ }));
  const form = within(screen.getByRole("form", { name: "Overrule" }));
  const send = form.getByRole("button", { name: "Overrule" });
  expect(send).toBeDisabled();
  await user.type(form.getByLabelText(/Score, 0 to 10/), "11");
  await user.clear(form.getByLabelText(/Your name/));
  await user.type(form.getByLabelText(/Your name/), "Ada");
  await user.type(form.getByLabelText(/Reason/), "It is wrong.");
  expect(send).toBeDisabled();
  await user.clear(form.getByLabelText(/Score, 0 to 10/));
  await user.type(form.getByLabelText(/Score, 0 to 10/), "3");
  await user.click(send);
  expect(await screen.findByText("8 → 3")).toBeVisible();
  expect(sent).toEqual([{ score: 3, reason: "It is wrong.", by: "Ada" }]);
  expect(screen.getByText("8 → 3").closest("p")).toHaveTextContent(`8 → 3 by Ada: <b>Wrong</b>., ${formatDate(ADA.created_at)}`);
  await user.click(screen.getByRole("button", { name: /Withdraw ?the overruling of rubric/ }));
  expect(await screen.findByRole("button", { name: /Overrule ?the score of rubric/ })).toBeVisible();
  expect(sent[1]).toBe("Ada");
  expect(screen.getByText("2 earlier changes")).toBeVisible();
});

test("a refused score says why, and the form stays", async () => {
  changes = [ADA];
  server.use(http.put("*/api/runs/run/items/item/overrulings/r", () => HttpResponse.json({ type: "about:blank", title: "The run is not over", status: 409, detail: "The run is RUNNING." }, { status: 409 })));
  const user = userEvent.setup();
  show();
  await user.click(await screen.findByRole("button", { name: /Change ?the score of rubric/ }));
  await user.click(within(screen.getByRole("form", { name: "Overrule" })).getByRole("button", { name: "Overrule" }));
  expect(await screen.findByText(/The run is RUNNING/)).toBeVisible();
});
