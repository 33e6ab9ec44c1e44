/** The order of a suite's tasks while they are edited: levels, and the cycle that makes it impossible. */

interface Ordered {
  name: string;
  after: readonly string[];
}

/** Return the level of each task, in the order of the tasks. Within a cycle, the dependency that closes it is ignored. */
export function levelsOfTasks(tasks: readonly Ordered[]): number[] {
  const byName = new Map(tasks.map((one) => [one.name, one]));
  const levels = new Map<Ordered, number>();
  const open = new Set<Ordered>();
  const levelOf = (task: Ordered): number => {
    const known = levels.get(task);
    if (known !== undefined) return known;
    open.add(task);
    const before = task.after.flatMap((name) => byName.get(name) ?? []).filter((one) => !open.has(one));
    const level = before.reduce((most, one) => Math.max(most, levelOf(one) + 1), 0);
    open.delete(task);
    levels.set(task, level);
    return level;
  };
  return tasks.map(levelOf);
}

/** Return the names of a cycle in the order in which its tasks would run, from the first in the alphabet; null without one. */
export function cycleOf(tasks: readonly Ordered[]): string[] | null {
  const byName = new Map(tasks.map((one) => [one.name, one]));
  const done = new Set<string>();
  const path: string[] = [];
  const search = (name: string): string[] | null => {
    const at = path.indexOf(name);
    if (at !== -1) return path.slice(at);
    if (done.has(name)) return null;
    path.push(name);
    for (const before of byName.get(name)?.after ?? []) {
      const found = byName.has(before) ? search(before) : null;
      if (found) return found;
    }
    path.pop();
    done.add(name);
    return null;
  };
  for (const { name } of tasks) {
    const found = search(name)?.toReversed();
    if (!found) continue;
    const first = found.indexOf(found.toSorted()[0]!);
    return [...found.slice(first), ...found.slice(0, first), found[first]!];
  }
  return null;
}
