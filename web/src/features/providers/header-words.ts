import type { HeaderOut } from "@/api/generated/config-api";
import { harmless } from "@/lib/plain-text";

/** Mask a secret: a fixed number of dots, followed by its ending if the server reveals it. */
export const mask = (hint: string | null) => `••••••••${hint ?? ""}`;

export function shownValue(header: HeaderOut): string {
  return header.is_secret ? mask(header.hint) : harmless(header.header_value ?? "");
}
