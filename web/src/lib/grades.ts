/** The grades of the rubric, for each of which a case may describe an answer: one name for each, on every screen. */
export const GRADE_NAMES = {
  excellent: "Excellent",
  good: "Good",
  pass: "Pass",
  incorrect_answer_direction: "Incorrect",
} as const;
