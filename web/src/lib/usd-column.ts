/** Format a column of costs. */

import { formatUsd, LEAST_USD, localNumber, MISSING } from "./format";

type Maybe = number | null | undefined;

const form = (decimals: number) => localNumber({ style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", minimumFractionDigits: decimals, maximumFractionDigits: decimals });
const forms = { 2: form(2), 4: form(4), 6: form(6) } as const;

/** Return the format of a column of costs: all have the decimals that the smallest of them needs, so that they compare. */
export function usdColumn(values: readonly Maybe[]): (value: Maybe) => string {
  const least = Math.min(...values.map((one) => (one == null || one === 0 ? Infinity : one)));
  const shared = forms[least < 0.001 ? 6 : least < 0.1 ? 4 : 2];
  return (value) => (value == null ? MISSING : value > 0 && value < LEAST_USD ? formatUsd(value) : shared.format(value));
}
