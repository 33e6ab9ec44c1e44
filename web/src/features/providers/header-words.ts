import type { HeaderOut } from "@/api/generated/config-api";
import { harmless } from "@/lib/plain-text";

/** What stands in place of a secret: as many dots for every secret, and its end where it can be spared. */
export const mask = (hint: string | null) => `••••••••${hint ?? ""}`;

export function shownValue(header: HeaderOut): string {
  return header.is_secret ? mask(header.hint) : harmless(header.header_value ?? "");
}
