/** Return a random text. `crypto.randomUUID` is missing in pages loaded over plain HTTP from another machine. */
export function uniqueKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
