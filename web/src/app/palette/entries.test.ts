// @vitest-environment jsdom
import { expect, test } from "vitest";
import { deleteView, saveView } from "@/lib/saved-views";
import { filtered, matches, runActions, viewEntries } from "./entries";

test("each typed word has to begin a word", () => {
  const entry = { label: "New run", detail: "Runs" };
  for (const text of ["", "new", "ru ne", "NEW RUN"]) expect(matches(entry, text)).toBe(true);
  for (const text of ["ew", "run task"]) expect(matches(entry, text)).toBe(false);
  expect(matches({ label: "Try all failed items again", also: "retry" }, "retry fail")).toBe(true);
});

test("an entry is listed once, in its first group, and an empty group is left out", () => {
  const [page, run] = [{ id: "/runs", label: "Runs", icon: "next" as const }, { id: "/runs/1", label: "Weekly", icon: "play" as const }];
  const groups = [{ title: "Recent", entries: [run] }, { title: "Pages", entries: [page] }, { title: "Runs", entries: [run], found: true }];
  expect(filtered(groups, "we")).toEqual([{ title: "Recent", entries: [run] }]);
  expect(filtered(groups, "other")).toEqual([{ title: "Runs", entries: [run] }]);
});

test("a run that is open can be compared and exported", () => {
  const id = "0193a000-0000-7000-8000-000000000001";
  expect(runActions(`/runs/${id}/items`, false).map(({ label }) => label)).toEqual(["Compare this run", "Export this run: report in HTML", "Export this run: CSV"]);
  expect(runActions(`/runs/${id}`, false)[0]?.to).toBe(`/compare?run=${id}`);
  expect(runActions(`/runs/${id}`, true)[0]?.to).toBe(`/runs/new?clone=${id}`);
  for (const path of ["/runs", "/runs/new", `/tasks/${id}`]) expect(runActions(path, true)).toEqual([]);
});

test("saved views are found, those of the items while a run is open", () => {
  saveView("runs", { name: "Nightly", search: "tag=nightly" });
  saveView("items", { name: "Worst", search: "sort=score" });
  expect(viewEntries("/tasks").map(({ label, to }) => [label, to])).toEqual([["Nightly", "/runs?tag=nightly"]]);
  const id = "0193a000-0000-7000-8000-000000000001";
  expect(viewEntries(`/runs/${id}/log`).map(({ to }) => to)).toEqual(["/runs?tag=nightly", `/runs/${id}/items?sort=score`]);
  deleteView("runs", "Nightly");
  deleteView("items", "Worst");
});
