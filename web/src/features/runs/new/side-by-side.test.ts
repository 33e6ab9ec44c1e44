import { expect, test } from "vitest";
import { looksHosted, mostSideBySide } from "./side-by-side";
import { newTarget } from "./run-form";

test.each([
  ["https://api.openai.com/v1", true],
  ["https://1.1.1.1/v1", true],
  ["http://[2606:4700::1111]/v1", true],
  ["http://127.0.0.1:11434", false],
  ["http://localhost:1234", false],
  ["http://ollama:11434", false],
  ["http://gpu.lan", false],
  ["http://10.0.0.7", false],
  ["http://172.20.1.1", false],
  ["http://172.32.1.1", true],
  ["http://192.168.1.7", false],
  ["http://100.64.0.1", false],
  ["http://[::1]:8000", false],
  ["http://[fd00::1]", false],
  ["nonsense", false],
])("%s looks hosted: %s", (url, hosted) => {
  expect(looksHosted(url)).toBe(hosted);
});

test("models run side by side when they are of several providers, at most one of them local", () => {
  const providers = [
    { id: "a", base_url: "https://api.openai.com" },
    { id: "b", base_url: "https://openrouter.ai/api" },
    { id: "c", base_url: "http://127.0.0.1:11434" },
    { id: "d", base_url: "http://localhost:1234" },
  ];
  const most = (...ids: string[]) => mostSideBySide({ targets: ids.map((id, index) => newTarget(id, "m", String(index))) }, providers);
  expect([most(), most("a"), most("a", "a"), most("a", "b"), most("a", "c"), most("a", "b", "c", "d"), most("c", "d")]).toEqual([0, 1, 1, 2, 2, 3, 1]);
});
