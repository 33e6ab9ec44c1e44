/** The commands by which another system assigns units and sends observations. */

import type { ExperimentOut } from "@/api/generated/orchestrator";

const EXAMPLES: Readonly<Record<string, number>> = { latency: 840, cost: 0.002, pass_rate: 1 };

const exampleOf = (metric: string) => EXAMPLES[metric] ?? 0.8;

/** Return both commands for the platform at `origin`. Ids, metrics and guardrails are those of the experiment. */
export function commandsOf(experiment: Pick<ExperimentOut, "experiment_id" | "variants" | "primary_metric" | "guardrail_metrics">, origin: string): { assign: string; observe: string } {
  const { experiment_id: experimentId, variants, primary_metric: metric, guardrail_metrics: guardrails } = experiment;
  const observation = {
    observation_id: "request-1",
    unit_id: "user-1",
    variant_id: variants[0]?.variant_id ?? "",
    value: exampleOf(metric),
    ...(guardrails.length > 0 && { guardrails: Object.fromEntries(guardrails.map((one) => [one.metric, exampleOf(one.metric)])) }),
  };
  const post = (path: string, body: unknown) =>
    [
      `curl -X POST ${origin}/v1/experiments/${experimentId}/${path} \\`,
      `  -H "authorization: Bearer $LLMBENCH_API_KEY" -H "content-type: application/json" \\`,
      `  -d ${quoted(JSON.stringify(body))}`,
    ].join("\n");
  return { assign: post("assign", { unit_ids: ["user-1", "user-2"] }), observe: post("observations", { observations: [observation] }) };
}

/** Quote a text for a shell: names of metrics may contain anything. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Return the unit of the metric, for the hint below the commands. */
export const unitOf = (metric: string) =>
  metric === "latency" ? "milliseconds" : metric === "cost" ? "dollars" : metric === "pass_rate" ? "1 for passed and 0 for failed" : "from 0 to 1";
