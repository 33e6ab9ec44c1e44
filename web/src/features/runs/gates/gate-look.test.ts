import { describe, expect, it } from "vitest";
import { verdictLook } from "./gate-look";

describe("verdictLook", () => {
  it("is green only for a fine run", () => {
    expect(verdictLook({ verdict: "fine", passed: true })).toMatchObject({ label: "Fine", tone: "good" });
    expect(verdictLook({ verdict: "worse", passed: false }).tone).toBe("bad");
    expect(verdictLook({ verdict: "not judged", passed: false }).tone).toBe("warn");
    expect(verdictLook({ verdict: "pending", passed: null }).label).toBe("Comparing");
  });

  it("says that an undecided gate was forgiven", () => {
    expect(verdictLook({ verdict: "undecided", passed: true })).toMatchObject({ label: "Undecided, forgiven", tone: "neutral" });
    expect(verdictLook({ verdict: "undecided", passed: false })).toMatchObject({ label: "Undecided", tone: "warn" });
  });
});
