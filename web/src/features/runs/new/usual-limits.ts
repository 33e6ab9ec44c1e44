/** The limits of a run, and the server's defaults. In a file of their own: their fields need nothing else of the form. */

import type { LimitsForm } from "./run-form";

export const NO_LIMITS: LimitsForm = { epochs: null, concurrency: null, timeoutS: null, maxAttempts: null, useCache: null };
export const USUAL_LIMITS = { epochs: 1, concurrency: 1, timeoutS: 300, maxAttempts: 3 } as const;
export const USUAL_HISTORY = 10;
