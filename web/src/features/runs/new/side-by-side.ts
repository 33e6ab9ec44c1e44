/** Decide whether the models of a run may be called side by side. The server decides by the resolved addresses. */

import type { ProviderOut } from "@/api/generated/config-api";
import type { RunForm } from "./run-form";

const LOCAL_NAMES = /^[^.]+$|\.(localhost|local|internal|lan|home\.arpa)$/;
const PRIVATE_ADDRESSES = /^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^\[(::1?|f[cde][0-9a-f]{2}:.*)\]$/;

/** Return whether the host of a provider's URL looks public. */
export function looksHosted(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const host = new URL(baseUrl).hostname.replace(/\.$/, "");
  return host.startsWith("[") || /^[\d.]+$/.test(host) ? !PRIVATE_ADDRESSES.test(host) : !LOCAL_NAMES.test(host);
}

/** Return how many models may be called at the same time: one of each hosted provider, and one local one. */
export function mostSideBySide(form: Pick<RunForm, "targets">, providers: readonly Pick<ProviderOut, "id" | "base_url">[]): number {
  const chosen = providers.filter((one) => form.targets.some((target) => target.providerId === one.id));
  const hosted = chosen.filter((one) => looksHosted(one.base_url)).length;
  return hosted + (hosted < chosen.length ? 1 : 0);
}
