import { expect, test } from "vitest";
import { newEvaluator } from "@/components/evaluators/evaluator-form";
import { experimentOut } from "@/testing/experiment-samples";
import { emptyExperiment, faults, formOf, metricsOf, newGuardrail, newVariant, startFaults, toExperiment, type ExperimentForm } from "./experiment-form";

const contains = newEvaluator({ kind: "contains", title: "Contains", needs_judge: false }, "1");
const form = (more: Partial<ExperimentForm> = {}): ExperimentForm => ({ ...emptyExperiment(), name: "Shorter", evaluators: [contains], ...more });

test("points and percents become shares, and empty fields are left out", () => {
  const body = toExperiment(form({ effect: 2.5, guardrails: [{ ...newGuardrail("latency"), margin: 12 }, newGuardrail("cost")], maximumCostUsd: 3 }));
  expect(body.config).toEqual({ method: "sequential", significance_level: 0.05, design: "paired", minimum_effect: 0.025, power: 0.8, maximum_cost_usd: 3 });
  expect(body.guardrail_metrics).toEqual([{ metric: "latency", margin: 0.12 }, { metric: "cost" }]);
  expect(body.sources).toBeNull();
});

test("a system prompt is one of the variant, not of its parameters", () => {
  const variant = { ...newVariant("Short"), providerId: "p", model: "m", sampling: { ...newVariant("").sampling, systemPrompt: "Be short.", temperature: 0 } };
  const body = toExperiment(form({ variants: [newVariant("Control", true), variant] }));
  expect(body.variants[1]).toEqual({ name: "Short", is_control: false, config: { model: { provider_id: "p", name: "m" }, parameters: { temperature: 0 }, system_prompt: "Be short." } });
});

test("observations from outside are split, without evaluators and providers", () => {
  const body = toExperiment(form({ isOutside: true, metric: "conversion", variants: [newVariant("A", true), { ...newVariant("B"), providerId: "p", model: "m" }] }));
  expect([body.sources, body.config?.design, body.evaluators, body.variants[1]?.config?.model]).toEqual(["none", "split", undefined, { name: "m" }]);
  expect(startFaults(form({ isOutside: true }))).toEqual({});
});

test("a stored draft becomes the form that gives the same request", () => {
  const draft = experimentOut({ status: "DRAFT" });
  const info = { kind: "contains", title: "Contains", needs_judge: false, description: "", params_schema: {} };
  const body = toExperiment(formOf(draft, [], [info as never]));
  expect(body).toMatchObject({ name: draft.name, primary_metric: "pass_rate", guardrail_metrics: [{ metric: "latency", margin: 0.1 }], evaluators: draft.evaluators, sources: draft.sources });
  expect(body.config).toMatchObject({ minimum_effect: 0.05, seed: 7, design: "paired" });
  expect(body.variants.map((one) => [one.name, one.is_control, one.traffic_allocation])).toEqual([["Control", true, undefined], ["Treatment", false, undefined]]);
});

test("each fault stands at its field", () => {
  const wrong = form({ name: " ", metric: "faithfulness", design: "split", guardrails: [newGuardrail("faithfulness"), { ...newGuardrail("score"), margin: 100 }], minimumSample: 50, maximumSample: 20 });
  wrong.variants = [{ ...newVariant("A", true), share: 50 }, { ...newVariant("a"), share: 40 }];
  expect(Object.keys(faults(wrong)).toSorted()).toEqual(["config.minimum_sample_size", "guardrail_metrics.0", "guardrail_metrics.1.margin", "name", "primary_metric", "variants", "variants.1.name"]);
  expect(faults(form())).toEqual({});
});

test("a start needs cases and models", () => {
  expect(Object.keys(startFaults(form()))).toEqual(["collection_ids", "variants.0.config.model.provider_id", "variants.1.config.model.provider_id"]);
});

test("evaluators give metrics of their names", () => {
  expect(metricsOf(form({ evaluators: [{ ...contains, name: "rightness" }] }))).toEqual(["score", "pass_rate", "latency", "cost", "rightness"]);
});
