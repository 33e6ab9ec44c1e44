/** An answer is compared with the nearest reference of its case, with a chosen one, or with the answer of another target. */

import { useCallback } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { ItemDetail, RunDetail } from "@/api/generated/orchestrator";
import { nearestReference } from "@/lib/nearest-reference";
import { harmless } from "@/lib/plain-text";
import { referencesOf } from "@/lib/references";
import { writeOne } from "@/lib/url-state";

/** The parameter of the URL; the reading view uses it, too. */
const PARAM = "against";
export const AGAINST_REFERENCE = "reference";
export const againstOne = (reference: string) => `${AGAINST_REFERENCE} ${reference}`;

export type Target = Pick<RunDetail["targets"][number], "id" | "label">;

export type Base = { kind: "reference"; reference: [string, string] } | { kind: "target"; target: Target };

export interface Comparison {
  value: string;
  label: string;
  base: Base;
}

const withReference = (value: string, label: string, reference: [string, string]): Comparison => ({ value, label, base: { kind: "reference", reference } });

/** Return all that the answer can be compared with, the nearest reference first if there is one. Another target may have no
 * answer to the case. */
export function comparisonsOf(item: Pick<ItemDetail, "case" | "target_id" | "answer">, targets: readonly Target[]): Comparison[] {
  const references = referencesOf(item.case);
  const nearest = nearestReference(references, item.answer ?? "");
  return [
    ...(nearest ? [withReference(AGAINST_REFERENCE, references.length > 1 ? "Nearest reference" : `Reference: ${nearest[0]}`, nearest)] : []),
    ...(nearest && references.length > 1 ? references.map((each) => withReference(againstOne(each[0]), `Reference: ${each[0]}`, each)) : []),
    ...targets.filter(({ id }) => id !== item.target_id).map((target): Comparison => ({ value: target.id, label: harmless(target.label), base: { kind: "target", target } })),
  ];
}

/** Return what the URL says answers are compared with, and a setter; null shows them as they are. */
export function useAgainst(): [string | null, (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  // The state says whether closing the item goes back.
  const set = useCallback((value: string | null) => setSearch((now) => writeOne(now, PARAM, value), { replace: true, preventScrollReset: true, state }), [setSearch, state]);
  return [search.get(PARAM) || null, set];
}
