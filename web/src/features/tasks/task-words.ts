import type { TaskIn, TaskOut } from "@/api/generated/config-api";

/** The references of a task, by grade. */
export const GRADES = [
  { field: "excellent", label: "Excellent", hint: "What the best answer says." },
  { field: "good", label: "Good", hint: "What still counts as good." },
  { field: "pass", label: "Pass", hint: "The minimum for a pass." },
  { field: "incorrect_answer_direction", label: "Wrong", hint: "How wrong answers usually go wrong." },
] as const satisfies readonly { field: keyof TaskIn; label: string; hint: string }[];

export function gradesOf(task: TaskOut): string[] {
  return GRADES.filter(({ field }) => task[field] !== null).map(({ label }) => label);
}
