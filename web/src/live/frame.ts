/** Run `flush` at most once per animation frame. */

export interface FrameBatch {
  request(): void;
  cancel(): void;
}

/** A hidden tab gets no animation frames: a timer flushes its buffer. */
const HIDDEN_TAB_MS = 500;

export function frameBatch(flush: () => void): FrameBatch {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    cancel();
    flush();
  };
  return {
    request() {
      if (timer !== undefined) return;
      timer = setTimeout(run, HIDDEN_TAB_MS);
      frame = requestAnimationFrame(run);
    },
    cancel,
  };
}
