/** The pace of each model group, measured from the server's counts. The pace of one model says little about the next. */

import type { GroupOut } from "@/api/generated/orchestrator";
import { addSample, pace, type Pace, type Sample } from "@/lib/rate";
import { ValueStore } from "./observable";

export type Paces = ReadonlyMap<string, Pace>;

type Group = Pick<GroupOut, "id" | "status" | "done" | "failed" | "opened_at">;

export class PaceMeter {
  readonly current = new ValueStore<Paces>(new Map());
  #samples = new Map<string, Sample[]>();
  /** The samples of a page that was just loaded: no unit at the group's start, and those of now. */
  #sinceStart = new Map<string, Sample[]>();
  #paused = false;

  /** `fresh` is false for a run that was reopened: its counts are older than its groups' times. */
  measure(groups: readonly Group[], at: number, fresh: boolean): void {
    for (const { id, status, done, failed, opened_at: openedAt } of groups) {
      if (status !== "OPEN") continue;
      const sample = { at, done: done + failed };
      this.#samples.set(id, addSample(this.#samples.get(id) ?? [], sample));
      if (fresh && !this.#paused && openedAt) this.#sinceStart.set(id, [{ at: Date.parse(openedAt), done: 0 }, sample]);
    }
    const known = [...this.#samples].flatMap(([id, samples]): [string, Pace][] => {
      const measured = pace(samples) ?? pace(this.#sinceStart.get(id) ?? []);
      return measured ? [[id, measured]] : [];
    });
    this.current.set(new Map(known));
  }

  /** A pause would look like slowness. */
  reset(): void {
    this.#samples = new Map();
    this.#sinceStart = new Map();
    this.#paused = true;
    this.current.set(new Map());
  }
}
