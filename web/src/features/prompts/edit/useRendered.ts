import { useState } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import type { PreviewedCase, PreviewIn, PromptVariable } from "@/api/generated/config-api";
import { useRenderedCasesQuery } from "@/api/prompts";
import { toProblem } from "@/lib/problem";
import { useSettled } from "@/lib/use-settled";

export type Templates = Pick<PreviewIn, "system_template" | "user_template" | "variables">;
export type Source = Pick<PreviewIn, "collection_id" | "dataset_version_id">;

export interface Rendered {
  /** The variables of the templates when they were last valid. */
  variables: readonly PromptVariable[];
  cases: readonly PreviewedCase[];
  /** The errors of the templates by field. */
  errors: Readonly<Record<string, string>>;
  /** Anything else that failed, such as the connection. */
  error: unknown;
  isPending: boolean;
  source: Source;
  setSource: (source: Source) => void;
  count: number;
  setCount: (count: number) => void;
}

/** Ask the server for the variables of the templates, and for what they make of the first cases of the chosen source. */
export function useRendered(templates: Templates): Rendered {
  const [source, setSource] = useState<Source>({});
  const [count, setCount] = useState(3);
  const text = JSON.stringify(templates);
  const settled = useSettled(text);
  const isBlank = templates.user_template.trim() === "";
  const query = useRenderedCasesQuery(isBlank ? skipToken : { ...(JSON.parse(settled) as Templates), ...source, limit: count });
  const problem = query.isError && !query.isFetching ? toProblem(query.error) : null;
  const fields = problem?.fields ?? {};
  const isAboutTemplates = Object.keys(fields).length > 0;
  return {
    // `data` is kept while the templates are changed and while they are wrong.
    variables: isBlank ? [] : (query.data?.variables ?? []),
    cases: isBlank || problem ? [] : (query.data?.cases ?? []),
    errors: settled === text ? fields : {},
    error: problem && !isAboutTemplates ? query.error : undefined,
    isPending: query.isFetching || settled !== text,
    source, setSource, count, setCount,
  };
}
