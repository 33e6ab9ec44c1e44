import { expect, test } from "vitest";
import { nearestReference } from "./nearest-reference";

test("an answer is compared with the reference that shares most words with it", () => {
  const given: [string, string][] = [
    ["Excellent", "Canberra, which was founded as the capital in 1913."],
    ["Good", "Canberra is the capital."],
    ["Incorrect", "Sydney is the capital of Australia."],
  ];
  expect(nearestReference(given, "It was founded as the capital in 1913.")?.[0]).toBe("Excellent");
  expect(nearestReference(given, "The capital is Canberra")?.[0]).toBe("Good");
  // A wrong answer is nobody's aim.
  expect(nearestReference(given, "Sydney is the capital of Australia.")?.[0]).toBe("Good");
  expect(nearestReference(given, "")?.[0]).toBe("Excellent");
  expect(nearestReference([], "42")).toBeUndefined();
});
