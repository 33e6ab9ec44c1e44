import { expect, test } from "vitest";
import { againEntry } from "./again";

test("a run of a suite is started again from the suite, any other run is cloned", () => {
  expect(againEntry({ id: "r", subject: { kind: "suite", id: "s", name: "Nightly" } })).toMatchObject({ label: "Run the suite again", to: "/suites/s" });
  expect(againEntry({ id: "r", subject: { kind: "preset", id: "p", name: "Usual" } })).toMatchObject({ label: "Clone", to: "/runs/new?clone=r" });
  expect(againEntry({ id: "r", subject: null })).toMatchObject({ label: "Clone", to: "/runs/new?clone=r" });
});
