import { describe, expect, test } from "vitest";
import { AREAS, exampleUrl } from "@/lib/screen";
import { placeOf, places, screens } from "./screens";

const at = (pathname: string) => placeOf(pathname)?.label;

describe("screens of the features", () => {
  test("names and paths are unique", () => {
    expect(new Set(screens.map(({ name }) => name)).size).toBe(screens.length);
    expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length);
  });

  test("entries are ordered by area and position, and no letter leads to two places", () => {
    const shown = Object.keys(AREAS).map((area) => places.filter((one) => one.area === area && !one.signIn).map(({ label }) => label));
    expect(shown).toEqual([["Runs", "Schedules", "Trends", "Experiments", "Playground", "Judges"], ["Suites", "Presets"], ["Tasks", "Collections", "Datasets", "Documents", "Annotation", "Prompts", "To label", "Calibrations"], ["Providers", "Usage"]]);
    expect(places.map(({ area }) => area)).toEqual(places.map(({ area }) => area).toSorted((one, other) => Object.keys(AREAS).indexOf(one) - Object.keys(AREAS).indexOf(other)));
    const letters = places.flatMap(({ key }) => key ?? []);
    expect(new Set(letters).size).toBe(letters.length);
  });

  test("every page below the navigation belongs to one entry", () => {
    expect(["/runs", "/runs/new", "/runs/abc", "/compare", "/runs/schedules", "/runs/schedules/abc"].map(at)).toEqual(["Runs", "Runs", "Runs", "Runs", "Schedules", "Schedules"]);
    expect(["/suites/abc", "/documents/abc", "/usage", "/settings/members", "/settings/account", "/runsabc"].map(at)).toEqual(["Suites", "Documents", "Usage", "Members", undefined, undefined]);
  });

  test("example addresses are filled with ids", () => {
    expect(exampleUrl({ name: "new-run", path: "/runs/new", example: "clone=:runId" }, { runId: "a b" })).toBe("/runs/new?clone=a%20b");
    expect(() => exampleUrl({ name: "run", path: "/runs/:runId" }, {})).toThrow("an id that is not there: runId");
  });
});
