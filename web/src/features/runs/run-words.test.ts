import { expect, test } from "vitest";
import { clusterCount, clusteredBy, itemLook, sampleText } from "./run-words";

test("clusters are named where they are no single cases", () => {
  expect(clusterCount({ cluster_by: null, cluster_level: "case" }, 12)).toBe("");
  expect(clusterCount({ cluster_by: null, cluster_level: "document" }, 1)).toBe("1 document");
  expect(clusterCount({ cluster_by: "topic", cluster_level: "metadata" }, 1200)).toBe("1,200 values of topic");
  expect(clusteredBy({ cluster_by: null, cluster_level: "conversation" })).toBe("conversation");
  // A key is the user's word.
  expect(clusteredBy({ cluster_by: "a\u202Eb", cluster_level: "metadata" })).not.toContain("\u202E");
});

test("a sample has its size, strategy and seed", () => {
  expect(sampleText({ size: 200, strategy: "stratified", seed: 7, seed_from: "request", taken: 200, of: 1000 })).toBe("200 of 1,000 cases, stratified, seed 7");
  expect(sampleText({ size: 5, strategy: "random", seed: 7, seed_from: "name", taken: 5, of: 9, tags: ["hard"] })).toBe("5 of 9 cases with the tag hard, random, seed 7");
});

test("a green tick means passed, not answered", () => {
  expect(itemLook({ status: "COMPLETED", passed: true })).toMatchObject({ label: "Passed", tone: "good" });
  expect(itemLook({ status: "COMPLETED", passed: false })).toMatchObject({ label: "Not passed", tone: "bad" });
  expect(itemLook({ status: "COMPLETED", passed: null })).toMatchObject({ label: "Completed", tone: "neutral" });
  expect(itemLook({ status: "FAILED", passed: false }).label).toBe("Failed");
});
