/** Convert a failed request into a message for the user. */

import { forForm } from "./form-words";

export interface Problem {
  title: string;
  detail: string;
  status: number | null;
  /** The errors by dotted path into the body (`targets.0.model`). */
  fields: Readonly<Record<string, string>>;
  /** The complete body, for members beyond the standard ones. */
  body: Readonly<Record<string, unknown>>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const NOTHING = { fields: {}, body: {} } as const;

function readFields(errors: unknown): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const one of Array.isArray(errors) ? errors : []) {
    if (isRecord(one) && typeof one.field === "string" && typeof one.message === "string") fields[one.field] ??= forForm(one.message);
  }
  return fields;
}

/** Return whether a request failed without an answer of the service, so that it may have been carried out. */
export function isLost(error: unknown): boolean {
  if (error === undefined) return false;
  const { status } = toProblem(error);
  return status === null || status >= 500;
}

/** Read `application/problem+json` from RTK Query's error; other errors get a default message. */
export function toProblem(error: unknown): Problem {
  if (!isRecord(error)) return { title: "Something went wrong", detail: "The request failed without a reason. Try again.", status: null, ...NOTHING };
  if (error.status === "FETCH_ERROR" || error.status === "TIMEOUT_ERROR") {
    return { title: "The server cannot be reached", detail: "Check that llmbench is running, then try again.", status: null, ...NOTHING };
  }
  const status = typeof error.status === "number" ? error.status : null;
  const body = isRecord(error.data) ? error.data : {};
  return {
    status,
    fields: readFields(body.errors),
    body,
    title: typeof body.title === "string" ? body.title : status === null ? "The answer could not be read" : `The server answered ${status}`,
    detail: typeof body.detail === "string" ? forForm(body.detail) : "It gave no further reason. Try again; if it fails again, look at the log of the service.",
  };
}
