/** The form of a panel of judges. */

import type { JudgeChoice, PanelChoice } from "@/api/generated/orchestrator";
import { uniqueKey } from "@/lib/unique-key";

export interface ModelChoice {
  providerId: string;
  model: string;
}

export interface PanelMember extends ModelChoice {
  /** The React key. */
  key: string;
  /** The parameters of an earlier run; the defaults if absent. */
  params?: JudgeChoice["params"];
}

export interface PanelForm {
  judges: PanelMember[];
  /** Null means all judges. */
  quorum: number | null;
}

/** The server's limits. */
export const FEWEST_JUDGES = 2;
export const MOST_JUDGES = 7;

export const newMember = (choice: ModelChoice = { providerId: "", model: "" }): PanelMember => ({ ...choice, key: uniqueKey() });

/** Return a panel with the chosen judge and an empty second one. */
export const newPanel = ({ providerId, model }: ModelChoice): PanelForm => ({ judges: [newMember({ providerId, model }), newMember()], quorum: null });

export function panelOf({ judges, quorum }: PanelChoice): PanelForm {
  const members = judges.map((one) => ({ ...newMember({ providerId: one.provider_id, model: one.model }), ...(one.params && { params: one.params }) }));
  return { judges: members, quorum: quorum === judges.length ? null : (quorum ?? null) };
}

export function toPanel({ judges, quorum }: PanelForm): PanelChoice {
  return {
    judges: judges.map(({ providerId, model, params }) => ({ provider_id: providerId, model, ...(params && { params }) })),
    ...(quorum !== null && { quorum }),
  };
}

/** Return the missing fields, keyed by the path of the field that shows the message. */
export function missingInPanel({ judges, quorum }: PanelForm, path: string): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [index, { providerId, model }] of judges.entries()) {
    const at = `${path}.judges.${index}`;
    if (providerId === "") problems[`${at}.provider_id`] = `Choose the provider of judge ${index + 1}.`;
    else if (model === "") problems[`${at}.model`] = `Choose the model of judge ${index + 1}.`;
    else if (judges.slice(0, index).some((one) => one.providerId === providerId && one.model === model)) problems[`${at}.model`] = "This judge is in the panel already.";
  }
  if (quorum !== null && (!Number.isInteger(quorum) || quorum < FEWEST_JUDGES || quorum > judges.length)) {
    problems[`${path}.quorum`] = judges.length === FEWEST_JUDGES ? "With two judges both have to score: leave it empty." : `A whole number from ${FEWEST_JUDGES} to ${judges.length}, or nothing.`;
  }
  return problems;
}
