import { expect, test } from "vitest";
import { changed, liveRow, logged } from "@/testing/samples";
import { parseEvent } from "./event-schemas";

test("reads a known event and leaves out fields it does not know", () => {
  const event = changed(8, { ...liveRow(0), status: "COMPLETED", score: 9, passed: true });
  expect(parseEvent(JSON.stringify({ ...event, from_the_future: 1 }))).toEqual(event);
});

test.each([
  ["no JSON", "{"],
  ["no object", "42"],
  ["an unknown type", JSON.stringify({ ...logged(1), type: "llmbench.run.sang.v1" })],
  ["a missing number", JSON.stringify({ ...logged(1), run_seq: undefined })],
  ["a wrong state", JSON.stringify({ ...changed(1, liveRow(0)), item: { ...liveRow(0), status: "LOST" } })],
  ["a text that is none", JSON.stringify({ ...logged(1), text: { html: "<b>" } })],
])("%s is no event", (_name, body) => {
  expect(parseEvent(body)).toBeNull();
});
