import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { RunStore } from "@/live/run-store";
import { renderAt } from "@/testing/render";
import { itemDetail, itemRow } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import { ConversationTurns } from "./ConversationTurns";

const turnRow = (turn: number, epoch = 1) =>
  itemRow(turn + 10 * epoch, { conversation_id: "trip", turn, epoch, status: turn === 5 ? "NEW" : "COMPLETED", score: turn === 5 ? null : turn });

test("the turns of its own epoch lead to each other, and the last ones before it can be read", async () => {
  const rows = [5, 3, 1, 2, 4].flatMap((turn) => [turnRow(turn), turnRow(turn, 2)]);
  server.use(
    answers.items((asked) => {
      expect(asked.get("conversation_id")).toBe("trip");
      return { items: rows, next_cursor: null };
    }),
    answers.item((id) => {
      const row = rows.find((one) => one.id === id)!;
      return itemDetail(row, { case: { ...itemDetail(row).case, question: `Question of ${id}` }, answer: `Answer of ${id}` });
    }),
  );
  const item = itemDetail(turnRow(5));
  renderAt("/runs/r?item=item-15", [{ path: "/runs/:runId", element: <ConversationTurns item={item} store={new RunStore()} /> }]);
  expect(await screen.findByRole("heading", { name: "Turn 5 of 5" })).toBeVisible();
  const links = within(await screen.findByRole("list", { name: "Turns" })).getAllByRole("link");
  expect(links.map((one) => one.getAttribute("href"))).toEqual(["item-11", "item-12", "item-13", "item-14", "item-15"].map((id) => `/runs/r?item=${id}`));
  expect(links[4]).toHaveAttribute("aria-current", "step");
  expect(await screen.findByText("Answer of item-14")).toBeVisible();
  expect(screen.queryByText("Answer of item-11")).toBeNull();
  screen.getByRole("button", { name: "Show the 1 turn before these" }).click();
  expect(await screen.findByText("Question of item-11")).toBeVisible();
});

test("a turn before it that is answered meanwhile shows its answer, and its score once it has one", async () => {
  const rows = [itemRow(1, { conversation_id: "trip", turn: 1, status: "IN_PROGRESS" }), itemRow(2, { conversation_id: "trip", turn: 2 })];
  let now = rows[0]!;
  server.use(
    answers.items(() => ({ items: rows, next_cursor: null })),
    answers.item(() => itemDetail(now, { answer: now.status === "IN_PROGRESS" ? null : "By train." })),
  );
  const store = new RunStore();
  store.loadItems(rows, 0);
  renderAt("/runs/r?item=item-2", [{ path: "/runs/:runId", element: <ConversationTurns item={itemDetail(rows[1]!)} store={store} /> }]);
  const before = within(await screen.findByRole("list", { name: "Earlier turns" }));
  expect(await before.findByText("Not answered yet.")).toBeVisible();
  now = { ...rows[0]!, status: "COMPLETED", score: 7 };
  act(() => store.loadItems([now], 1));
  expect(await before.findByText("By train.")).toBeVisible();
  expect(await before.findByText("scored 7")).toBeVisible();
});
