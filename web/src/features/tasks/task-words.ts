import type { TaskIn, TaskOut } from "@/api/generated/config-api";
import { GRADE_NAMES } from "@/lib/grades";

/** The references of a task, by grade. */
export const GRADES = [
  { field: "excellent", label: GRADE_NAMES.excellent, hint: "What the best answer says." },
  { field: "good", label: GRADE_NAMES.good, hint: "What still counts as good." },
  { field: "pass", label: GRADE_NAMES.pass, hint: "The minimum for a pass." },
  { field: "incorrect_answer_direction", label: GRADE_NAMES.incorrect_answer_direction, hint: "How wrong answers usually go wrong." },
] as const satisfies readonly { field: keyof TaskIn; label: string; hint: string }[];

export function gradesOf(task: TaskOut): string[] {
  return GRADES.filter(({ field }) => task[field] !== null).map(({ label }) => label);
}
