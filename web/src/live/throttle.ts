/** Runs `task` at once and then at most every `intervalMs`, never two at a time, and once more
 * after the last call. A slow task spaces itself out: it takes at most a tenth of the time. */

export interface Throttled {
  call(): void;
  cancel(): void;
}

export function throttle(task: () => Promise<void>, intervalMs: number): Throttled {
  let resting: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let again = false;
  let cancelled = false;

  const run = async () => {
    busy = true;
    again = false;
    const started = performance.now();
    await task().catch(() => undefined);
    busy = false;
    if (cancelled) return;
    resting = setTimeout(
      () => {
        resting = undefined;
        if (again) void run();
      },
      Math.max(intervalMs, 10 * (performance.now() - started)),
    );
  };
  return {
    call() {
      if (busy || resting !== undefined) again = true;
      else void run();
    },
    cancel() {
      cancelled = true;
      again = false;
      clearTimeout(resting);
    },
  };
}
