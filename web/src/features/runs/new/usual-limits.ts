/** The server's defaults of a run. In a file of their own: the fields of limits need nothing else of the form. */

export const USUAL_LIMITS = { epochs: 1, concurrency: 1, timeoutS: 300, maxAttempts: 3 } as const;
export const USUAL_HISTORY = 10;
