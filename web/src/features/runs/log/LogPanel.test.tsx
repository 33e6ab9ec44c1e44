import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { LogEvent } from "@/live/event-schemas";
import { RunStore } from "@/live/run-store";
import { renderAt } from "@/testing/render";
import { logged, runDetail, target } from "@/testing/samples";
import { LogPanel } from "./LogPanel";

const LINES = [
  logged(1, "The queue is open."),
  logged(2, "What is 17 + 25?", { kind: "prompt", item_id: "item-1", task_id: "sum-1", target_label: "tiny" }),
  logged(3, "It is 42 (I am sure).", { kind: "answer", item_id: "item-1", task_id: "sum-1", target_label: "tiny" }),
  logged(4, "it is 43", { kind: "answer", item_id: "item-1", task_id: "sum-1", target_label: "big" }),
];
const TWO_TARGETS = [{ ...target, label: "tiny" }, { ...target, id: "target-2", label: "big" }];

/** `windows` are the earlier lines, the latest first. */
function open({ search = "", lines = LINES, targets = TWO_TARGETS, windows = [] as LogEvent[][] } = {}) {
  const store = new RunStore((flush) => ({ request: flush, cancel: () => undefined }));
  const run = runDetail({ targets });
  store.loadRun(run);
  for (const line of lines) store.receive(line);
  let left = windows.length;
  store.logStart.set(left === 0 ? 1 : 100 * left);
  const onLoadEarlier = vi.fn<() => Promise<boolean>>(async () => {
    const end = store.logStart.get();
    left -= 1;
    return store.loadEarlierLog(windows[windows.length - 1 - left] ?? [], left === 0 ? 1 : 100 * left, end);
  });
  const { router } = renderAt(`/runs/r/log${search}`, [{ path: "/runs/:runId/log", element: <LogPanel run={run} store={store} onLoadEarlier={onLoadEarlier} /> }]);
  return { store, router, onLoadEarlier };
}

const shown = () => [...document.querySelectorAll("[data-seq]")].map((line) => Number((line as HTMLElement).dataset.seq));
const marked = () => [...document.querySelectorAll("mark")].map((one) => one.textContent);
const search = () => screen.getByRole("searchbox", { name: "Search the log" });

test("a search shows the lines that match in any case, marks the matches, counts the lines and is part of the address", async () => {
  const { router } = open();
  expect(screen.getByText("4 lines")).toBeVisible();
  await userEvent.type(search(), "IT IS 4{Enter}");
  expect(shown()).toEqual([3, 4]);
  expect(marked()).toEqual(["It is 4", "it is 4"]);
  expect(screen.getByRole("status")).toHaveTextContent("2 of 4 lines");
  expect(router.state.location.search).toBe("?log_q=IT+IS+4");
});

test("signs of regular expressions are searched as they are, and names of tasks are searched too", async () => {
  open({ search: "?log_q=(i%20am" });
  expect(shown()).toEqual([3]);
  await userEvent.clear(search());
  await userEvent.type(search(), "SUM-1{Enter}");
  expect(shown()).toEqual([2, 3, 4]);
  expect(marked()).toEqual(["sum-1", "sum-1", "sum-1"]);
});

test("a match in the folded part of a long text is shown", () => {
  open({ lines: [logged(1, `${"padding ".repeat(200)}needle ${"padding ".repeat(200)}`)], search: "?log_q=Needle" });
  expect(marked()).toEqual(["needle"]);
});

test("new lines of a live log appear if they match, and are not announced", async () => {
  const { store } = open();
  await userEvent.type(search(), "it is{Enter}");
  expect(screen.getByRole("status")).toHaveTextContent("2 of 4 lines");
  act(() => {
    store.receive(logged(5, "Now it is 44"));
    store.receive(logged(6, "The end."));
  });
  expect(shown()).toEqual([3, 4, 5]);
  expect(screen.getByText("3 of 6 lines")).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent("2 of 4 lines");
});

test("lines are filtered by target and by kind, in the address", async () => {
  const { router } = open({ search: "?log=answer" });
  await userEvent.click(await screen.findByRole("combobox", { name: "Targets" }));
  await userEvent.click(await screen.findByRole("option", { name: "big" }));
  await waitFor(() => expect(shown()).toEqual([4]));
  expect(router.state.location.search).toBe("?log=answer&log_target=big");
  await userEvent.click(screen.getByRole("button", { name: "Remove big" }));
  await waitFor(() => expect(shown()).toEqual([3, 4]));
});

test("a run with one target has no filter by target, and ignores one of an old address", () => {
  open({ targets: [target], search: "?log_target=big" });
  expect(shown()).toEqual([1, 2, 3, 4]);
  expect(screen.queryByText("Targets")).toBeNull();
});

test("without a match, all filters are cleared with one click, and the focus is in the search", async () => {
  const { router } = open({ search: "?log=note&log_target=tiny&log_q=nowhere&item=i" });
  expect(screen.getByRole("heading", { name: "No line matches" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Search the items" })).toHaveAttribute("href", "/runs/r/items?q=nowhere");
  await userEvent.click(screen.getByRole("button", { name: "Show all lines" }));
  expect(shown()).toEqual([1, 2, 3, 4]);
  expect(router.state.location.search).toBe("?item=i");
  expect(search()).toHaveFocus();
  expect(search()).toHaveValue("");
});

test("a search says that earlier lines are not loaded, and reads them until one matches", async () => {
  const windows = [[logged(250, "nothing")], [logged(150, "the needle")], [logged(50, "the needle, again")]];
  const { onLoadEarlier } = open({ lines: [logged(350, "late")], search: "?log_q=needle", windows });
  expect(screen.getByText("0 of 1 loaded line")).toBeVisible();
  expect(screen.getByRole("heading", { name: "No loaded line matches" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Search earlier lines" }));
  await waitFor(() => expect(shown()).toEqual([150]));
  expect(onLoadEarlier).toHaveBeenCalledTimes(2);
  expect(screen.getByRole("status")).toHaveTextContent("1 of 3 loaded lines");
  await userEvent.click(screen.getByRole("button", { name: "Search earlier lines" }));
  await waitFor(() => expect(shown()).toEqual([50, 150]));
  expect(screen.queryByRole("button", { name: "Search earlier lines" })).toBeNull();
  expect(screen.getByRole("status")).toHaveTextContent("2 of 4 lines");
});

test("earlier lines that cannot be read are an error with its reason", async () => {
  const { onLoadEarlier } = open({ windows: [[]] });
  onLoadEarlier.mockRejectedValueOnce({ status: 503, data: { title: "Not ready", detail: "The database starts." } });
  await userEvent.click(screen.getByRole("button", { name: "Load earlier lines" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The database starts.");
  await userEvent.click(screen.getByRole("button", { name: "Load earlier lines" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
