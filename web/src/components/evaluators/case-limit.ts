/** The form of an evaluator's case filter: a case matches when it contains the given part. */

export interface CaseLimit {
  category: string;
  tags: string[];
  withChecks: boolean;
  /** Any other part of a case, as JSON. */
  rest: string;
}

export type CaseFilter = Readonly<Record<string, unknown>>;

export const NO_LIMIT: CaseLimit = { category: "", tags: [], withChecks: false, rest: "" };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Return the error of the filter as a sentence. */
export function limitProblem({ rest }: CaseLimit): string | undefined {
  return rest.trim() === "" || isRecord(parsed(rest)) ? undefined : 'Write it as an object in JSON, as in {"subcategory": "percent"}.';
}

/** Return null if the filter excludes no case. */
export function toFilter({ category, tags, withChecks, rest }: CaseLimit): CaseFilter | null {
  const value = rest.trim() === "" ? {} : parsed(rest);
  const others = isRecord(value) ? value : {};
  const metadata = isRecord(others.metadata) ? others.metadata : {};
  const filter = {
    ...others,
    ...(category.trim() !== "" && { category: category.trim() }),
    ...(tags.length > 0 && { metadata: { ...metadata, tags } }),
    ...(withChecks && { checks: [{}] }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

/** Split a filter into its fields and the remaining JSON. */
export function limitOf(filter: CaseFilter | null | undefined): CaseLimit {
  if (!filter) return NO_LIMIT;
  const { category, checks, metadata, ...others } = filter;
  const { tags, ...facts } = isRecord(metadata) ? metadata : {};
  const hasTags = Array.isArray(tags) && tags.every((one) => typeof one === "string");
  const isAnyCheck = JSON.stringify(checks) === "[{}]";
  const rest = {
    ...others,
    ...(category !== undefined && typeof category !== "string" && { category }),
    ...(checks !== undefined && !isAnyCheck && { checks }),
    ...(metadata !== undefined && (!hasTags || Object.keys(facts).length > 0) && { metadata: hasTags ? facts : metadata }),
  };
  return {
    category: typeof category === "string" ? category : "",
    tags: hasTags ? tags : [],
    withChecks: isAnyCheck,
    rest: Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2),
  };
}

/** Describe the filter: `category sums, tags hard`; empty if it excludes no case. */
export function limitInWords({ category, tags, withChecks, rest }: CaseLimit): string {
  const parts = [category.trim() !== "" && `category ${category.trim()}`, tags.length > 0 && `tags ${tags.join(", ")}`, withChecks && "with checks", rest.trim() !== "" && "other parts"];
  return parts.filter(Boolean).join(", ");
}
