import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { BarRows } from "./BarRows";

const head = (name: string) => ({ name, figures: "median 120 ms, p95 1.20 s, p99 2.40 s" });
const drawn = (name: string) => {
  render(<BarRows axis="Time" rows={[{ name: "Times", head: head(name), bars: [] }]} counts={[0, 1]} format={String} ticks={[]} />);
  return [...screen.getByRole("group", { name: "Time" }).querySelectorAll("tspan")].map((line) => line.textContent);
};

test("the words above a row stand on one line if they fit", () => {
  expect(drawn("cedar-8b")).toEqual(["cedar-8b · median 120 ms, p95 1.20 s, p99 2.40 s"]);
});

test("the words above a row stand on two lines if one is too narrow, and no figure is cut off", () => {
  expect(drawn("a model with a long name and a version of 2026-11-21")).toEqual(["a model with a long name and a version of 2026-11-21", "median 120 ms, p95 1.20 s, p99 2.40 s"]);
});
