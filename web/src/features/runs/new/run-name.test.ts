import { expect, test } from "vitest";
import { emptyForm, newTarget } from "./run-form";
import { freeName, NUMBER, MOST_CHARACTERS, suggestedName } from "./run-name";

const of = (...models: string[]) => ({ ...emptyForm(), targets: models.map((model) => newTarget("p", model, model)) });

test("a run is named after its targets and its cases", () => {
  expect(suggestedName(of("tiny", "big"), ["Sums"])).toBe("tiny, big on Sums");
  const labelled = { ...newTarget("p", "tiny", "1"), label: " tiny t=0 " };
  expect(suggestedName({ targets: [labelled], datasetVersions: [{ version_id: "v", dataset_id: "d", name: "HR", version_number: 2 }] }, ["Sums"])).toBe("tiny t=0 on Sums, HR v2");
  expect(suggestedName(of("a", "b", "c", "d"), [])).toBe("a, b and 2 more");
  expect(suggestedName(of(), ["Sums"])).toBe("Sums");
  expect(suggestedName(of(), [])).toBe("");
});

test("a name that another run has gets the next number, and stays within the limit", () => {
  expect(freeName("tiny on Sums", [])).toBe("tiny on Sums");
  expect(freeName("tiny on Sums", ["tiny on Sums", "tiny on Sums (2)"])).toBe("tiny on Sums (3)");
  expect("tiny on Sums (2)".replace(NUMBER, "")).toBe("tiny on Sums");
  const long = "x".repeat(300);
  expect([freeName(long, []), freeName(long, ["x".repeat(MOST_CHARACTERS)])].map((one) => one.length <= MOST_CHARACTERS)).toEqual([true, true]);
  expect(freeName("", ["", " (2)"])).toBe("");
});
