import type { Page } from "@playwright/test";
import { expect, type Platform } from "./platform";

/** Expect the server's log lines and rows, each once. */
export async function expectWhole(page: Page, platform: Platform, runId: string): Promise<void> {
  const views = page.getByRole("navigation", { name: "Views of the run" });
  await views.getByRole("link", { name: /^Items/ }).click();
  const rows = await platform.items(runId);
  const items = page.getByRole("table", { name: "Items" });
  await expect(items).toHaveAttribute("aria-rowcount", String(rows.length + 1));
  await expect(page.getByRole("group", { name: "Filter items by state" }).getByRole("button", { name: `Completed ${rows.length}` })).toBeVisible();
  const events = await platform.events(runId);
  const logged = events.filter((event) => event.type === "llmbench.run.logged.v1").map((event) => event.run_seq);
  await views.getByRole("link", { name: "Log" }).click();
  await expect.poll(() => shownSeqs(page)).toEqual(logged);
}

/** Return every line of the log by number. The log is scrolled, because only a part of it is in the document. */
async function shownSeqs(page: Page): Promise<number[]> {
  return page.getByRole("log").evaluate(async (log) => {
    const seen = new Set<number>();
    for (let top = 0; top <= log.scrollHeight; top += log.clientHeight / 2) {
      // Scroll as a reader does: without input the log follows its end.
      log.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
      log.scrollTop = top;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      for (const line of log.querySelectorAll<HTMLElement>("[data-seq]")) seen.add(Number(line.dataset.seq));
    }
    return [...seen].toSorted((a, b) => a - b);
  });
}
