import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TagResult } from "@/api/generated/orchestrator";
import { renderAt } from "@/testing/render";
import { noFigures, runDetail } from "@/testing/samples";
import { answers, server } from "@/testing/server";
import { TagTable } from "./TagTable";

const open = () => renderAt("/", [{ path: "/", Component: () => <TagTable run={runDetail({ status: "FINISHED" })} /> }]);

const tag = (more: Partial<TagResult>): TagResult => ({ ...noFigures, tag: "hard", items: 8, scored: 8, clusters: 4, mean_score: 0.5, mean_score_interval: { low: 0.25, high: 0.75 }, targets: [], ...more });
const target = (label: string, mean: number) => ({ target_id: label, label, items: 4, scored: 4, clusters: 4, mean_score: mean, mean_score_interval: null, pass_rate: null, pass_rate_interval: null });

test("each tag has its figures and a link to its items", async () => {
  server.use(answers.run(() => runDetail({ status: "FINISHED", case_tags: [tag({ targets: [target("small", 0.25), target("large", 0.75)] }), tag({ tag: "new", mean_score: null, mean_score_interval: null, scored: 0 })] })));
  open();
  const row = within(await screen.findByRole("row", { name: /^hard/ }));
  expect(row.getByRole("rowheader")).toHaveTextContent(/hard\s*small: 25\.0%.*large: 75\.0%/);
  const links = row.getAllByRole("link").map((one) => one.getAttribute("href"));
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toMatch(/^\/runs\/+items\?tag=hard(&.*)?$/);
  expect(screen.getByRole("row", { name: /^new/ })).toBeVisible();
});

test("a run without tags says where tags come from", async () => {
  server.use(answers.run(() => runDetail({ status: "FINISHED", case_tags: [] })));
  open();
  expect(await screen.findByText(/No case of this run has tags/)).toBeVisible();
});
