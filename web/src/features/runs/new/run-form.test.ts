import { expect, test } from "vitest";
import type { RunSummary } from "@/api/generated/orchestrator";
import { evaluatorOut, runDetail, target } from "@/testing/samples";
import { errorsUnder, stillTrue } from "@/lib/form-errors";
import { newEvaluator } from "@/components/evaluators/evaluator-form";
import { newMember, newPanel } from "@/components/evaluators/panel-form";
import { emptyForm, formOf, judges, missing, needsJudge, newTarget, NO_LIMITS, NO_SAMPLE, selfJudged, sizeOf, toCreateRun, withLastJudge } from "./run-form";
import { USUAL_HISTORY } from "./usual-limits";
import { withPreset } from "./preset-form";
import { NOTHING_SAID } from "@/lib/sampling-form";

const complete = () => ({
  ...emptyForm(),
  judge: { ...emptyForm().judge, providerId: "p", model: "judge" },
  targets: [newTarget("p", "a", "1"), newTarget("p", "b", "2")],
  collectionIds: ["c"],
});

test("what is not said is not sent", () => {
  expect(toCreateRun(complete())).toEqual({
    judge: { provider_id: "p", model: "judge", params: { temperature: 0, max_tokens: 1024 } },
    targets: [{ provider_id: "p", model: "a", params: {} }, { provider_id: "p", model: "b", params: {} }],
    collection_ids: ["c"],
    params: {},
    check_providers: true,
    allow_self_judging: false,
  });
});

test("options are JSON where they are some, else text", () => {
  const options = [{ key: "top_k", value: "40" }, { key: "think", value: "true" }, { key: "mode", value: "fast" }, { key: " ", value: "x" }];
  const form = { ...complete(), sampling: { ...NOTHING_SAID, options } };
  expect(toCreateRun(form).params).toEqual({ options: { top_k: 40, think: true, mode: "fast" } });
});

test("what is missing is named by its field, in the order of the form", () => {
  expect(Object.keys(missing(emptyForm()))).toEqual(["collection_ids", "targets", "judge.provider_id"]);
  expect(missing(complete())).toEqual({});
  const twice = { ...complete(), targets: [newTarget("p", "a", "1"), newTarget("q", "a", "2")] };
  expect(Object.keys(missing(twice))).toEqual(["targets.1.label"]);
});

test("a judge among the targets has to be allowed", () => {
  const form = { ...complete(), targets: [newTarget("p", "judge", "1")] };
  expect(selfJudged([form.judge], form.targets)).toEqual(["judge"]);
  expect(Object.keys(missing(form))).toEqual(["allow_self_judging"]);
  expect(toCreateRun({ ...form, allowSelfJudging: true }).allow_self_judging).toBe(true);
  // Allowed once, but no longer the case.
  expect(toCreateRun({ ...complete(), allowSelfJudging: true }).allow_self_judging).toBe(false);
});

test("a target is sent with the version of its prompt, and a copy has it again", () => {
  const prompt = { promptId: "prompt", versionId: "version", name: "Brief", number: 2 };
  expect(toCreateRun({ ...complete(), targets: [{ ...newTarget("p", "a", "1"), prompt }, newTarget("p", "b", "2")] }).targets.map((one) => one.prompt_version_id)).toEqual(["version", undefined]);
  const run = runDetail();
  const copied = formOf({ ...run, targets: [{ ...run.targets[0]!, prompt: { prompt_id: "prompt", version_id: "version", name: "Brief", number: 2, content_hash: "" } }] });
  expect(copied.targets.map((one) => one.prompt)).toEqual([prompt]);
});

test("items are tasks by epochs by targets; calls are two an item and the warm-ups", () => {
  const form = complete();
  form.limits = { ...NO_LIMITS, epochs: 2 };
  form.targets[1] = { ...newTarget("p", "b", "2"), limits: { ...NO_LIMITS, epochs: 5 } };
  expect(sizeOf(form, 10)).toEqual({ tasks: 10, items: 70, calls: 143, isCounted: true });
  expect(sizeOf(emptyForm(), 10)).toEqual({ tasks: 10, items: 0, calls: 0, isCounted: true });
});

test("programs ask no judge, and repeats and judges of their own are counted", () => {
  const program = newEvaluator({ kind: "exact_match", title: "Exact match", needs_judge: false }, "e");
  const alone = { ...complete(), evaluators: [program], judge: emptyForm().judge };
  expect(missing(alone)).toEqual({});
  expect(toCreateRun(alone)).not.toHaveProperty("judge");
  expect(sizeOf(alone, 10)).toMatchObject({ items: 20, calls: 22 });
  const own = { ...newEvaluator({ kind: "g_eval", title: "G-Eval", needs_judge: true }, "g"), params: { repeats: 3 }, judge: { providerId: "q", model: "other" } };
  const both = { ...alone, evaluators: [program, own] };
  expect(toCreateRun(both)).not.toHaveProperty("judge");
  expect(sizeOf(both, 10)).toMatchObject({ calls: 20 * 4 + 2 + 1, isCounted: false });
  expect(Object.keys(missing({ ...both, evaluators: [{ ...own, judge: { providerId: "q", model: "" } }] }))).toEqual(["evaluators.0.judge.model"]);
  expect(missing({ ...both, evaluators: [] })).toEqual({ evaluators: "Choose at least one evaluator." });
});

test("a clone keeps a panel, whose members are no evaluators of their own", () => {
  const judge = { provider_id: "p", model: "one", params: { temperature: 0 } };
  const panel = { quorum: 2, judges: [{ ...judge, revision_id: "1" }, { ...judge, model: "two", revision_id: "2" }] };
  const member = evaluatorOut({ name: "rubric/one", revision_id: "1", judge_model: "one", weight: 0, required: false, member: true });
  const form = formOf(runDetail({ judge: null, evaluators: [evaluatorOut({ judge_provider_id: null, judge_model: null, panel }), member] }));
  expect(needsJudge(form)).toBe(false);
  expect(judges(form).map((one) => one.model)).toEqual(["one", "two"]);
  expect(toCreateRun(form).evaluators).toEqual([{ kind: "rubric", panel: { judges: [judge, { ...judge, model: "two" }] } }]);
});

test("a panel is asked instead of the judge, and each of it is counted", () => {
  const form = { ...complete(), panel: newPanel({ providerId: "p", model: "one" }) };
  expect(Object.keys(missing(form))).toEqual(["panel.judges.1.provider_id"]);
  const two = { providerId: "q", model: "two" };
  const whole = { ...form, panel: { ...form.panel, judges: form.panel.judges.with(1, newMember(two)) } };
  expect(missing(whole)).toEqual({});
  expect(toCreateRun(whole)).not.toHaveProperty("judge");
  expect(toCreateRun(whole).panel).toEqual({ judges: [{ provider_id: "p", model: "one" }, { provider_id: "q", model: "two" }] });
  expect(sizeOf(whole, 10).calls).toBe(sizeOf(complete(), 10).calls + sizeOf(whole, 10).items + 1);
  expect(Object.keys(missing({ ...whole, panel: { judges: [...whole.panel.judges, newMember(two)], quorum: 4 } }))).toEqual(["panel.judges.2.model", "panel.quorum"]);
});

test("a provider's embedding model is named with its evaluator, and judges nobody", () => {
  const similar = { ...newEvaluator({ kind: "semantic_similarity", title: "Semantic similarity", needs_judge: false }, "s"), params: { embedding: "provider" } };
  const form = { ...complete(), evaluators: [similar] };
  expect(needsJudge(form)).toBe(false);
  expect(missing(form)).toEqual({ "evaluators.0.judge.provider_id": "Choose the embedding model." });
  const named = { ...form, evaluators: [{ ...similar, judge: { providerId: form.targets[0]!.providerId, model: form.targets[0]!.model } }] };
  expect(missing(named)).toEqual({});
  expect(toCreateRun(named).evaluators).toEqual([{ kind: "semantic_similarity", params: { embedding: "provider" }, judge: { provider_id: form.targets[0]!.providerId, model: form.targets[0]!.model } }]);
  // Set back to a model that runs here, it asks no other provider.
  expect(toCreateRun({ ...named, evaluators: [{ ...named.evaluators[0]!, params: {} }] }).evaluators).toEqual([{ kind: "semantic_similarity" }]);
});

test("a clone says once what its targets share, and sends what the run was", () => {
  const params = { temperature: 0.3, options: { top_k: 40 } };
  const run = runDetail({
    targets: [
      { ...target, id: "1", label: "tiny", params, epochs: 2 },
      { ...target, id: "2", label: "other", params: { ...params, seed: 7 }, epochs: 2 },
    ],
  });
  const form = formOf(run);
  expect(form.sampling.temperature).toBe(0.3);
  expect(form.limits.epochs).toBe(2);
  expect(form.targets.map((one) => [one.label, one.sampling.temperature, one.sampling.seed])).toEqual([["", null, null], ["other", null, 7]]);
  const sent = toCreateRun(form);
  expect(sent.params).toEqual(params);
  expect(sent.targets[1]!.params).toEqual({ seed: 7 });
});

test("a clone is clustered as the run was, and sends as many earlier turns", () => {
  const run = runDetail({ cluster_by: "topic", cluster_level: "metadata" });
  const sent = toCreateRun(formOf({ ...run, limits: { ...run.limits, max_conversation_history: 3 } }));
  expect([sent.cluster_by, sent.max_conversation_history]).toEqual(["topic", 3]);
  // Defaults are not sent.
  const usual = toCreateRun(formOf({ ...runDetail(), limits: { ...run.limits, max_conversation_history: 10 } }));
  expect(Object.keys(usual)).not.toEqual(expect.arrayContaining(["cluster_by"]));
  expect(Object.keys(usual)).not.toEqual(expect.arrayContaining(["max_conversation_history"]));
  expect(usual).not.toHaveProperty("parallel_groups");
  expect(toCreateRun(formOf({ ...run, limits: { ...run.limits, parallel_groups: 3 } })).parallel_groups).toBe(3);
});

test("a run of a preset has its settings and is compared with its baselines", () => {
  const run = { concurrency: 4, timeout_s: 60, max_attempts: 4, max_conversation_history: 10, parallel_groups: 2 };
  const preset = { id: "preset-1", version: 1, created_at: "", updated_at: "", name: "Nightly", description: null, settings: {}, run, notes: [] };
  const { max_conversation_history: usual, ...others } = run;
  const wanted = toCreateRun({ ...emptyForm(), ...withPreset(preset) });
  expect(wanted).toMatchObject({ ...others, subject: { kind: "preset", id: "preset-1" } });
  expect(wanted.max_conversation_history).toBeUndefined();
  expect(usual).toBe(USUAL_HISTORY);
});

test("a copy is compared with the baselines of the run's preset, unless that is not wanted", () => {
  const form = formOf(runDetail({ subject: { kind: "preset", id: "preset-1", name: "Nightly" }, baseline_label: "main" }));
  expect(toCreateRun(form)).toMatchObject({ subject: { kind: "preset", id: "preset-1" }, baseline_label: "main" });
  const alone = toCreateRun({ ...form, subject: { ...form.subject!, compared: false } });
  expect([alone.subject, alone.baseline_label]).toEqual([undefined, undefined]);
  expect(toCreateRun(formOf(runDetail())).subject).toBeUndefined();
  expect(toCreateRun(formOf(runDetail({ subject: { kind: "suite", id: "family-1", name: "Nightly" } }))).subject).toBeUndefined();
});

test("a complaint holds until its field changes", () => {
  const sent = toCreateRun(complete());
  const fields = { "targets.0.model": "no such model", "judge.model": "no such judge" };
  expect(stillTrue(fields, sent, sent)).toEqual(fields);
  const changed = toCreateRun({ ...complete(), targets: [newTarget("p", "b", "2")] });
  expect(stillTrue(fields, sent, changed)).toEqual({ "judge.model": "no such judge" });
  expect(errorsUnder(fields, "targets.0")).toEqual(["no such model"]);
});

test("a sample is sent with its size, and a copy of the run keeps its seed", () => {
  const sampled = { ...complete(), sample: { ...NO_SAMPLE, size: 20, strategy: "stratified" as const } };
  expect(toCreateRun({ ...sampled, name: "Nightly" }).sample).toEqual({ size: 20, strategy: "stratified" });
  // Runs with suggested names have one sample, although their names differ: the seed of the server for an empty name.
  expect(toCreateRun(sampled).sample).toEqual({ size: 20, strategy: "stratified", seed: 0x63b0c442 });
  expect(toCreateRun({ ...complete(), sample: { ...NO_SAMPLE, seed: 7 } }).sample).toBeUndefined();
  expect(toCreateRun({ ...complete(), name: "Nightly", sample: { ...NO_SAMPLE, tags: ["hard"] } }).sample).toEqual({ tags: ["hard"], strategy: "random" });
  const run = { ...runDetail(), sample: { size: 20, strategy: "random" as const, seed: 99, seed_from: "name" as const, taken: 21, of: 300 } };
  expect(toCreateRun(formOf(run)).sample).toEqual({ size: 20, strategy: "random", seed: 99 });
});

const by = (provider_id: string, model: string) => ({ judge: { provider_id, provider_name: "Local", model, params: {} } }) as unknown as Pick<RunSummary, "judge">;

test("the judge of the newest run is taken until another is chosen, if its provider is still there", () => {
  const earlier = [{ judge: null }, by("gone", "old"), by("p", "large"), by("p", "small")];
  const empty = emptyForm();
  expect(withLastJudge(empty, earlier, [{ id: "p" }]).judge).toEqual({ ...empty.judge, providerId: "p", model: "large" });
  expect(withLastJudge(empty, earlier, [])).toBe(empty);
  const chosen = { ...empty, judge: { ...empty.judge, providerId: "q" } };
  expect(withLastJudge(chosen, earlier, [{ id: "p" }])).toBe(chosen);
});
