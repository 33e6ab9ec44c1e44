/** The pace of each model group, measured on what the server counts of it. Each model has its own: the pace of one says
 * little about the next. */

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
      const found = pace(samples);
      return found ? [[id, found]] : [];
    });
    this.current.set(new Map(known));
  }

  /** A pause would count as slowness. */
  reset(): void {
    this.#samples = new Map();
    this.current.set(new Map());
  }
}
