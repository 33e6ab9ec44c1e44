/** Compute what the answers of models cost that have a price, but have not run here yet. */

import type { ProviderOut } from "@/api/generated/config-api";
import { formatCount, formatUsd, plural } from "@/lib/format";
import { epochsOf, type RunForm, type TargetForm } from "./run-form";

const MILLION = 1_000_000;
const TOKENS = 1000;

/** Return a sentence on the cost of the answers of these targets by the user's prices; null if none of them has a price. */
export function priceSentence(form: RunForm, tasks: number, targets: readonly TargetForm[], providers: readonly Pick<ProviderOut, "id" | "prices">[]): string | null {
  const priced = targets.flatMap((target) => {
    const price = providers.find((one) => one.id === target.providerId)?.prices.find((one) => one.model === target.model);
    return price ? [{ items: tasks * epochsOf(form, target), usdPerToken: price.output_usd_per_million / MILLION, limit: target.sampling.maxTokens ?? form.sampling.maxTokens }] : [];
  });
  if (priced.length === 0 || tasks === 0) return null;
  const models = priced.length === targets.length && priced.length === 1 ? "this model" : `${plural(priced.length, "model")} that ${priced.length === 1 ? "has" : "have"} not run here`;
  const isLimited = priced.every((one) => one.limit !== null);
  const usd = priced.reduce((sum, { items, usdPerToken, limit }) => sum + items * usdPerToken * (isLimited ? (limit ?? 0) : TOKENS), 0);
  return isLimited
    ? `By your prices and the token limits, the answers of ${models} cost at most ${formatUsd(usd)}. The prompts come on top.`
    : `By your prices, the answers of ${models} cost ${formatUsd(usd)} for each ${formatCount(TOKENS)} tokens of an answer. The prompts come on top.`;
}
