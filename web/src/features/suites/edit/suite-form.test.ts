import { describe, expect, test } from "vitest";
import type { SuiteIn } from "@/api/generated/config-api";
import { suiteDiff } from "../suite-diff";
import { cycleOf, levelsOfTasks } from "./order";
import { copyOf, emptySuite, formOf, missing, newTask, contradictions, toSuite, type TaskForm } from "./suite-form";

const SUITE: SuiteIn = {
  name: "Nightly",
  description: null,
  aggregation: "macro",
  tasks: [
    { name: "sums", category: "general", source: { dataset: "Sums", version: 2, collection: null }, sample: null, evaluators: [{ kind: "numeric", name: null, params: {}, weight: 1, required: true, pass_threshold: null }], params: { temperature: 0, stop: null }, epochs: 1, weight: 1, after: [], estimated_seconds: null },
    { name: "replies", category: "language", source: { collection: "Support" }, sample: { size: 40, strategy: "random" }, after: ["sums"], weight: 0 },
  ],
};

const named = (...after: [string, ...string[]][]) => after.map(([name, ...before]) => ({ name, after: before }));

describe("the order of tasks", () => {
  test("a level is one more than the highest before it, and unknown names are ignored", () => {
    expect(levelsOfTasks(named(["c", "a", "b"], ["b", "a"], ["a"], ["d", "none"]))).toEqual([2, 1, 0, 0]);
  });

  test.each([
    [named(["a", "b"], ["b", "a"]), ["a", "b", "a"]],
    [named(["x", "z"], ["y", "x"], ["z", "y"], ["free"]), ["x", "y", "z", "x"]],
    [named(["self", "self"]), ["self", "self"]],
    [named(["a"], ["b", "a"], ["c", "a", "b"]), null],
  ])("the cycle is named in the order in which its tasks would run", (tasks, cycle) => {
    expect(cycleOf(tasks)).toEqual(cycle);
    expect(levelsOfTasks(tasks).every(Number.isInteger)).toBe(true);
  });

  test("a hundred tasks in a row are quick", () => {
    const tasks = Array.from({ length: 100 }, (_, index) => ({ name: String(index), after: Array.from({ length: index }, (__, before) => String(before)) }));
    expect(levelsOfTasks(tasks).at(-1)).toBe(99);
    expect(cycleOf(tasks)).toBeNull();
  });
});

describe("the form", () => {
  test("usual and empty values are left out; zero and unknown fields stay", () => {
    const later = { ...SUITE, tasks: [{ ...SUITE.tasks[0]!, later: { minimum: 0 } }, SUITE.tasks[1]!] };
    expect(toSuite(formOf(later))).toEqual({
      name: "Nightly",
      aggregation: "macro",
      tasks: [
        { name: "sums", source: { dataset: "Sums", version: 2 }, evaluators: [{ kind: "numeric" }], params: { temperature: 0 }, later: { minimum: 0 } },
        { name: "replies", category: "language", source: { collection: "Support" }, sample: { size: 40 }, after: ["sums"], weight: 0 },
      ],
    });
  });

  test("gates follow the names of tasks, need a score, and count as order", () => {
    const [sums, replies] = formOf(SUITE).tasks as [TaskForm, TaskForm];
    const gated = { ...replies, before: [], gates: [{ key: sums.key, least: 0.75 }] };
    const form = { ...formOf(SUITE), tasks: [{ ...sums, task: { ...sums.task, name: "adding" } }, gated] };
    expect(toSuite(form).tasks[1]!.gate).toEqual([{ task: "adding", min_score: 0.75 }]);
    expect(toSuite(formOf(toSuite(form)))).toEqual(toSuite(form));
    expect(toSuite({ ...form, tasks: [gated] }).tasks[0]).not.toHaveProperty("gate");
    expect(missing({ ...form, tasks: [sums, { ...gated, gates: [{ key: sums.key, least: null }] }] })).toEqual({ "tasks.1.gate": "Give each gate the lowest score that passes, from 0 to 1." });
    const both = [{ ...sums, gates: [{ key: gated.key, least: 0.5 }] }, gated];
    expect(Object.keys(contradictions({ ...form, tasks: both })).toSorted()).toEqual(["tasks.0.after", "tasks.1.after"]);
  });

  test("a new name is used by the tasks behind it, and a removed task by none", () => {
    const form = formOf(SUITE);
    const [sums, replies] = form.tasks as [TaskForm, TaskForm];
    const renamed = (name: string) => ({ ...form, tasks: [{ ...sums, task: { ...sums.task, name } }, replies] });
    expect(toSuite(renamed("replies")).tasks[1]!.after).toEqual(["replies"]);
    expect(toSuite(renamed("adding")).tasks[1]!.after).toEqual(["adding"]);
    expect(toSuite({ ...form, tasks: [replies] }).tasks[0]).not.toHaveProperty("after");
    expect(newTask(renamed("task-3").tasks).task.name).toBe("task-4");
    const copy = copyOf(replies, form.tasks);
    expect(toSuite({ ...form, tasks: [...form.tasks, copy] }).tasks[2]).toMatchObject({ name: "task-3", after: ["sums"], weight: 0 });
    expect(copy.task.source).toEqual({});
  });

  test("what is missing has the path of its field", () => {
    expect(missing(emptySuite())).toEqual({ name: "Name the suite.", "tasks.0.source": "Choose the cases of task-1." });
    expect(missing({ ...emptySuite(), tasks: [] })).toHaveProperty("tasks");
    expect(missing(formOf(SUITE))).toEqual({});
  });

  test("a name that two tasks have, and tasks that wait for each other, are told", () => {
    const form = formOf(SUITE);
    const [sums, replies] = form.tasks as [TaskForm, TaskForm];
    expect(contradictions({ ...form, tasks: [{ ...sums, task: { ...sums.task, name: "replies" } }, replies] })).toEqual({ "tasks.1.name": "Task 1 has this name, too." });
    expect(contradictions({ ...form, tasks: [{ ...sums, task: { ...sums.task, source: { collection: "Support" } } }, replies] })["tasks.1.source"]).toMatch(/^sums has the same cases/);
    const message = "The tasks wait for each other: replies → sums → replies.";
    expect(contradictions({ ...form, tasks: [{ ...sums, before: [replies.key] }, replies] })).toEqual({ "tasks.0.after": message, "tasks.1.after": message });
  });
});

test("two versions differ in what they say, and in nothing else", () => {
  expect(suiteDiff(SUITE, toSuite(formOf(SUITE)))).toEqual({ suite: [], tasks: [] });
  const { tasks } = SUITE;
  const next: SuiteIn = { ...SUITE, description: "New.", tasks: [{ ...tasks[0]!, params: { temperature: 1 }, epochs: 3 }, { name: "facts", source: { dataset: "Facts" } }] };
  expect(suiteDiff(SUITE, next)).toEqual({
    suite: [{ field: "description", before: "", after: "New." }],
    tasks: [
      { name: "sums", kind: "changed", changes: [{ field: "params", before: "temperature: 0", after: "temperature: 1" }, { field: "epochs", before: "", after: "3" }] },
      { name: "facts", kind: "added", changes: [{ field: "name", before: "", after: "facts" }, { field: "source", before: "", after: "dataset: Facts" }] },
      expect.objectContaining({ name: "replies", kind: "removed" }),
    ],
  });
});
