/** The pace of each model group, measured from the server's counts. The pace of one model says little about the next. */

import type { GroupOut } from "@/api/generated/orchestrator";
import { addSample, pace, type Pace, type Sample } from "@/lib/rate";
import { ValueStore } from "./observable";

export type Paces = ReadonlyMap<string, Pace>;

export class PaceMeter {
  readonly current = new ValueStore<Paces>(new Map());
  #samples = new Map<string, Sample[]>();

  measure(groups: readonly Pick<GroupOut, "id" | "status" | "done" | "failed">[], at: number): void {
    for (const { id, status, done, failed } of groups) {
      if (status === "OPEN") this.#samples.set(id, addSample(this.#samples.get(id) ?? [], { at, done: done + failed }));
    }
    const known = [...this.#samples].flatMap(([id, samples]): [string, Pace][] => {
      const measured = pace(samples);
      return measured ? [[id, measured]] : [];
    });
    this.current.set(new Map(known));
  }

  /** A pause would look like slowness. */
  reset(): void {
    this.#samples = new Map();
    this.current.set(new Map());
  }
}
