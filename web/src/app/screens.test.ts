import { describe, expect, test } from "vitest";
import { exampleUrl } from "@/lib/screen";
import { places, screens } from "./screens";

describe("screens of the features", () => {
  test("names and paths are unique", () => {
    expect(new Set(screens.map(({ name }) => name)).size).toBe(screens.length);
    expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length);
  });

  test("navigation entries are ordered by position, and each has a shortcut letter of its own", () => {
    expect(places.map(({ label }) => label)).toEqual(["Providers", "Tasks", "Collections", "Datasets", "Runs"]);
    expect(new Set(places.map(({ label }) => label.charAt(0))).size).toBe(places.length);
  });

  test("example addresses are filled with ids", () => {
    expect(exampleUrl({ name: "new-run", path: "/runs/new", example: "clone=:runId" }, { runId: "a b" })).toBe("/runs/new?clone=a%20b");
    expect(() => exampleUrl({ name: "run", path: "/runs/:runId" }, {})).toThrow("an id that is not there: runId");
  });
});
