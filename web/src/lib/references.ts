import type { Case } from "@/api/generated/orchestrator";
import { GRADE_NAMES } from "./grades";

/** Return the name and text of each reference that a case has. */
export function referencesOf(one: Case): [string, string][] {
  const truth = one.ground_truth;
  const references: [string, string | null | undefined][] = [
    ["Expected", one.expected_output],
    [GRADE_NAMES.excellent, one.excellent],
    [GRADE_NAMES.good, one.good],
    [GRADE_NAMES.pass, one.pass],
    [GRADE_NAMES.incorrect_answer_direction, one.incorrect_answer_direction],
    ["True", truth?.answer],
    ["Also accepted", truth?.acceptable_answers?.join("\n")],
    ["Must be cited", truth?.citations?.join("\n")],
  ];
  return references.filter((pair): pair is [string, string] => Boolean(pair[1]));
}
