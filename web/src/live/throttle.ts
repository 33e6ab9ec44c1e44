/**
 * Run `task` at once and then at most every `intervalMs`, never concurrently, and once more after the last call. A slow
 * task takes at most a tenth of the time. A call with `"soon"` waits only for the interval.
 */

export interface Throttled {
  call(when?: "soon"): void;
  cancel(): void;
}

export function throttle(task: () => Promise<void>, intervalMs: number): Throttled {
  let resting: ReturnType<typeof setTimeout> | undefined;
  let endedAt = 0;
  let busy = false;
  let again = false;
  let soon = false;
  let cancelled = false;

  const run = async () => {
    busy = true;
    again = soon = false;
    const started = performance.now();
    await task().catch(() => undefined);
    busy = false;
    endedAt = performance.now();
    if (!cancelled) rest(soon ? intervalMs : Math.max(intervalMs, 10 * (endedAt - started)));
  };
  const rest = (forMs: number) => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      resting = undefined;
      if (again) void run();
    }, forMs);
  };
  return {
    call(when) {
      if (cancelled) return;
      if (!busy && resting === undefined) return void run();
      again = true;
      if (when !== "soon") return;
      soon = true;
      if (!busy) rest(Math.max(0, endedAt + intervalMs - performance.now()));
    },
    cancel() {
      cancelled = true;
      again = false;
      clearTimeout(resting);
    },
  };
}
