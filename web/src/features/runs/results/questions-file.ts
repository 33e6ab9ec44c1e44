/** Return test cases as JSON lines without their context. */
export function withoutContext(lines: string): string {
  const cases = lines.split("\n").filter((line) => line !== "");
  return cases.map((line) => `${JSON.stringify({ ...(JSON.parse(line) as object), context: undefined })}\n`).join("");
}
