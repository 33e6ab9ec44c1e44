/** A file of test cases, one a line as JSON, whose cases do not hold the text that they rest on. */
export function withoutContext(lines: string): string {
  const cases = lines.split("\n").filter((line) => line !== "");
  return cases.map((line) => `${JSON.stringify({ ...(JSON.parse(line) as object), context: undefined })}\n`).join("");
}
